import type { ComponentChildren } from 'preact';

/** A tool: what it does, and its controls. */
export function Tool({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card stack" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
