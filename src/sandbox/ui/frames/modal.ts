import { style } from './style.ts';

const dialogStyle = {
  'color-scheme': 'light dark',
  'box-sizing': 'border-box',
  width: 'min(26rem, calc(100vw - 2rem))',
  'max-width': 'none',
  'max-height': 'calc(100dvh - 2rem)',
  margin: 'auto',
  padding: '0',
  overflow: 'auto',
  border: '0',
  'border-radius': '12px',
  background: 'light-dark(#ffffff, #1a2129)',
  'box-shadow': '0 8px 40px rgb(0 0 0 / 40%), 0 0 0 200vmax rgb(0 0 0 / 45%)',
};

const barStyle = { display: 'flex', 'justify-content': 'flex-end', padding: '8px 8px 0' };

const buttonStyle = {
  'min-width': '32px',
  height: '32px',
  padding: '0 10px',
  font: '14px/1 system-ui, sans-serif',
  color: 'light-dark(#16202b, #e8ecf1)',
  background: 'transparent',
  border: '1px solid light-dark(#7d8a99, #7f8c9a)',
  'border-radius': '6px',
  cursor: 'pointer',
};

function createBar(onClose: () => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Close';
  button.addEventListener('click', onClose);
  style(button, buttonStyle);
  const bar = document.createElement('div');
  style(bar, barStyle);
  bar.append(button);
  return bar;
}

/**
 * Shows a frame in a modal dialog. The browser brings the focus back when it closes.
 *
 * @param onClosed Is called once, however it closes.
 * @returns Closes it.
 */
export function openModal(frame: HTMLIFrameElement, onClosed: () => void): () => void {
  const dialog = document.createElement('dialog');
  let isOpen = true;
  // The event comes later, and the page may want another dialog before that.
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    dialog.close();
    dialog.remove();
    onClosed();
  };
  dialog.addEventListener('close', close);
  dialog.setAttribute('aria-label', frame.title);
  style(dialog, dialogStyle);
  // The button is in the page, so that a frame that does not load can be left too.
  dialog.append(createBar(close), frame);
  document.body.append(dialog);
  frame.autofocus = true;
  dialog.showModal();
  return close;
}
