// In px, since rem is a measure of the shop.
const css = `
:host {
  all: initial !important;
  display: contents !important;
  color-scheme: inherit !important;
}

dialog {
  box-sizing: border-box;
  width: min(416px, calc(100vw - 32px));
  max-width: none;
  max-height: calc(100dvh - 32px);
  padding: 0;
  overflow: auto;
  border: 0;
  border-radius: 12px;
  background: light-dark(#ffffff, #1a2129);
  box-shadow: 0 8px 40px rgb(0 0 0 / 40%);
}

dialog::backdrop {
  background: rgb(0 0 0 / 50%);
}

div {
  display: flex;
  justify-content: flex-end;
  padding: 8px 8px 0;
}

button {
  min-width: 44px;
  min-height: 44px;
  padding: 0 12px;
  font: 14px/1 system-ui, sans-serif;
  color: light-dark(#16202b, #e8ecf1);
  background: transparent;
  border: 1px solid light-dark(#7d8a99, #7f8c9a);
  border-radius: 6px;
  cursor: pointer;
}

button:focus-visible {
  outline: 3px solid light-dark(#1f5fbf, #8ab4f8);
  outline-offset: 2px;
}
`;

/**
 * An element whose content no rule of the shop reaches. Its sheet needs no permission of the shop's policy, and what it says of the
 * element itself wins against the shop's rules, important ones too.
 */
function createHost(): { readonly host: HTMLElement; readonly root: ShadowRoot } {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  return { host, root };
}

function createBar(onClose: () => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Close';
  button.addEventListener('click', onClose);
  const bar = document.createElement('div');
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
  const { host, root } = createHost();
  const dialog = document.createElement('dialog');
  let isOpen = true;
  // The event comes later, and the page may want another dialog before that.
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    dialog.close();
    host.remove();
    onClosed();
  };
  dialog.addEventListener('close', close);
  dialog.setAttribute('aria-label', frame.title);
  // The button is in the page, so that a frame that does not load can be left too.
  dialog.append(createBar(close), frame);
  root.append(dialog);
  // Not in the body, whose styles and children are the shop's.
  document.documentElement.append(host);
  frame.autofocus = true;
  dialog.showModal();
  return close;
}
