import type { Hold } from './faults.ts';

/** Holds one request until it is released. */
export class Gate implements Hold {
  readonly reached: Promise<void>;
  readonly #released: Promise<void>;
  #reach = (): void => {};
  #open = (): void => {};

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.#released = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Tells that the request is here, and waits for the release. */
  pass(): Promise<void> {
    this.#reach();
    return this.#released;
  }

  release(): void {
    this.#open();
  }
}
