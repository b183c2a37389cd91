import { TimeQueue } from '../../store/time-queue.ts';

interface Moment {
  readonly at: number;
  readonly happen: () => void;
}

/** A stretch of the past, in which things happen in the order of time, so that lists of them are in order too. */
export class Timeline {
  /** When it starts, in milliseconds since 1970. */
  readonly start: number;
  /** When it ends: the present. */
  readonly end: number;
  readonly #moments = new TimeQueue<Moment>();

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }

  /** Plans something. What would come after the end does not happen. */
  plan(at: number, happen: () => void): void {
    if (at <= this.end) this.#moments.add({ at, happen });
  }

  /** Plans `count` things, one after another over all of the time; `jitter` gives a number from 0 to just below 1. */
  spread(count: number, jitter: () => number, happen: () => void): void {
    const next = (index: number): void => {
      if (index === count) return;
      const offset = index === 0 ? 0 : index + jitter();
      const at = this.start + Math.floor((offset / count) * (this.end - this.start));
      this.plan(at, () => {
        happen();
        next(index + 1);
      });
    };
    next(0);
  }

  /** Lets the next things happen, at most so many, each by way of `during`. Returns whether any are left. */
  run(count: number, during: (at: number, happen: () => void) => void): boolean {
    for (let index = 0; index < count; index += 1) {
      const moment = this.#moments.take();
      if (moment === undefined) return false;
      during(moment.at, moment.happen);
    }
    return this.#moments.peek() !== undefined;
  }
}
