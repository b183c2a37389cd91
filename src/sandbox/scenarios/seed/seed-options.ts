import { integerFrom, optionsOf } from '../../../base/options.ts';
import * as s from '../../../base/schema.ts';
import { checkOptions } from '../../domain/check-options.ts';

/** How much sample data to make. */
export interface SeedOptions {
  /** How many customers. Default: 100. */
  readonly customers?: number | undefined;
  /** How many payment intents, besides those of invoices. Default: 1,000. */
  readonly intents?: number | undefined;
  /** Over how many months of 30 days before the present of the sandbox's clock. Default: 12. */
  readonly months?: number | undefined;
  /** Chooses the data: the same seed gives the same. Default: `'1'`. */
  readonly seed?: string | number | undefined;
}

const count = () => s.optional(integerFrom(0, 10_000_000));

const optionsSchema = optionsOf<SeedOptions>({
  customers: count(),
  intents: count(),
  months: s.optional(integerFrom(1, 240)),
  seed: s.optional(s.union([s.string(), s.number()])),
});

/** How far the making of sample data is, in customers and payment intents. */
export interface SeedProgress {
  /** How many are made. */
  readonly done: number;
  /** How many there will be. */
  readonly total: number;
}

/** How many objects of each kind were made. */
export interface SeedCounts {
  /** Customers. */
  readonly customers: number;
  /** Payment intents, those of invoices too. */
  readonly payment_intents: number;
  /** Charges, declined ones too. */
  readonly charges: number;
  /** Refunds. */
  readonly refunds: number;
  /** Subscriptions. */
  readonly subscriptions: number;
  /** Invoices of the subscriptions. */
  readonly invoices: number;
}

/** The options with every default filled in. */
export interface SeedPlan {
  readonly customers: number;
  readonly intents: number;
  readonly months: number;
  readonly seed: string;
}

/**
 * The options with their defaults.
 *
 * @throws RangeError when a number is no integer or out of bounds, or an option is not known.
 */
export function readSeedOptions(options: SeedOptions): SeedPlan {
  checkOptions('seed', optionsSchema, options);
  const { customers = 100, intents = 1_000, months = 12, seed = '1' } = options;
  return { customers, intents, months, seed: String(seed) };
}
