import type { ComponentChildren } from 'preact';

/** A preformatted text that scrolls, also by the keyboard. */
export function Scroll({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard cannot scroll what it does not reach
    <figure class="scroll" aria-label={name} tabIndex={0}>
      <pre>{children}</pre>
    </figure>
  );
}
