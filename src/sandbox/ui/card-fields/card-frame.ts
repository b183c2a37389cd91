import { createFrame, type Frame } from '../frames/frame.ts';
import type { FrameMessage } from '../frames/messages.ts';
import { openModal } from '../frames/modal.ts';
import { readTheme } from './appearance.ts';
import type { CollectOptions } from './card-fields-options.ts';

/** The card fields in one place of the page, or in a dialog. They take one card, and the next when the page is done with it. */
export class CardFrame {
  readonly frame: Frame;
  readonly #close: () => void;
  readonly #isModal: boolean;
  #options: CollectOptions;
  /** Counts tokens and configurations, so that only the newest token's end counts. */
  #round = 0;
  #isClosed = false;

  /** @param place Where they go; `null` for a dialog. */
  constructor(address: URL, place: Element | null, options: CollectOptions) {
    this.#options = options;
    this.#isModal = place === null;
    if (place === null) address.searchParams.set('focus', 'first');
    this.frame = createFrame(address, 'Card', (message) => this.#hear(message));
    this.frame.setTheme(readTheme(options.appearance));
    if (place === null) {
      this.#close = openModal(this.frame.element, () => this.#end());
    } else {
      place.replaceChildren(this.frame.element);
      this.#close = () => this.#end();
    }
  }

  /** Whether the buyer can see them: the page may have thrown them away. */
  get isShown(): boolean {
    const { element } = this.frame;
    const isOpen = !this.#isModal || element.closest('dialog')?.open === true;
    return !this.#isClosed && element.isConnected && isOpen;
  }

  /** Says who gets the next card, and that one may be given. */
  configure(options: CollectOptions): void {
    this.#options = options;
    this.#round += 1;
    this.frame.setTheme(readTheme(options.appearance));
    this.#tellLook();
    this.frame.tell({ kind: 'resume', wantsCard: true });
  }

  /** Takes them away. */
  close(): void {
    this.#close();
  }

  #end(): void {
    this.#isClosed = true;
    this.frame.remove();
  }

  #tellLook(): void {
    const { appearance, hasButton } = this.#options;
    this.frame.tell({ kind: 'look', appearance, hasButton });
  }

  #hear(message: FrameMessage): void {
    if (message.kind === 'ready') this.#tellLook();
    if (message.kind === 'change') this.#options.onChange?.(message.change);
    if (this.#isModal && (message.kind === 'token' || message.kind === 'close')) this.close();
    if (message.kind === 'token') void this.#handOver(message.token);
  }

  /** What the page throws is the page's own, and reaches its error handlers. */
  async #handOver(token: string): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    let wantsCard = true;
    try {
      const answer = this.#options.callback(token);
      // Without a promise the page does not say when it is done with this card.
      wantsCard = typeof Object(answer).then === 'function';
      await answer;
    } finally {
      if (round === this.#round) this.frame.tell({ kind: 'resume', wantsCard });
    }
  }
}
