import type { PaymentsClient } from 'payments-client';
import type { Actor } from './actor.ts';
import type { CallResult } from './invariants.ts';
import { type Merchant, nameOf } from './merchants.ts';
import type { Identity, Seat } from './system.ts';

/** The kinds of orders: their endpoint, and whether the service accepts them. */
const kinds = ['intent', 'intent', 'intent', 'sale', 'sale', 'refused intent', 'declined sale'] as const;

/** A business operation of the merchant. */
export interface Order {
  /** Its id, and whose it is. */
  readonly name: string;
  /** The id that its merchant gave it. Another merchant may use the same one. */
  readonly id: string;
  readonly merchant: Merchant;
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
  /** The account that its callers name. */
  account: string | undefined;
  /** Whether a request of it may have left. */
  isSent: boolean;
  /** The processes that called the service for it. */
  readonly callers: Actor[];
  /** The process that repeats it, while it lives. */
  seat: Seat | undefined;
}

/** Returns the order of a merchant with an id, from the draws of its episode. Orders with the same id have the same parameters. */
export function orderOf(
  id: string,
  { merchant, account }: Identity,
  draw: (name: string, bound: number) => number,
): Order {
  const kind = kinds[draw(`${id} kind`, kinds.length)] ?? 'intent';
  const amount = kind === 'declined sale' ? 50 : 100 + draw(`${id} amount`, 10_000);
  const other = kind === 'declined sale' ? 51 : amount + 1;
  return {
    name: nameOf(id, merchant),
    id,
    merchant,
    account,
    kind,
    amounts: [amount, draw(`${id} is mistaken`, 10) === 0 ? other : amount],
    isSent: false,
    callers: [],
    seat: undefined,
    operation: kind === 'sale' || kind === 'declined sale' ? 'transact.sale' : 'paymentIntents.create',
    turn: 0,
    tries: 0,
    active: 0,
    end: undefined,
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

function intentOf({ id, kind }: Order, amount: number) {
  return {
    amount,
    currency: 'usd',
    metadata: { order: id },
    ...(kind === 'refused intent' && { customer: 'cus_missing' }),
  };
}

/** Records an intent for a later call. */
export function plan(payments: PaymentsClient, order: Order, amount: number): Promise<void> {
  return payments.journal.plan().paymentIntents.create(intentOf(order, amount), { operationId: order.id });
}

/** Sends an order to the service. */
export async function place(order: Order, calling: Calling): Promise<CallResult> {
  const { payments, amount, call, signal, maxRetries } = calling;
  const options = { operationId: order.id, signal, maxRetries, headers: { 'x-call': call } };
  if (order.operation === 'transact.sale') {
    const sale = { amount: (amount / 100).toFixed(2), payment_token: 'tok_1', orderid: order.id };
    const result = await payments.transact.sale(sale, options);
    const merchant = result.fields['merchant'] === 'other' ? 'other' : 'first';
    const name = nameOf(result.fields['orderid'] ?? '', merchant);
    return { order: name, amount: undefined, isExecuted: result.approved };
  }
  const intent = await payments.paymentIntents.create(intentOf(order, amount), options);
  const merchant = intent.merchant_id === 'mer_other' ? 'other' : 'first';
  const name = nameOf(intent.metadata['order'] ?? '', merchant);
  return { order: name, amount: intent.amount, isExecuted: true };
}
