import type { Customer } from 'payments-client';
import { checkOptions } from '../../base/check-options.ts';
import type { Inline } from '../../base/inline.ts';
import * as s from '../../base/schema.ts';
import type { State } from '../../domain/state.ts';
import type { Random } from '../../store/random.ts';
import { TimeQueue } from '../../store/scheduler.ts';

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

export interface SeedContext {
  readonly state: State;
  readonly plan: SeedPlan;
  readonly random: Random;
  readonly timeline: Timeline;
  readonly customers: Customer[];
}

export const currency = 'USD';

/** Options of sample data. */
export type SeedOptions = {
  /** The number of customers. Default: 100. */
  readonly customers?: number | undefined;
  /** The number of payment intents, besides those of invoices. Default: 1,000. */
  readonly intents?: number | undefined;
  /** The number of months, of 30 days each, before the clock's current time. Default: 12. */
  readonly months?: number | undefined;
  /** The random seed: the same seed creates the same data. Default: `'1'`. */
  readonly seed?: string | number | undefined;
};

const count = () => s.optional(s.integerFrom(0, 10_000_000));

const optionsSchema = s.optionsOf<SeedOptions>(() => ({
  customers: count(),
  intents: count(),
  months: s.optional(s.integerFrom(1, 240)),
  seed: s.optional(s.union([s.string(), s.number()])),
}));

/** The progress of sample data, in customers and payment intents. */
export interface SeedProgress {
  readonly done: number;
  readonly total: number;
}

/** The number of created objects by kind. */
export type SeedCounts = Inline<{
  /** Customers. */
  readonly customers: number;
  /** Payment intents, those of invoices included. */
  readonly payment_intents: number;
  /** Charges, declined ones included. */
  readonly charges: number;
  /** Refunds. */
  readonly refunds: number;
  /** Subscriptions. */
  readonly subscriptions: number;
  /** Invoices of the subscriptions. */
  readonly invoices: number;
}>;

/** The options with all defaults applied. */
export interface SeedPlan {
  readonly customers: number;
  readonly intents: number;
  readonly months: number;
  readonly seed: string;
}

/**
 * Reads the options and applies the defaults.
 *
 * @throws ConfigurationError when a number is not an integer or out of range, or an option is unknown.
 */
export function readSeedOptions(options: SeedOptions): SeedPlan {
  checkOptions('seed', optionsSchema, options);
  const { customers = 100, intents = 1_000, months = 12, seed = '1' } = options;
  return { customers, intents, months, seed: String(seed) };
}
