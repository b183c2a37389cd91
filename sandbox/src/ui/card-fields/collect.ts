import { createFrame, type Frame, scriptAddress } from '../frames/frame.ts';
import type { FrameMessage } from '../frames/messages.ts';
import { openModal } from '../frames/modal.ts';
import { type CollectOptions, placeOf, readOptions, readTheme } from './card-fields-options.ts';

/** The card fields in an element or a dialog. They accept one card at a time, until the page has handled it. */
class CardFrame {
  readonly frame: Frame;
  readonly #close: () => void;
  readonly #isModal: boolean;
  #options: CollectOptions;
  /** Counts tokens and configurations, so that only the newest callback reopens the form. */
  #round = 0;
  #isClosed = false;

  /** @param place The element that holds the frame; `null` for a dialog. */
  constructor(address: URL, place: Element | null, options: CollectOptions) {
    this.#options = options;
    this.#isModal = place === null;
    if (place === null) address.searchParams.set('focus', 'first');
    this.frame = createFrame(address, 'Card', (message) => this.#listen(message));
    this.frame.setTheme(readTheme(options.appearance));
    if (place === null) {
      this.#close = openModal(this.frame.element, () => this.#end());
    } else {
      place.replaceChildren(this.frame.element);
      this.#close = () => this.#end();
    }
  }

  /** Whether the frame is still in the document: the page may have removed it. */
  get isShown(): boolean {
    const { element } = this.frame;
    const isOpen = !this.#isModal || element.closest('dialog')?.open === true;
    return !this.#isClosed && element.isConnected && isOpen;
  }

  /** Sets the options of the next card and accepts one. */
  configure(options: CollectOptions): void {
    this.#options = options;
    this.#round += 1;
    this.frame.setTheme(readTheme(options.appearance));
    this.#sendAppearance();
    this.frame.send({ kind: 'resume', wantsCard: true });
  }

  close(): void {
    this.#close();
  }

  #end(): void {
    this.#isClosed = true;
    this.frame.remove();
  }

  #sendAppearance(): void {
    const { appearance, hasButton } = this.#options;
    this.frame.send({ kind: 'appearance', appearance, hasButton });
  }

  #listen(message: FrameMessage): void {
    if (message.kind === 'ready') this.#sendAppearance();
    if (message.kind === 'change') this.#options.onChange?.(message.change);
    if (this.#isModal && (message.kind === 'token' || message.kind === 'close')) this.close();
    if (message.kind === 'token') void this.#deliverToken(message.token);
  }

  /** Calls the page's callback. Its errors propagate to the page's own error handlers. */
  async #deliverToken(token: string): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    let wantsCard = true;
    try {
      const answer = this.#options.callback(token);
      // A callback without a promise does not say when the page has handled the card.
      wantsCard = typeof Object(answer).then === 'function';
      await answer;
    } finally {
      if (round === this.#round) this.frame.send({ kind: 'resume', wantsCard });
    }
  }
}

const script = scriptAddress('CollectJS.js');

interface Controls {
  /** Resolves when the buyer can type. */
  readonly ready: Promise<void>;
  submit(): void;
  clear(): void;
  focus(): void;
}

/** The visible frames by element; `null` is the dialog. */
const shown = new Map<Element | null, CardFrame>();

function frameAddress(): URL {
  const address = new URL('../browser/card-fields', script);
  address.searchParams.set('origin', location.origin);
  return address;
}

/** Drops frames that the page has removed from the document. */
function dropDetached(): void {
  for (const [place, fields] of shown) {
    if (fields.isShown) continue;
    fields.close();
    shown.delete(place);
  }
}

function show(options: CollectOptions): CardFrame {
  const place = placeOf(options.target);
  dropDetached();
  const known = shown.get(place);
  if (known !== undefined) {
    known.configure(options);
    return known;
  }
  const fields = new CardFrame(frameAddress(), place, options);
  shown.set(place, fields);
  return fields;
}

/** Waits for the document to load: the element may not exist before. */
function showWhenLoaded(options: CollectOptions): Promise<CardFrame> {
  if (document.readyState !== 'loading') return Promise.resolve(show(options));
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(show(options)), { once: true });
  });
}

/**
 * Shows the card fields, and sets the callback that receives the tokens. A later call replaces the callback.
 *
 * @throws TypeError without a callback, or for an invalid target.
 */
function configure(given: unknown): Controls {
  const fields = showWhenLoaded(readOptions(given));
  const sender = (kind: 'submit' | 'clear' | 'focus') => (): void => {
    void fields.then(({ frame }) => frame.send({ kind }));
  };
  return {
    ready: fields.then(({ frame }) => frame.ready),
    submit: sender('submit'),
    clear: sender('clear'),
    focus: () => {
      // A document can focus one of its fields only while it has the focus itself.
      void fields.then(({ frame }) => frame.element.focus());
      sender('focus')();
    },
  };
}

Object.assign(window, { CollectJS: { configure } });
