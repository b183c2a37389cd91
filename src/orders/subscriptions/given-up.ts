/** Invoices that the service gave up: whose they are, and which subscription is to be canceled. Nothing here guesses. */

import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { CustomerRecord, GivenUpInvoice, SubscriptionVersion } from './customer-record.ts';
import { isEnded, isFinalVersion } from './version.ts';

/** Where a service may name the subscription of an invoice (*inferred*: the interface shows no such field). */
const namingFields = ['subscription', 'subscription_id'];

/** Returns the subscription that an invoice names, by its id or as an object; `undefined` if it names none, or two. */
export function subscriptionNamedIn(invoice: object): string | undefined {
  const named = namingFields.map((field): unknown => Reflect.get(invoice, field));
  const ids = named.map((value) => (isRecord(value) ? value['id'] : value));
  const isSubscription = (one: unknown): one is string => typeof one === 'string' && one.startsWith('sub_');
  const [id, ...others] = new Set(ids.filter(isSubscription));
  return others.length === 0 ? id : undefined;
}

/** Returns the known version of a subscription; `undefined` if it is none of the customer. */
export function knownVersion(
  { subscriptions }: CustomerRecord,
  id: string | null,
): SubscriptionVersion | undefined {
  return subscriptions.find((one) => one.id === id);
}

/** Changes an invoice that is not closed. */
function changeInvoice(
  record: CustomerRecord,
  id: string,
  change: (invoice: GivenUpInvoice) => GivenUpInvoice,
): CustomerRecord {
  const invoices = record.invoices.map((one) => (one.id === id && !one.isClosed ? change(one) : one));
  return { ...record, invoices };
}

/** Adds a given-up invoice, or says whose a known one is. The first name counts. */
export function addInvoice(
  record: CustomerRecord,
  { id, createdAt }: Pick<GivenUpInvoice, 'id' | 'createdAt'>,
  subscription: string | null,
): CustomerRecord {
  if (record.invoices.some((one) => one.id === id))
    return changeInvoice(record, id, (one) => ({ ...one, subscription: one.subscription ?? subscription }));
  const added = { id, createdAt, subscription, isClosed: false, attempt: 1, refusal: null };
  return { ...record, invoices: [...record.invoices, added] };
}

const unchanged = 'Nothing was changed.';

/** Returns what a person may say instead of a subscription; `undefined` if that one may be canceled. One invoice never cancels two. */
function expectedWord(
  record: CustomerRecord,
  { subscription: own, isClosed }: GivenUpInvoice,
  subscription: string,
): string | undefined {
  if (own !== null && own !== subscription) return `null or ${own}, which is the one of the invoice`;
  if (own === null && isClosed) return 'null, which ended the need';
  const isKnown = knownVersion(record, subscription) !== undefined;
  return isKnown ? undefined : 'a known subscription of the customer, or null';
}

/**
 * Takes a person's word: the subscription to cancel, or null for none.
 *
 * @throws ConfigurationError for an invoice that was not given up, and for a subscription that cannot be canceled because of it.
 */
export function assignInvoice(
  record: CustomerRecord,
  id: string,
  subscription: string | null,
): CustomerRecord {
  const invoice = record.invoices.find((one) => one.id === id);
  if (invoice === undefined)
    return refuseValue('resolve.invoice', 'an invoice of a need of the customer', id, unchanged);
  if (subscription === null) return changeInvoice(record, id, (one) => ({ ...one, isClosed: true }));
  const expected = expectedWord(record, invoice, subscription);
  if (expected !== undefined) return refuseValue('resolve.subscription', expected, subscription, unchanged);
  return changeInvoice(record, id, (one) => ({
    ...one,
    subscription,
    // Only a refused attempt needs another idempotency key: one of unknown outcome is repeated with its own.
    attempt: one.refusal === null ? one.attempt : one.attempt + 1,
    refusal: null,
  }));
}

/** Notes why an attempt to cancel did not end a subscription. Changes nothing if it is over by now, or if a person asked again meanwhile. */
export function refuseCancellation(
  record: CustomerRecord,
  id: string,
  attempt: number,
  refusal: string,
): CustomerRecord {
  return changeInvoice(record, id, (one) => (one.attempt === attempt ? { ...one, refusal } : one));
}

/** Closes the invoices whose subscription is over by the service's word: it is not canceled again, whatever becomes of it. */
export function closeInvoices(record: CustomerRecord): CustomerRecord {
  return record.invoices.reduce((closed, { id, subscription }) => {
    const version = knownVersion(record, subscription);
    if (version === undefined || !isFinalVersion(version)) return closed;
    return changeInvoice(closed, id, (one) => ({ ...one, isClosed: true }));
  }, record);
}

/** Returns an invoice whose own subscription is to be canceled now; `undefined` if there is none. */
export function nextToCancel(record: CustomerRecord, now: number) {
  for (const { id, subscription, attempt, isClosed, refusal } of record.invoices) {
    const version = knownVersion(record, subscription);
    if (isClosed || refusal !== null || version === undefined || isEnded(version, now)) continue;
    return { invoice: id, subscription: version.id, attempt };
  }
  return undefined;
}
