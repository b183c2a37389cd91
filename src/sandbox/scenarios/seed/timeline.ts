import { TimeQueue } from '../../store/time-queue.ts';

interface Moment {
  readonly at: number;
  readonly happen: () => void;
}

/** A period of the past whose entries run in order of time, so that lists of their objects are sorted too. */
export class Timeline {
  /** The start, in milliseconds since 1970. */
  readonly start: number;
  /** The end: the present, in milliseconds since 1970. */
  readonly end: number;
  readonly #moments = new TimeQueue<Moment>();

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }

  /** Schedules an entry. One after the end is dropped. */
  plan(at: number, happen: () => void): void {
    if (at <= this.end) this.#moments.add({ at, happen });
  }

  /**
   * Schedules `count` entries, spread over the whole period; `jitter` returns a number from 0 (included) to 1
   * (excluded).
   */
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

  /** Runs the next entries, at most `count`, each through `during`. Returns whether any are left. */
  run(count: number, during: (at: number, happen: () => void) => void): boolean {
    for (let index = 0; index < count; index += 1) {
      const moment = this.#moments.take();
      if (moment === undefined) return false;
      during(moment.at, moment.happen);
    }
    return this.#moments.peek() !== undefined;
  }
}
