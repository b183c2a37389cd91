import { day, hour, minute, second } from '../base/time.ts';

/**
 * How long the work of the clock takes, in milliseconds. The interface gives no times, so they are the sandbox's own.
 * `npm run generate` writes the sentences into `docs/sandbox-behaviour.md`.
 */
export const timings = {
  /** An unpaid checkout session expires. */
  sessionExpires: day,
  /** A pending refund succeeds, unless `refunds: 'manual'`. */
  refundCompletes: minute,
  /** A subscription is renewed. */
  subscriptionPeriod: 30 * day,
  /** A payment token expires. */
  tokenExpires: 15 * minute,
  /** An authorization of the form endpoint expires. */
  authorizationExpires: 7 * day,
  /** A charge or a refund of the form endpoint is settled; until then you can void it. */
  transactionSettles: day,
  /** The event of an invoice is delivered. */
  invoiceEventDelay: 5 * second,
  /** A delivery without a 2xx response is retried, at the earliest after its `Retry-After`; then it is given up. */
  deliveryRetries: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
} as const satisfies Readonly<Record<string, number | readonly number[]>>;
