/** The service: its effects, its restarts, and the loss of its idempotency keys. */

import type { Sandbox } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import { clientOf } from '../../support/sandbox.ts';
import { type Order, refundedIntent } from './plan.ts';

/** An effect of the service. */
export interface Effect {
  /** The caller's view of it, as in `RecordedResponse`. */
  readonly what: string;
  /** The result that a person enters in the journal. */
  readonly result: object;
}

/** Pays the intents that the refunds need. */
export function payIntents(sandbox: Sandbox, orders: readonly Order[]): void {
  for (const order of orders.filter(({ kind }) => kind === 'refund')) {
    const { id } = sandbox.add('payment_intent', refundedIntent(order));
    sandbox.pay(id);
  }
}

/** Restarts the service with its current state. Requests in transit to the old one are lost. */
export async function restartService(sandbox: Sandbox): Promise<Sandbox> {
  const fork = await sandbox.fork().listen();
  onTestFinished(() => fork.close());
  return fork;
}

/** The service two days later, without its idempotency keys. */
export async function twoDaysLater(sandbox: Sandbox): Promise<Sandbox> {
  const later = await restartService(sandbox);
  const { version, state } = later.snapshot();
  const { reply, ...objects } = Object(state).objects;
  if (reply === undefined) throw new Error('The service has no idempotency keys to forget.');
  later.restore({ version, state: { ...Object(state), objects } });
  await later.clock.advance('2 days');
  return later;
}

/** Looks up the effects of an order. */
export async function lookUp(sandbox: Sandbox): Promise<(order: Order) => readonly Effect[]> {
  const payments = clientOf(sandbox, { fetch: sandbox.fetch });
  const all = { max: 1_000_000 };
  const intents = await payments.paymentIntents.list({ limit: 100 }).toArray(all);
  const refunds = await payments.refunds.list({ limit: 100 }).toArray(all);
  const intentsOf = Map.groupBy(intents, ({ metadata }) => metadata['order']);
  const refundsOf = Map.groupBy(refunds, ({ payment_intent_id }) => payment_intent_id);
  const salesOf = Map.groupBy(sandbox.transactions, ({ orderid }) => orderid);
  return (order) => {
    if (order.kind === 'sale') {
      const sales = salesOf.get(order.id) ?? [];
      return sales.map(({ id, response, responsetext, orderid }) => ({
        what: `${id} response ${response}`,
        result: { response, responsetext, transactionid: id, orderid },
      }));
    }
    const objects =
      order.kind === 'intent' ? intentsOf.get(order.id) : refundsOf.get(refundedIntent(order).id);
    return (objects ?? []).map((result) => ({ what: result.id, result }));
  };
}
