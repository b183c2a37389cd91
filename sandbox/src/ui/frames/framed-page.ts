import { onPageMessage, type PageMessage, sendToPage } from './messages.ts';

const condition = /^\(prefers-color-scheme: (dark|light)\)$/;

/**
 * Sets the colour scheme of a frame. Browsers differ in whether media queries of a frame follow the embedding page,
 * so this rewrites the queries.
 */
function setTheme(isDark: boolean): void {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  for (const { cssRules } of document.styleSheets) {
    for (const rule of cssRules) if (rule instanceof CSSMediaRule) decide(rule, isDark);
  }
}

/** The original media query of each rewritten rule. */
const asked = new WeakMap<CSSMediaRule, string>();

function decide(rule: CSSMediaRule, isDark: boolean): void {
  const scheme = asked.get(rule) ?? condition.exec(rule.media.mediaText)?.[1];
  if (scheme === undefined) return;
  asked.set(rule, scheme);
  rule.media.mediaText = (scheme === 'dark') === isDark ? 'all' : 'not all';
}

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
