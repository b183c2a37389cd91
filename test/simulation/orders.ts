import type { PaymentsClient } from 'payments-client';
import type { CallResult } from './invariants.ts';

/** The kinds of orders: their endpoint, and whether the service accepts them. */
const kinds = ['intent', 'intent', 'intent', 'sale', 'sale', 'refused intent', 'declined sale'] as const;

/** A business operation of the merchant. */
export interface Order {
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  /** The method that is called. */
  readonly operation: 'paymentIntents.create' | 'transact.sale';
  /** The amounts of its callers: one, or two if one caller is mistaken. */
  readonly amounts: readonly [number, number];
  /** The index of the next amount. */
  turn: 0 | 1;
  /** How many calls were started. */
  tries: number;
  /** How many actors are working on it. */
  active: number;
  /** Its end; `undefined` before. */
  end: string | undefined;
}

/** Returns the order with a name, from the draws of its episode. */
export function orderOf(name: string, draw: (name: string, bound: number) => number): Order {
  const kind = kinds[draw(`${name} kind`, kinds.length)] ?? 'intent';
  const amount = kind === 'declined sale' ? 50 : 100 + draw(`${name} amount`, 10_000);
  const other = kind === 'declined sale' ? 51 : amount + 1;
  return {
    ...{ name, kind, amounts: [amount, draw(`${name} is mistaken`, 10) === 0 ? other : amount] },
    operation: kind === 'sale' || kind === 'declined sale' ? 'transact.sale' : 'paymentIntents.create',
    ...{ turn: 0, tries: 0, active: 0, end: undefined },
  };
}

/** A call of an order. */
export interface Calling {
  readonly payments: PaymentsClient;
  readonly amount: number;
  /** The name of the call. */
  readonly call: string;
  readonly signal: AbortSignal | undefined;
  readonly maxRetries: number;
}

function intentOf({ name, kind }: Order, amount: number) {
  return {
    ...{ amount, currency: 'usd', metadata: { order: name } },
    ...(kind === 'refused intent' && { customer: 'cus_missing' }),
  };
}

/** Records an intent for a later call. */
export function plan(payments: PaymentsClient, order: Order, amount: number): Promise<void> {
  return payments.journal.plan().paymentIntents.create(intentOf(order, amount), { operationId: order.name });
}

/** Sends an order to the service. */
export async function place(order: Order, calling: Calling): Promise<CallResult> {
  const { payments, amount, call, signal, maxRetries } = calling;
  const options = { operationId: order.name, signal, maxRetries, headers: { 'x-call': call } };
  if (order.operation === 'transact.sale') {
    const sale = { amount: (amount / 100).toFixed(2), payment_token: 'tok_1', orderid: order.name };
    const result = await payments.transact.sale(sale, options);
    return { order: result.fields['orderid'] ?? '', amount: undefined, isExecuted: result.approved };
  }
  const intent = await payments.paymentIntents.create(intentOf(order, amount), options);
  return { order: intent.metadata['order'] ?? '', amount: intent.amount, isExecuted: true };
}
