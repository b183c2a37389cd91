/** What a record says: who has access now, and what a person has to do. */

import { day } from '../../base/time.ts';
import type { CustomerRecord, GivenUpInvoice, SubscriptionVersion } from './customer-record.ts';
import { knownVersion } from './given-up.ts';
import type { CustomerAccess, KnownSubscription, SubscriptionNeed } from './subscriptions.ts';
import { isEnded } from './version.ts';

/**
 * Whether a subscription may be that of an invoice: one that was created later is not. A service may make the first invoice before its
 * subscription, so only a day counts as later.
 */
function mayOwn({ createdAt: invoiced }: GivenUpInvoice, { createdAt }: SubscriptionVersion): boolean {
  return invoiced === null || createdAt === null || createdAt < invoiced + day;
}

function needOf(record: CustomerRecord, invoice: GivenUpInvoice, now: number): SubscriptionNeed[] {
  const { id, subscription, isClosed, refusal } = invoice;
  if (isClosed) return [];
  if (subscription === null) {
    // Those that are over too: a list without the right one would tempt a person to take another.
    const candidates = record.subscriptions.filter((one) => mayOwn(invoice, one));
    if (candidates.every((one) => isEnded(one, now))) return [];
    const subscriptions = candidates.map((one) => one.id);
    return [{ kind: 'which_subscription', invoice: id, subscriptions, detail: null }];
  }
  const version = knownVersion(record, subscription);
  const detail = version === undefined ? 'it is no known subscription of the customer' : refusal;
  if (detail === null || (version !== undefined && isEnded(version, now))) return [];
  return [{ kind: 'not_canceled', invoice: id, subscriptions: [subscription], detail }];
}

/** Returns what a person has to do. */
export function subscriptionNeeds(record: CustomerRecord, now: number): readonly SubscriptionNeed[] {
  return record.invoices.flatMap((invoice) => needOf(record, invoice, now));
}

function shown(version: SubscriptionVersion, grants: readonly string[], now: number): KnownSubscription {
  const { id, status, endsAt, items } = version;
  return { id, status, grants: grants.includes(status) && !isEnded(version, now), endsAt, items };
}

/**
 * Returns the access of a customer.
 *
 * @param record `undefined` for a customer of whom nothing is known.
 * @param grants The statuses that grant access.
 */
export function accessOf(
  record: CustomerRecord | undefined,
  grants: readonly string[],
  now: number,
): CustomerAccess {
  if (record === undefined) return { granted: false, subscriptions: [], needs: [] };
  const subscriptions = record.subscriptions
    .toSorted((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
    .map((version) => shown(version, grants, now));
  const granted = subscriptions.some((one) => one.grants);
  return { granted, subscriptions, needs: subscriptionNeeds(record, now) };
}
