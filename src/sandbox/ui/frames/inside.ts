import { tell } from './messages.ts';

/** What stands in the page that the sandbox sent. */
export function inside(selector: string): HTMLElement {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) return element;
  throw new Error(`Expected an element ${selector} in the page.`);
}

/** Tells the page that shows this frame how high it is, now and whenever that changes. */
export function reportHeight(origin: string): void {
  const root = document.documentElement;
  const report = (): void =>
    tell(origin, { kind: 'height', height: Math.ceil(root.getBoundingClientRect().height) });
  new ResizeObserver(report).observe(root);
}

/** Escape reaches only the document that has the focus, so a frame in a dialog has to pass it on. */
export function onEscape(leave: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
}
