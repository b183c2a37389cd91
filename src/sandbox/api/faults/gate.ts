/** Holds one request until it is released or a timeout ends. */
import type { Hold } from './fault.ts';
export class Gate implements Hold {
  readonly reached: Promise<void>;
  /** Resolves on release. */
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

  /** Reports the arrival of the request, and waits for its release, at most `ms` milliseconds of real time. */
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
