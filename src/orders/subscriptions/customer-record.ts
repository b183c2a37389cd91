/** The record of a customer: one document of the store. It holds ids, states and times, and nothing else of a customer. */

import { PaymentsError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms } from '../../base/schema/validation.ts';
import type { Subscription } from '../../resources/objects/subscriptions.ts';

/** A version of a subscription, as an event or an answer had it. Times are in ms since 1970. */
export interface SubscriptionVersion {
  readonly id: string;
  readonly status: Subscription['status'];
  /** The service's `updated_at`, in its own unit: the newest version has the highest. */
  readonly updatedAt: number;
  readonly createdAt: number | null;
  readonly periodEnd: number | null;
  /** When it ends or ended: `ended_at`, or the end of the period if it is to end then. */
  readonly endsAt: number | null;
  readonly items: readonly { readonly price: string; readonly quantity: number }[];
}

/** An invoice that the service gave up. */
export interface GivenUpInvoice {
  readonly id: string;
  /** In ms since 1970. */
  readonly createdAt: number | null;
  /** The subscription to cancel; null if nobody has said which. */
  readonly subscription: string | null;
  /** Whether nothing is to be done any more. It stays, so that a repeated event opens nothing. */
  readonly isClosed: boolean;
  /** How often a person asked to cancel again: a refused cancellation gets another idempotency key. */
  readonly attempt: number;
  /** Why the cancellation was refused; null if it was not. */
  readonly refusal: string | null;
}

/** What is known of a customer. */
export interface CustomerRecord {
  readonly format: 1;
  readonly livemode: boolean;
  /** In the order in which they became known. */
  readonly subscriptions: readonly SubscriptionVersion[];
  readonly invoices: readonly GivenUpInvoice[];
  /** When `resume` last asked the service, in ms; 0 if never. */
  readonly readAt: number;
  /** When `resume` goes on, in ms; 0 for each time, null for never. Kept here so that a change of it alone is seen. */
  readonly wakeAt: number | null;
}

/** Returns the record of a customer of whom nothing is known. */
export function emptyCustomerRecord(livemode: boolean): CustomerRecord {
  return { format: 1, livemode, subscriptions: [], invoices: [], readAt: 0, wakeAt: null };
}

const time = () => s.nullable(s.integer());
const recordSchema: s.Schema<CustomerRecord> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    format: s.literal(1),
    livemode: s.boolean(),
    subscriptions: s.array(
      s.object({
        id: s.string(),
        status: s.openEnum<Subscription['status']>(),
        updatedAt: s.integer(),
        createdAt: time(),
        periodEnd: time(),
        endsAt: time(),
        items: s.array(s.object({ price: s.string(), quantity: s.integer() })),
      }),
    ),
    invoices: s.array(
      s.object({
        id: s.string(),
        createdAt: time(),
        subscription: s.nullable(s.string()),
        isClosed: s.boolean(),
        attempt: s.integer(),
        refusal: s.nullable(s.string()),
      }),
    ),
    readAt: s.integer(),
    wakeAt: time(),
  }),
);

/**
 * Reads a record.
 *
 * @throws PaymentsError `SUBSCRIPTION_RECORD` if it is none: damaged, or written by a later version of the package.
 */
export function parseCustomerRecord(key: string, data: string): CustomerRecord {
  const record = parseJson(data);
  if (conforms(recordSchema, record)) return record;
  const problem = `${key}: expected a record of this version of payments-client, got another text.`;
  const advice = 'Run the version that wrote it, or restore the record; nothing was changed.';
  throw new PaymentsError(`${problem} ${advice}`, { code: 'SUBSCRIPTION_RECORD' });
}
