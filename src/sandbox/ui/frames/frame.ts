import { type FrameMessage, hear } from './messages.ts';
import { style } from './style.ts';

/** A page of the sandbox within the shop's page. */
export interface Frame {
  readonly element: HTMLIFrameElement;
  /** Removes it, and hears it no more. */
  remove(): void;
}

/** Makes a frame that is as high as what it shows. It loads when it is put into the page. */
export function createFrame(address: URL, title: string, listener: (message: FrameMessage) => void): Frame {
  const element = document.createElement('iframe');
  element.src = address.href;
  element.title = title;
  style(element, {
    display: 'block',
    width: '100%',
    'max-width': '512px',
    height: '320px',
    border: '0',
    'border-radius': '8px',
    'color-scheme': 'light dark',
  });
  const stop = hear(element, (message) => {
    if (message.kind === 'height') style(element, { height: `${message.height}px` });
    else listener(message);
  });
  const remove = (): void => {
    stop();
    element.remove();
  };
  return { element, remove };
}
