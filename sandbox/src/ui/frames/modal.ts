// In px, since the shop sets the size of a rem.
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
 * Creates a host element with a shadow root, which the shop's rules cannot reach. Its sheet needs no permission of
 * the shop's policy, and its important `:host` rules override the shop's important rules.
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
 * Shows a frame in a modal dialog. The browser returns the focus on close.
 *
 * @param onClosed Called once, however the dialog closes.
 * @returns Closes the dialog.
 */
export function openModal(frame: HTMLIFrameElement, onClosed: () => void): () => void {
  const { host, root } = createHost();
  const dialog = document.createElement('dialog');
  let isOpen = true;
  // The close event comes later, and the page may open another dialog before it.
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    dialog.close();
    host.remove();
    onClosed();
  };
  dialog.addEventListener('close', close);
  dialog.setAttribute('aria-label', frame.title);
  // The button is outside the frame, so that a frame that fails to load can be closed.
  dialog.append(createBar(close), frame);
  root.append(dialog);
  // Outside the body, whose styles and children belong to the shop.
  document.documentElement.append(host);
  frame.autofocus = true;
  dialog.showModal();
  return close;
}
