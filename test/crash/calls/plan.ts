/** The tasks of the merchant's processes. They follow from the size alone, so each process computes the same list. */

import { drawsFrom } from '../../support/draws.ts';

/** One task with its own id. */
export interface Order {
  readonly id: string;
  /** Its place among the orders with an idempotency key, or among the sales. */
  readonly number: number;
  /** A payment intent, a refund of one that is paid, or a sale at the form endpoint. */
  readonly kind: 'intent' | 'refund' | 'sale';
  /** In cents. */
  readonly amount: number;
}

/** How many tasks of each kind. */
export interface Size {
  /** Calls with an idempotency key: intents, and one refund in five. */
  readonly operations: number;
  readonly sales: number;
}

/** How many processes the merchant has. */
export const workerCount = 4;

/** An intent is several times its refund, so the service would accept a duplicate refund. */
const refundsPerIntent = 4;

/** Few enough that all processes work on the same orders concurrently. */
const blockSize = 40;

function operationOf(number: number): Order {
  const kind = number % 5 === 4 ? 'refund' : 'intent';
  return { id: `${kind}-${number}`, number, kind, amount: 1000 + number };
}

/** One sale in twenty is below 1.00, which the service declines. */
function saleOf(number: number): Order {
  return { id: `sale-${number}`, number, kind: 'sale', amount: number % 20 === 19 ? 50 : 1000 + number };
}

/** Returns all orders, with the sales mixed in. */
export function ordersOf({ operations, sales }: Size): readonly Order[] {
  const total = operations + sales;
  const salesBefore = (index: number) => Math.floor((index * sales) / total);
  return Array.from({ length: total }, (_, index) => {
    const sold = salesBefore(index);
    return salesBefore(index + 1) > sold ? saleOf(sold) : operationOf(index - sold);
  });
}

/**
 * Whether an order is called only once without a journal: a sale has no key, so a second call would be a second sale. So is one
 * intent in five, since a repetition would change what its first error reported.
 */
export const isCalledOnce = ({ kind, number }: Order) =>
  kind === 'sale' || (kind === 'intent' && number % 5 === 0);

/** The process that makes a call which is made once. */
export const callerOf = ({ number }: Order) => number % workerCount;

/** Returns the orders in a process's own sequence, which still collides with the other processes. */
export function inOrderOf(worker: number, orders: readonly Order[]): readonly Order[] {
  const draw = drawsFrom(worker + 1);
  const places = orders.map((order, index) => ({
    order,
    block: Math.floor(index / blockSize),
    at: draw(2 ** 30),
  }));
  return places.sort((one, other) => one.block - other.block || one.at - other.at).map(({ order }) => order);
}

/** Returns the intent of a refund, and its paid amount in cents. */
export function refundedIntent({ id, amount }: Order) {
  return { id: `pi_${id.replace('-', '').padStart(24, '0')}` as const, amount: amount * refundsPerIntent };
}

/** Returns a card for every other sale, otherwise a token. */
export function payerOf({ id, amount }: Order) {
  return amount % 2 === 0
    ? { ccnumber: '4111111111111111', ccexp: '1230', cvv: '123' }
    : { payment_token: `tok_${id}` };
}

/** Returns the amount in the format of the form endpoint. */
export function decimalOf({ amount }: Order): string {
  return (amount / 100).toFixed(2);
}
