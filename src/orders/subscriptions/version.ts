/** Reads a version of a subscription, and decides which of two is the newer one: by what the service says, never by arrival. */

import { isRecord } from '../../base/json.ts';
import { isIntegerFrom } from '../../base/numbers.ts';
import { checkOptions } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { day, hour } from '../../base/time.ts';
import { id } from '../../resources/fields/ids.ts';
import { dateOf } from '../../resources/fields/timestamps.ts';
import type { Subscription } from '../../resources/objects/subscriptions.ts';
import type { CustomerRecord, SubscriptionVersion } from './customer-record.ts';

/** A version, and whose it is. */
export interface SeenVersion {
  readonly customer: string;
  readonly livemode: boolean;
  readonly version: SubscriptionVersion;
}

/** What must be readable. An event that differs elsewhere still ends access. */
const essential: s.Schema<Pick<Subscription, 'id' | 'livemode' | 'customer' | 'status' | 'updated_at'>> =
  /* @__PURE__ */ s.lazily(() =>
    s.object({
      id: id('subscription'),
      livemode: s.boolean(),
      customer: id('customer'),
      status: s.openEnum<Subscription['status']>(s.filled()),
      updated_at: s.integer(),
    }),
  );

/** Returns a timestamp of the service in ms; null if it is none. */
export function msOf(timestamp: unknown): number | null {
  const ms = dateOf(timestamp).getTime();
  return Number.isNaN(ms) ? null : ms;
}

function itemsIn(items: unknown): SubscriptionVersion['items'] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const { price, quantity } = isRecord(item) ? item : {};
    const isReadable = typeof price === 'string' && isIntegerFrom(quantity, Number.MIN_SAFE_INTEGER);
    return isReadable ? [{ price, quantity }] : [];
  });
}

/**
 * Reads a subscription of an event or an answer.
 *
 * @throws ConfigurationError if it cannot be ordered.
 */
export function versionIn(subscription: Subscription): SeenVersion {
  const advice = 'The event cannot be ordered: call refresh() with the id of the subscription.';
  checkOptions('subscription', essential, subscription, advice);
  const { id, customer, livemode, status, updated_at: updatedAt } = subscription;
  const periodEnd = msOf(subscription.current_period_end);
  const scheduled = subscription.cancel_at_period_end ? periodEnd : null;
  const version = {
    id,
    status,
    updatedAt,
    createdAt: msOf(subscription.created_at),
    periodEnd,
    endsAt: msOf(subscription.ended_at) ?? scheduled,
    items: itemsIn(subscription.items),
  };
  return { customer, livemode, version };
}

/** The statuses after which the service bills no more (*inferred*: `ended`). */
const finalStatuses: readonly string[] = ['canceled', 'ended'];

/** Whether the service says that a subscription is over. */
export function isFinalVersion({ status }: SubscriptionVersion): boolean {
  return finalStatuses.includes(status);
}

/** Whether a subscription is over: the service says so, or its end has come by the clock. */
export function isEnded(version: SubscriptionVersion, now: number): boolean {
  return isFinalVersion(version) || (version.endsAt !== null && version.endsAt <= now);
}

/** What follows what within one second. Any other status comes after these. */
const statusRanks: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ['incomplete', 0],
  ['active', 1],
]);

/** Orders versions of one `updated_at`: one that is over comes last, then one that is to end, then by its status. */
function rankOf(version: SubscriptionVersion): number {
  const rank = isFinalVersion(version) ? 8 : (statusRanks.get(version.status) ?? 2);
  return version.endsAt === null ? rank : rank + 4;
}

function isNewer(seen: SubscriptionVersion, known: SubscriptionVersion): boolean {
  if (seen.updatedAt !== known.updatedAt) return seen.updatedAt > known.updatedAt;
  const difference = rankOf(seen) - rankOf(known);
  // The text decides the rest: which one does not matter, but that every order of arrival ends with the same.
  return difference === 0 ? JSON.stringify(seen) > JSON.stringify(known) : difference > 0;
}

/** Joins a version to what is known. An older one, or the same, changes nothing. */
export function joinVersion(record: CustomerRecord, seen: SubscriptionVersion): CustomerRecord {
  const known = record.subscriptions.find(({ id }) => id === seen.id);
  if (known === undefined) return { ...record, subscriptions: [...record.subscriptions, seen] };
  if (!isNewer(seen, known)) return record;
  return { ...record, subscriptions: record.subscriptions.map((one) => (one === known ? seen : one)) };
}

/** How long after the end of a period the event of the next one may take, in ms. */
const patience = hour;
/** The least time between two questions about a customer, in ms. */
const pause = day;
/** How long after the end of a period the service is asked, in ms. After that it has nothing new to say. */
const persistence = 30 * day;

/** Returns when the service is asked about a subscription, since an event may be lost, in ms; null for never. */
export function readTimeOf(
  { readAt }: CustomerRecord,
  version: SubscriptionVersion,
  now: number,
): number | null {
  const { periodEnd } = version;
  if (isFinalVersion(version) || periodEnd === null || periodEnd + persistence < now) return null;
  return Math.max(periodEnd + patience, readAt === 0 ? 0 : readAt + pause);
}
