import { type FrameMessage, hearFrame, type PageMessage, tellFrame } from './messages.ts';
import { style } from './style.ts';

/** Which colour scheme something has: `auto` is that of the place where it is shown. */
export type Theme = 'light' | 'dark' | 'auto';

/** A page of the sandbox within the shop's page. */
export interface Frame {
  readonly element: HTMLIFrameElement;
  /** Ends when its page runs for the first time. */
  readonly ready: Promise<void>;
  /** Says something to its page, as soon as that runs. */
  tell(message: PageMessage): void;
  /** Gives it another colour scheme. */
  setTheme(theme: Theme): void;
  /** Removes it, and hears it no more. */
  remove(): void;
}

const look = {
  all: 'initial',
  display: 'block',
  width: '100%',
  'max-width': '512px',
  height: '320px',
  border: '0',
  'border-radius': '8px',
  // A property that says which scheme is used, and an event when that changes, whatever the reason.
  color: 'light-dark(#ffffff, #000000)',
  transition: 'color 1ms',
};

const dark = 'rgb(0, 0, 0)';

/** Makes a frame that is as high as what it shows, in the colour scheme of its place. It loads when it is put into the page. */
export function createFrame(address: URL, title: string, listener: (message: FrameMessage) => void): Frame {
  const element = document.createElement('iframe');
  element.src = address.href;
  element.title = title;
  style(element, look);
  const life = new AbortController();
  const { signal } = life;
  let begin = (): void => {};
  const ready = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const sendTheme = (): void =>
    tellFrame(element, { kind: 'theme', isDark: getComputedStyle(element).color === dark });
  const setTheme = (theme: Theme): void => {
    style(element, { 'color-scheme': theme === 'auto' ? 'inherit' : theme });
  };
  setTheme('auto');
  element.addEventListener('transitionend', sendTheme, { signal });
  const receive = (message: FrameMessage): void => {
    if (message.kind === 'height') style(element, { height: `${message.height}px` });
    // An element that is moved loads its page again.
    if (message.kind === 'ready') {
      sendTheme();
      begin();
    }
    listener(message);
  };
  hearFrame(element, receive, signal);
  return {
    element,
    ready,
    tell: (message) => void ready.then(() => tellFrame(element, message)),
    setTheme,
    remove: () => {
      life.abort();
      element.remove();
    },
  };
}
