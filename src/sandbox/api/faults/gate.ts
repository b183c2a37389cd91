/** Holds one request until it is released, or its time is over. */
import type { Hold } from './fault.ts';
export class Gate implements Hold {
  readonly reached: Promise<void>;
  /** Resolves when it is released. */
  readonly released: Promise<void>;
  #reach = (): void => {};
  #open = (): void => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.released = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** Tells that the request is here, and waits for the release, at most for some milliseconds of real time. */
  pass(ms?: number): Promise<void> {
    this.#reach();
    if (ms !== undefined) this.#timer = setTimeout(() => this.release(), ms);
    return this.released;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#open();
  }
}
