import { isIntegerFrom } from '../../base/integer.ts';
import { namesOf } from '../../base/unknown-names.ts';
import { refuseUnknownOptions } from '../known-options.ts';

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

const optionNames = namesOf<SeedOptions>({ customers: true, intents: true, months: true, seed: true });

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

const maxObjects = 10_000_000;

function count(name: string, value: number | undefined, fallback: number, min: number, max: number): number {
  const given = value ?? fallback;
  if (isIntegerFrom(given, min, max)) return given;
  throw new RangeError(
    `seed: expected ${name} to be an integer from ${min} to ${max}, got ${String(given)}.`,
  );
}

/**
 * The options with their defaults.
 *
 * @throws RangeError when a number is no integer or out of bounds, or an option is not known.
 */
export function readSeedOptions(options: SeedOptions): SeedPlan {
  refuseUnknownOptions('seed', options, optionNames);
  const { customers, intents, months, seed } = options;
  return {
    customers: count('customers', customers, 100, 0, maxObjects),
    intents: count('intents', intents, 1_000, 0, maxObjects),
    months: count('months', months, 12, 1, 240),
    seed: String(seed ?? '1'),
  };
}
