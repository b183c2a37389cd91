import type { ComponentChildren } from 'preact';

/** A preformatted text that scrolls, with the keyboard too. */
export function Scroll({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only an element that takes the focus
    <figure class="scroll" aria-label={name} tabIndex={0}>
      <pre>{children}</pre>
    </figure>
  );
}
