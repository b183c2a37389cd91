import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Load } from './use-load.ts';

interface PageProps {
  /** The heading and the document title. */
  readonly title: string;
  /** Content beside the heading. */
  readonly badge?: ComponentChildren;
  /** The page's buttons. */
  readonly actions?: ComponentChildren;
  /** The parent page. */
  readonly up?: { readonly href: string; readonly text: string } | undefined;
  readonly children: ComponentChildren;
}

/** The main region: a heading with its buttons, and the content. */
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

/** A section of a page with its own heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A card with its own heading. */
export function Card({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card stack" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** An empty state, with the next step. */
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

/** Shows loaded data. A later error appears above the data. */
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
