import { createFrame, type Frame } from '../frames/frame.ts';
import type { FrameMessage } from '../frames/messages.ts';
import { openModal } from '../frames/modal.ts';
import { scriptAddress } from '../frames/script-address.ts';
import { type CollectOptions, placeOf, readOptions } from './card-fields-options.ts';

const script = scriptAddress('CollectJS.js');

/** The frame that is shown now. */
interface Shown {
  /** Where it is; `null` in a dialog. */
  readonly place: Element | null;
  readonly frame: Frame;
  /** Takes it away. */
  close(): void;
}

let callback: CollectOptions['callback'] = () => {};
let shown: Shown | undefined;

function frameAddress(): URL {
  const address = new URL('../browser/card-fields', script);
  address.searchParams.set('origin', location.origin);
  return address;
}

function hearFrame(message: FrameMessage, isModal: boolean): void {
  if (message.kind === 'token') {
    const { token } = message;
    // The page may ask for another card as soon as it has this one.
    const current = callback;
    queueMicrotask(() => current(token));
  }
  if (isModal && (message.kind === 'token' || message.kind === 'close')) shown?.close();
}

function showIn(place: Element): Shown {
  const frame = createFrame(frameAddress(), 'Card', (message) => hearFrame(message, false));
  place.replaceChildren(frame.element);
  return { place, frame, close: () => frame.remove() };
}

function showModal(): Shown {
  const address = frameAddress();
  address.searchParams.set('focus', 'first');
  const frame = createFrame(address, 'Card', (message) => hearFrame(message, true));
  const close = openModal(frame.element, () => {
    frame.remove();
    if (shown?.frame === frame) shown = undefined;
  });
  return { place: null, frame, close };
}

/** A page that is drawn again may have thrown the frame away, and a dialog may be closed without a word yet. */
function isShownIn(place: Element | null): boolean {
  if (shown === undefined || shown.place !== place) return false;
  const { element } = shown.frame;
  return place === null ? element.closest('dialog')?.open === true : element.isConnected;
}

function show({ target }: CollectOptions): void {
  const place = placeOf(target);
  if (isShownIn(place)) return;
  shown?.close();
  shown = place === null ? showModal() : showIn(place);
}

/**
 * Shows the card fields, and says who gets the token of each card. Called again, it says who gets the next ones.
 *
 * @throws TypeError where there is no function to call, or the target is none.
 */
function configure(given: unknown): void {
  const options = readOptions(given);
  callback = options.callback;
  // Before that, the place may not be there yet.
  if (document.readyState !== 'loading') show(options);
  else document.addEventListener('DOMContentLoaded', () => show(options), { once: true });
}

Object.assign(window, { CollectJS: { configure } });
