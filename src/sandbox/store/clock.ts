/** The sandbox's clock. It stands still until `advance` moves it, so that every run sees the same times. */
export interface SandboxClock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  /**
   * Advances the clock, and runs all work that becomes due, in order of time. When the call returns, work that needs no
   * network is done. Await it, so that webhook deliveries are done too.
   *
   * @param duration Milliseconds, or a text such as `'3 days'`, `'90 min'`, `'30 s'`.
   * @throws ConfigurationError for any other value.
   */
  advance(duration: number | string): Promise<void>;
}

/** A clock that other code moves. */
export class VirtualClock {
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  /** Returns the current time in milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** Returns the current time in whole seconds since 1970, as resources have it. */
  seconds(): number {
    return Math.floor(this.#now / 1000);
  }

  /** Runs work at another time, then returns to the current one. It creates data of the past. */
  during<T>(time: number, work: () => T): T {
    const present = this.#now;
    this.#now = time;
    try {
      return work();
    } finally {
      this.#now = present;
    }
  }

  /** Sets the time, backwards too, to restore a state. */
  set(time: number): void {
    this.#now = time;
  }

  /** Moves the time forwards; never back. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time);
  }
}
