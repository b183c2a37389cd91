/** The sandbox's time. It stands still until it is told to move, so that every run sees the same times. */
export interface SandboxClock {
  /** The present time in milliseconds since 1970. */
  now(): number;
  /**
   * Moves the time on, and does what falls due on the way, in the order of time. What needs no network is done when
   * this returns; await it to have deliveries of webhooks done as well.
   *
   * @param duration How far: milliseconds, or a text such as `'3 days'`, `'90 min'`, `'30 s'`.
   * @throws RangeError when it is neither.
   */
  advance(duration: number | string): Promise<void>;
}

/** The time, which others move. */
export class VirtualClock {
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  /** The present time in milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** The present time in whole seconds since 1970, as resources carry it. */
  seconds(): number {
    return Math.floor(this.#now / 1000);
  }

  /** Does some work at another time and comes back: for what is to look as if it had been done then. */
  during<T>(time: number, work: () => T): T {
    const present = this.#now;
    this.#now = time;
    try {
      return work();
    } finally {
      this.#now = present;
    }
  }

  /** Goes to a time, back too: where the whole state is put back. */
  set(time: number): void {
    this.#now = time;
  }

  /** Moves on to a time; never back. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time);
  }
}
