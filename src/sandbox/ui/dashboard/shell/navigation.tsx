import { type Group, sections } from '../sections.ts';

const groups: readonly Group[] = ['Payments', 'Webhooks', 'Control'];

/** Links to all sections. */
export function Navigation({ current, isOpen }: { readonly current: string; readonly isOpen: boolean }) {
  return (
    <nav class="sections" aria-label="Sections" data-open={isOpen}>
      {groups.map((group) => (
        <ul key={group} aria-label={group}>
          {sections
            .filter((section) => section.group === group)
            .map(({ name, title }) => (
              <li key={name}>
                <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}
