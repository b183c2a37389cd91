import { checkOptions } from '../../../base/check-options.ts';
import type { Inline } from '../../../base/inline.ts';
import { integerFrom, optionsOf } from '../../../base/options.ts';
import * as s from '../../../base/schema.ts';

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

const count = () => s.optional(integerFrom(0, 10_000_000));

const optionsSchema = optionsOf<SeedOptions>(() => ({
  customers: count(),
  intents: count(),
  months: s.optional(integerFrom(1, 240)),
  seed: s.optional(s.union([s.string(), s.number()])),
}));

/** The progress of sample data, in customers and payment intents. */
export interface SeedProgress {
  /** How many were created. */
  readonly done: number;
  /** How many to create in total. */
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
