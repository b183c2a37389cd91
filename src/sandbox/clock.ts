/** The sandbox's time. It stands still until it is told to move, so that every run sees the same times. */
export interface SandboxClock {
  /** The present time in milliseconds since 1970. */
  now(): number;
  /**
   * Moves the time on, and does what falls due on the way, in the order of time.
   *
   * @throws RangeError when `ms` is not an integer from 0.
   */
  advance(ms: number): void;
}

interface Job {
  readonly at: number;
  readonly run: () => void;
}

/** The clock, and the jobs that wait for a time to come. */
export class VirtualClock implements SandboxClock {
  #now: number;
  /** By time, the earliest first; jobs of the same time in the order they came. */
  readonly #jobs: Job[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** The present time in whole seconds since 1970, as resources carry it. */
  seconds(): number {
    return Math.floor(this.#now / 1000);
  }

  advance(ms: number): void {
    if (!Number.isSafeInteger(ms) || ms < 0) {
      throw new RangeError('clock.advance: expected milliseconds, an integer from 0.');
    }
    const target = this.#now + ms;
    for (let job = this.#takeDue(target); job !== undefined; job = this.#takeDue(target)) {
      this.#now = Math.max(this.#now, job.at);
      job.run();
    }
    this.#now = target;
  }

  /** Runs a job when the time, in seconds, has come. */
  schedule(atSeconds: number, run: () => void): void {
    const at = atSeconds * 1000;
    // Most jobs come in the order of their times, so the search from the end is short.
    const before = this.#jobs.findLastIndex((job) => job.at <= at);
    this.#jobs.splice(before + 1, 0, { at, run });
  }

  #takeDue(target: number): Job | undefined {
    const [first] = this.#jobs;
    return first !== undefined && first.at <= target ? this.#jobs.shift() : undefined;
  }
}
