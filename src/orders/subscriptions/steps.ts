/** What changes a record, step by step. A crash between any two loses nothing: the next event or `resume` goes on. */

import { PaymentsError } from '../../base/errors.ts';
import { checkOptions } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import type { PaymentsClient } from '../../client.ts';
import { NotFoundError } from '../../http/failure/api-errors.ts';
import { id as idOf } from '../../resources/fields/ids.ts';
import type { Invoice } from '../../resources/objects/invoices.ts';
import type { Subscription } from '../../resources/objects/subscriptions.ts';
import type { SubscriptionVersion } from './customer-record.ts';
import type { CustomerRecords } from './customer-records.ts';
import { addInvoice, knownVersion, nextToCancel, refuseCancellation } from './given-up.ts';
import { joinVersion, msOf, readTimeOf, versionIn } from './version.ts';

/** What every step needs. */
export interface SubscriptionContext {
  readonly payments: Pick<PaymentsClient, 'subscriptions'>;
  readonly records: CustomerRecords;
  readonly account: string;
  readonly now: () => number;
}

/** Joins a subscription of an event or an answer to the record of its customer, whose id it returns. */
export async function noteSubscription(
  { records }: SubscriptionContext,
  subscription: Subscription,
): Promise<string> {
  const { customer, livemode, version } = versionIn(subscription);
  await records.change(customer, livemode, (known) => joinVersion(known, version));
  return customer;
}

/**
 * Asks the service for a subscription. Returns its customer; `undefined` if it answers 404, as it does without this path, which the interface
 * does not show.
 */
export async function readSubscription(
  context: SubscriptionContext,
  id: string,
): Promise<string | undefined> {
  const { subscriptions } = context.payments;
  const found = await subscriptions.retrieve(id).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  return found && noteSubscription(context, found);
}

/** Cancels a subscription. Returns it, or why the service or the client refused. */
async function cancel(
  { payments }: SubscriptionContext,
  id: string,
  operationId: string,
): Promise<Subscription | string> {
  return payments.subscriptions.cancel(id, { operationId }).catch((error: unknown) => {
    if (error instanceof PaymentsError && !error.retryable) return error.code ?? error.name;
    throw error;
  });
}

/** Cancels the subscriptions of given-up invoices, one after the other. */
export async function cancelOwn(context: SubscriptionContext, customer: string): Promise<void> {
  const { records, account, now } = context;
  for (;;) {
    const record = await records.load(customer);
    const next = record && nextToCancel(record, now());
    if (record === undefined || next === undefined) return;
    const { invoice, subscription, attempt } = next;
    const answer = await cancel(context, subscription, `${account}/${invoice}/cancel-${attempt}`);
    const isRefused = typeof answer === 'string';
    if (!isRefused) await noteSubscription(context, answer);
    const refusal = isRefused ? answer : `the service answered with the status '${answer.status}'`;
    await records.change(customer, record.livemode, (known) =>
      refuseCancellation(known, invoice, attempt, refusal),
    );
    // It may be over already: canceled by another process, or by a call whose answer was lost.
    if (isRefused) await readSubscription(context, subscription);
  }
}

/** What must be readable of a given-up invoice. */
const invoiceSchema: s.Schema<Pick<Invoice, 'id' | 'livemode' | 'customer'>> = /* @__PURE__ */ s.lazily(() =>
  s.object({ id: idOf('invoice'), livemode: s.boolean(), customer: idOf('customer') }),
);

/**
 * Adds a given-up invoice to the record of its customer.
 *
 * @param subscription Its own one; `undefined` if nobody says which.
 * @throws ConfigurationError for an invoice without an id, a mode or a customer.
 */
export async function giveUp(
  context: SubscriptionContext,
  invoice: Invoice,
  subscription: string | undefined,
): Promise<void> {
  checkOptions('invoice', invoiceSchema, invoice, 'Look the invoice up in the control panel.');
  const { id, customer, livemode } = invoice;
  const given = { id, createdAt: msOf(invoice.created_at) };
  const record = await context.records.change(customer, livemode, (known) =>
    addInvoice(known, given, subscription ?? null),
  );
  // Its events may be late or lost. Only a subscription that is known to be the customer's is ever canceled.
  if (subscription !== undefined && knownVersion(record, subscription) === undefined)
    await readSubscription(context, subscription);
}

/** Asks the service for the subscriptions of a customer whose next version is late. */
export async function askOverdue(context: SubscriptionContext, customer: string): Promise<void> {
  const { records, now } = context;
  const known = await records.load(customer);
  if (known === undefined) return;
  const askedAt = now();
  const isOverdue = (version: SubscriptionVersion) =>
    (readTimeOf(known, version, askedAt) ?? Infinity) <= askedAt;
  const overdue = known.subscriptions.filter(isOverdue);
  for (const { id } of overdue) await readSubscription(context, id);
  const change = overdue.length === 0 ? {} : { readAt: askedAt };
  await records.change(customer, known.livemode, (record) => ({ ...record, ...change }));
}
