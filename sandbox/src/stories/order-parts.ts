import { readOrderOperation } from '../api/operation-id.ts';
import { parseJson } from '../base/json.ts';
import type { KeptRequest } from './entry.ts';
import {
  type Facts,
  isIn,
  isPaidElsewhere,
  type KnownObject,
  keptOf,
  keptPayments,
  moneyOfObject,
} from './facts.ts';
import type { Money } from './story.ts';

/** Whether a request made a page for the rest of an order of `payments-client/orders`, which was edited after it had been paid in part. */
function asksForRest({ operation, operationId, request: { body } }: KeptRequest): boolean {
  const order = readOrderOperation(operationId);
  if (order === undefined || operation !== 'checkoutSessions.create') return false;
  const { line_items: lines } = Object(parseJson(body ?? ''));
  return Array.isArray(lines) && Object(lines[0]).name === `Rest of order ${order.id}`;
}

const isOfOrders = ({ requests }: Facts) => requests.some(({ links }) => links.order);

/** Returns the paid pages that asked for the rest. */
function paidRests({ requests, changes, objects }: Facts): readonly KnownObject[] {
  const asked = new Set<number | null>(requests.filter(asksForRest).map(({ number }) => number));
  const made = changes.filter(({ before, cause }) => before === null && asked.has(cause));
  const pages = new Set(made.map(({ object }) => object.id));
  return objects.filter((one) => isIn('checkout_session', 'complete')(one) && pages.has(one.id));
}

/** Whether a buyer paid a part of an order, and later the rest. */
export function hasPaidRest(facts: Facts): boolean {
  return paidRests(facts).length > 0;
}

/** What is asked of the buyer, apart from intents behind pages. */
const asks = ({ objects }: Facts) =>
  objects.filter(
    (one) =>
      one.kind === 'checkout_session' || (one.kind === 'payment_intent' && !isPaidElsewhere(one, objects)),
  );

const amountOf = (object: KnownObject) => moneyOfObject(object)?.amount ?? 0;

/**
 * Whether the shop keeps no more of several payments of an order than one of them asked for, and the rests after it: a buyer paid two pages, of
 * which the shop gave a part back, or paid the rest of an order that was edited.
 */
export function isPaidInParts(facts: Facts): boolean {
  const kept = keptPayments(facts);
  if (!isOfOrders(facts) || new Set(kept.map(({ currency }) => currency)).size > 1) return false;
  const rests = paidRests(facts);
  const most = Math.max(
    0,
    ...asks(facts)
      .filter((one) => !rests.includes(one))
      .map(amountOf),
  );
  const due = rests.reduce((sum, one) => sum + amountOf(one), most);
  return kept.reduce((sum, payment) => sum + keptOf(payment), 0) <= due;
}

/**
 * Returns the amount of an order of `payments-client/orders`: what was paid, but no more than the last page or intent asked for, and the rests. While
 * nothing is paid, it is what was asked for last.
 *
 * @returns `undefined` for another order, and for one in several currencies.
 */
export function orderMoney(facts: Facts): Money | undefined {
  const rests = paidRests(facts);
  const asked = asks(facts).findLast((one) => !rests.includes(one));
  const money = asked && moneyOfObject(asked);
  if (!isOfOrders(facts) || !money) return undefined;
  const { captured } = facts;
  if (captured.length === 0) return money;
  if (captured.some(({ currency }) => currency.toUpperCase() !== money.currency)) return undefined;
  const paid = captured.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...money,
    amount: Math.min(
      paid,
      rests.reduce((sum, one) => sum + amountOf(one), money.amount),
    ),
  };
}
