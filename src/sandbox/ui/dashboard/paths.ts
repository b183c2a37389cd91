import type { Activity } from '../../control/activity.ts';
import { el } from './element.ts';
import type { View } from './view.ts';

/** A section that shows different things at different addresses. */
export class Paths implements View {
  readonly element: HTMLElement;
  readonly #viewOf: (path: readonly string[]) => View;
  #address: string | undefined;
  #shown: View | undefined;

  /** @param viewOf Makes what is shown at an address. */
  constructor(name: string, viewOf: (path: readonly string[]) => View) {
    this.element = el('section', { ariaLabel: name });
    this.#viewOf = viewOf;
  }

  async show(path: readonly string[]): Promise<void> {
    const address = path.join('/');
    // After an interruption it is loaded anew, and stays what it is.
    if (this.#shown === undefined || address !== this.#address) this.#shown = this.#viewOf(path);
    this.#address = address;
    this.element.replaceChildren(this.#shown.element);
    await this.#shown.show(path);
  }

  hear(activity: Activity): void {
    this.#shown?.hear(activity);
  }
}
