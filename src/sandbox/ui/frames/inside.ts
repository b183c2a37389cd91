import { hearPage, type PageMessage, tell } from './messages.ts';
import { setTheme } from './theme.ts';

/** What stands in the page that the sandbox sent. */
export function inside(selector: string): HTMLElement {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) return element;
  throw new Error(`Expected an element ${selector} in the page.`);
}

/** Tells the page that shows this frame how high it is, now and whenever that changes. */
function reportHeight(origin: string): void {
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

/** Begins to talk to the page that shows this frame. */
export function beginFrame(origin: string, listener: (message: PageMessage) => void = () => {}): void {
  hearPage(origin, (message) => {
    if (message.kind === 'theme') setTheme(message.isDark);
    else listener(message);
  });
  reportHeight(origin);
  tell(origin, { kind: 'ready' });
}
