/** A process that repeats each order until it gets a result, or until a person must look the order up. */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type JournalOptions, OperationUnresolvedError, PaymentsClient } from 'payments-client';
import { breakSomeConnections } from '../network/late-errors.ts';
import {
  callerOf,
  decimalOf,
  inOrderOf,
  isCalledOnce,
  type Order,
  ordersOf,
  payerOf,
  refundedIntent,
} from './plan.ts';
import { openStore } from './stores.ts';
import type { CallsTask, RecordedResponse } from './task.ts';
import { each, Work } from './work.ts';

const task: CallsTask = JSON.parse(process.argv[2] ?? '');
if (task.isFaulty) breakSomeConnections(task.worker + 1);
const { baseUrl, secretKey, securityKey, timeout } = task;

async function openJournal(): Promise<{ journal?: JournalOptions }> {
  if (task.store === undefined) return {};
  const { store } = await openStore(task.store);
  return { journal: { store, now: () => Date.now() + task.later } };
}

const payments = new PaymentsClient({
  baseUrl,
  secretKey,
  securityKey,
  timeout,
  totalTimeout: 2.5 * timeout,
  ...(await openJournal()),
});
const work = new Work(task);
/** Orders that the journal refuses to send again. */
const unresolved = new Set<string>();

/** Gives other processes time to finish their claims, in ms. */
const pause = 100;

const digestOf = (data: unknown) => createHash('sha256').update(JSON.stringify(data)).digest('base64url');

const isOnce = (order: Order) => task.store === undefined && isCalledOnce(order);

async function request(order: Order): Promise<RecordedResponse> {
  const { id, kind, amount, number } = order;
  if (kind === 'sale') {
    const params = { amount: decimalOf(order), orderid: id, ...payerOf(order) };
    const sale = payments.transact.sale(params, task.store && { operationId: id });
    const { data, response } = await sale.withResponse();
    const what = `${data.transactionid} response ${data.response}`;
    return { what, digest: digestOf(data), fromJournal: response.fromJournal };
  }
  // Some meet a fault without a retry left.
  const options = { operationId: id, ...(isOnce(order) && { maxRetries: number % 3 }) };
  const call =
    kind === 'intent'
      ? payments.paymentIntents.create({ amount, currency: 'usd', metadata: { order: id } }, options)
      : payments.refunds.create({ payment_intent_id: refundedIntent(order).id, amount }, options);
  const { data, response } = await call.withResponse();
  return { what: data.id, digest: digestOf(data), fromJournal: response.fromJournal };
}

async function attempt(order: Order): Promise<void> {
  const error = await work.attempt(order.id, () => request(order));
  if (error instanceof OperationUnresolvedError) unresolved.add(order.id);
}

const isOpen = (order: Order) =>
  isOnce(order)
    ? callerOf(order) === task.worker && !work.hasBegun(order.id)
    : !work.hasAnswer(order.id) && !unresolved.has(order.id);

let remaining = inOrderOf(task.worker, ordersOf(task)).filter(isOpen);
while (remaining.length > 0) {
  await each(remaining, attempt);
  remaining = remaining.filter(isOpen);
  if (remaining.length > 0) await wait(pause);
}
process.exit(0);
