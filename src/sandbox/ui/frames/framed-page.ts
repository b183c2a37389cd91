import { onPageMessage, type PageMessage, sendToPage } from './messages.ts';
import { setTheme } from './theme.ts';

/** Returns an element of the page; throws if there is none. */
export function requireElement(selector: string): HTMLElement {
  const element = document.querySelector(selector);
  if (element instanceof HTMLElement) return element;
  throw new Error(`Expected an element ${selector} in the page.`);
}

/** Reports the frame's height to the embedding page, now and on every change. */
function reportHeight(origin: string): void {
  const root = document.documentElement;
  const report = (): void =>
    sendToPage(origin, { kind: 'height', height: Math.ceil(root.getBoundingClientRect().height) });
  new ResizeObserver(report).observe(root);
}

/** Calls back on Escape. The key reaches only the focused document, so a frame in a dialog must forward it. */
export function onEscape(leave: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
}

/** Starts the messages between this frame and the page that embeds it. */
export function beginFrame(origin: string, listener: (message: PageMessage) => void = () => {}): void {
  onPageMessage(origin, (message) => {
    if (message.kind === 'theme') setTheme(message.isDark);
    else listener(message);
  });
  reportHeight(origin);
  sendToPage(origin, { kind: 'ready' });
}
