import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Load } from './use-load.ts';

interface PageProps {
  /** The heading, also of the browser's tab. */
  readonly title: string;
  /** What stands beside the heading, where it is more than its text. */
  readonly badge?: ComponentChildren;
  /** The buttons of the page. */
  readonly actions?: ComponentChildren;
  /** The page above it. */
  readonly up?: { readonly href: string; readonly text: string } | undefined;
  readonly children: ComponentChildren;
}

/** What the main region shows: a heading with its buttons, and all below it. */
export function Page({ title, badge, actions, up, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Sandbox`;
  }, [title]);
  return (
    <>
      {up !== undefined && (
        <p class="up">
          <a href={up.href}>{up.text}</a>
        </p>
      )}
      <div class="title">
        <h2>{title}</h2>
        {badge}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

/** A part of a page under a heading of its own. */
export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Says that there is nothing to show, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

interface LoadedProps<T> {
  readonly load: Load<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows what was loaded. A later error stands above what is still shown. */
export function Loaded<T>({ load: { data, error }, children }: LoadedProps<T>) {
  return (
    <>
      {error !== undefined && (
        <p class="problem" role="alert">
          {error.message}
        </p>
      )}
      {data === undefined ? error === undefined && <p class="soft">Loading…</p> : children(data)}
    </>
  );
}
