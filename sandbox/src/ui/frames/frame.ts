import { type FrameMessage, onFrameMessage, type PageMessage, sendToFrame } from './messages.ts';

/**
 * Sets inline properties through the CSSOM, since a shop's policy may forbid style sheets and attributes. Important
 * ones override every rule of the shop.
 */
function style(element: HTMLElement, properties: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important');
}

/** A colour scheme; `auto` follows the page around it. */
export type Theme = 'light' | 'dark' | 'auto';

/** A frame of the sandbox in the shop's page. */
export interface Frame {
  readonly element: HTMLIFrameElement;
  /** Resolves when the frame's script runs for the first time. */
  readonly ready: Promise<void>;
  /** Sends a message to the frame, once its script runs. */
  send(message: PageMessage): void;
  setTheme(theme: Theme): void;
  /** Removes the frame, and stops listening to it. */
  remove(): void;
}

const styles = {
  all: 'initial',
  display: 'block',
  width: '100%',
  'max-width': '512px',
  height: '320px',
  border: '0',
  'border-radius': '8px',
  // This property reflects the scheme, and its transition event reports every change.
  color: 'light-dark(#ffffff, #000000)',
  transition: 'color 1ms',
};

const dark = 'rgb(0, 0, 0)';

/** Creates a frame as high as its content, in the colour scheme of its place. It loads when it is inserted. */
export function createFrame(address: URL, title: string, listener: (message: FrameMessage) => void): Frame {
  const element = document.createElement('iframe');
  element.src = address.href;
  element.title = title;
  style(element, styles);
  const life = new AbortController();
  const { signal } = life;
  let resolveReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve;
  });
  const sendTheme = (): void =>
    sendToFrame(element, { kind: 'theme', isDark: getComputedStyle(element).color === dark });
  const setTheme = (theme: Theme): void => {
    style(element, { 'color-scheme': theme === 'auto' ? 'inherit' : theme });
  };
  setTheme('auto');
  element.addEventListener('transitionend', sendTheme, { signal });
  const receive = (message: FrameMessage): void => {
    if (message.kind === 'height') style(element, { height: `${message.height}px` });
    // A frame that is moved loads its page again.
    if (message.kind === 'ready') {
      sendTheme();
      resolveReady();
    }
    listener(message);
  };
  onFrameMessage(element, receive, signal);
  return {
    element,
    ready,
    send: (message) => void ready.then(() => sendToFrame(element, message)),
    setTheme,
    remove: () => {
      life.abort();
      element.remove();
    },
  };
}

/** Returns the URL of the running classic script. Pages load it by an element; only modules have `import.meta.url`. */
export function scriptAddress(name: string): string {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement && currentScript.src !== '') return currentScript.src;
  throw new Error(
    `${name}: expected to be loaded by <script src="…/js/${name}">, got another way. Use that element.`,
  );
}
