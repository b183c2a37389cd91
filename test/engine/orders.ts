/** How a merchant sends an order, in either driver. */

import { inspect } from 'node:util';
import {
  isDecline,
  isRecorded,
  type PaymentIntent,
  type PaymentsClient,
  PaymentsError,
  type Refund,
} from 'payments-client';
import type { Money } from './dimensions/currencies.ts';
import type { OrderPlan } from './dimensions/orders.ts';
import type { CallResult } from './facts.ts';
import {
  card,
  currencyFrom,
  merchantIds,
  nameOf,
  refundedIntent,
  refundingOrder,
  token,
} from './merchants.ts';

/** An order with the parameters of one caller. */
export interface Request extends Pick<OrderPlan, 'kind' | 'hasCard' | 'money'> {
  readonly orderId: string;
}

/** How a call is made. */
export interface Calling {
  /** The name of the call, which its requests carry. */
  readonly call: string;
  readonly signal?: AbortSignal | undefined;
  readonly maxRetries?: number | undefined;
  /** Whether it has no journal: then a sale takes no id. */
  readonly isPlain?: boolean;
  /** Whether it takes the object and not the response. */
  readonly takesObject?: boolean;
}

export function operationOf({ kind }: Pick<Request, 'kind'>) {
  if (kind === 'refund') return 'refunds.create';
  return isSale({ kind }) ? 'transact.sale' : 'paymentIntents.create';
}

export const isSale = ({ kind }: Pick<Request, 'kind'>) => kind === 'sale' || kind === 'declined sale';

const decimalOf = ({ amount }: Money) => (amount / 100).toFixed(2);

function intentOf({ orderId, kind, money }: Request) {
  const missing = kind === 'refused intent' && { customer: 'cus_missing' };
  return { ...money, metadata: { order: orderId }, ...missing };
}

function refundOf({ orderId, money }: Request) {
  return { payment_intent_id: refundedIntent(orderId), amount: money.amount };
}

/** Returns what a person needs to look an order up. */
export function lookUpOf({ orderId, kind, hasCard, money }: Request): Readonly<Record<string, string>> {
  if (kind === 'refund') return { path: '/v1/refunds' };
  if (!isSale({ kind })) return { path: '/v1/payment_intents' };
  const masked = hasCard ? { ccnumber: card.ccnumber.slice(-4).padStart(card.ccnumber.length, '*') } : {};
  return { amount: decimalOf(money), currency: money.currency, orderid: orderId, ...masked };
}

/** Records an order of the JSON API for a later call. */
export async function record(payments: PaymentsClient, order: Request): Promise<void> {
  const planned = payments.journal.plan();
  const options = { operationId: order.orderId };
  if (order.kind === 'refund') await planned.refunds.create(refundOf(order), options);
  else await planned.paymentIntents.create(intentOf(order), options);
}

function moneyOf({ amount, currency }: { readonly amount: number; readonly currency: string }): Money {
  return { amount, currency: currencyFrom(currency).currency ?? 'usd' };
}

const merchantNamed = (id: unknown) => (id === merchantIds.other ? 'other' : 'first');

/** Sends an order to the service. */
export async function place(payments: PaymentsClient, order: Request, calling: Calling): Promise<CallResult> {
  const { call, signal, maxRetries, isPlain = false, takesObject = false } = calling;
  const common = { signal, maxRetries, headers: { 'x-call': call } };
  const options = { ...common, operationId: order.orderId };
  if (isSale(order)) {
    const { orderId: orderid, hasCard, money } = order;
    const payer = hasCard ? card : { payment_token: token };
    const sale = { amount: decimalOf(money), currency: money.currency, orderid, ...payer };
    const { data } = await payments.transact.sale(sale, isPlain ? common : options).withResponse();
    const merchant = data.fields['merchant'] === 'other' ? 'other' : 'first';
    return {
      of: nameOf(data.fields['orderid'] ?? '', merchant),
      id: data.transactionid ?? '',
      money: undefined,
      isExecuted: data.approved,
      status: undefined,
      isMarked: isRecorded(data),
      isObject: false,
      isRetried: false,
    };
  }
  const isRefund = order.kind === 'refund';
  const created = isRefund
    ? payments.refunds.create(refundOf(order), options)
    : payments.paymentIntents.create(intentOf(order), options);
  if (takesObject) return resultOf(await created, { isObject: true, isRetried: false });
  const { data, response } = await created.withResponse();
  return resultOf(data, { isObject: false, isRetried: response.attempts > 1 });
}

function resultOf(
  object: PaymentIntent | Refund,
  how: Pick<CallResult, 'isObject' | 'isRetried'>,
): CallResult {
  const id = 'metadata' in object ? object.metadata['order'] : refundingOrder(object.payment_intent_id);
  return {
    of: nameOf(id ?? '', merchantNamed(Reflect.get(object, 'merchant_id'))),
    id: object.id,
    money: moneyOf(object),
    isExecuted: true,
    status: object.status,
    isMarked: isRecorded(object),
    ...how,
  };
}

/** What a workflow branches on. */
function sayings(error: PaymentsError | undefined) {
  return `${error?.name} ${error?.outcome} ${error?.retryable} ${isDecline(error)}`;
}

/**
 * What a caller can tell of an error, and all that it shows.
 *
 * @param change What becomes of the error's data in the store of a durable engine.
 */
export function failureOf(error: unknown, change = (form: unknown) => form) {
  const isOurs = error instanceof PaymentsError;
  return {
    name: error instanceof Error ? error.name : String(error),
    code: isOurs ? error.code : undefined,
    outcome: isOurs ? error.outcome : 'none',
    isOurs,
    isSameAsData:
      !isOurs || sayings(error) === sayings(PaymentsError.from(change(JSON.parse(JSON.stringify(error))))),
    text: `${inspect(error)} ${JSON.stringify(error)}`,
  };
}
