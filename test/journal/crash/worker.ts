/** A process that retries each order until it gets a result, or until a person must look the order up. */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { OperationUnresolvedError, PaymentsClient } from 'payments-client';
import { breakSomeConnections } from '../../chaos/late-errors.ts';
import { each, Work } from '../../chaos/work.ts';
import { decimalOf, inOrderOf, type Order, ordersOf, payerOf, refundedIntent } from './plan.ts';
import { openStore } from './stores.ts';
import type { CrashTask, RecordedResponse } from './task.ts';

const task: CrashTask = JSON.parse(process.argv[2] ?? '');
if (task.isFaulty) breakSomeConnections(task.worker + 1);
const { baseUrl, secretKey, securityKey, timeout } = task;
const { store } = await openStore(task.store);
const payments = new PaymentsClient({
  baseUrl,
  secretKey,
  securityKey,
  timeout,
  totalTimeout: 2.5 * timeout,
  journal: { store, now: () => Date.now() + task.later },
});
const work = new Work(task);
/** Orders that the journal refuses to send again. */
const unresolved = new Set<string>();

/** Gives other processes time to finish their claims, in ms. */
const pause = 100;

const digestOf = (data: unknown) => createHash('sha256').update(JSON.stringify(data)).digest('base64url');

async function request(order: Order): Promise<RecordedResponse> {
  const { id, kind, amount } = order;
  const options = { operationId: id };
  if (kind === 'sale') {
    const params = { amount: decimalOf(order), orderid: id, ...payerOf(order) };
    const { data, response } = await payments.transact.sale(params, options).withResponse();
    const what = `${data.transactionid} response ${data.response}`;
    return { what, digest: digestOf(data), fromJournal: response.fromJournal };
  }
  const call =
    kind === 'intent'
      ? payments.paymentIntents.create({ amount, currency: 'usd', metadata: { order: id } }, options)
      : payments.refunds.create({ payment_intent_id: refundedIntent(order).id, amount }, options);
  const { data, response } = await call.withResponse();
  return { what: data.id, digest: digestOf(data), fromJournal: response.fromJournal };
}

async function attempt(order: Order): Promise<void> {
  await work.attempt(order.id, () =>
    request(order).catch((error: unknown) => {
      if (error instanceof OperationUnresolvedError) unresolved.add(order.id);
      throw error;
    }),
  );
}

const isOpen = ({ id }: Order) => work.answerOf(id) === undefined && !unresolved.has(id);

let remaining = inOrderOf(task.worker, ordersOf(task)).filter(isOpen);
while (remaining.length > 0) {
  await each(remaining, attempt);
  remaining = remaining.filter(isOpen);
  if (remaining.length > 0) await wait(pause);
}
process.exit(0);
