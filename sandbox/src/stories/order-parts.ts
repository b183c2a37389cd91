import { readOrderOperation } from '../api/operation-id.ts';
import { parseJson } from '../base/json.ts';
import type { KeptRequest } from './entry.ts';
import {
  type CapturedPayment,
  type Facts,
  isIn,
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
function asks({ objects }: Facts): readonly KnownObject[] {
  const pages = objects.filter(({ kind }) => kind === 'checkout_session');
  const behind = new Set(pages.map(({ fields }) => fields['payment_intent_id']));
  return objects.filter(
    (one) => pages.includes(one) || (one.kind === 'payment_intent' && !behind.has(one.id)),
  );
}

const amountOf = (object: KnownObject) => moneyOfObject(object)?.amount ?? 0;

/** Returns the most that one page or intent asked for, and the rests after it. */
function mostAsked(facts: Facts): number {
  const rests = paidRests(facts);
  const others = asks(facts).filter((one) => !rests.includes(one));
  return rests.reduce((sum, one) => sum + amountOf(one), Math.max(0, ...others.map(amountOf)));
}

const haveOneCurrency = (payments: readonly CapturedPayment[]) =>
  new Set(payments.map(({ currency }) => currency)).size <= 1;

/**
 * Whether the shop keeps no more of several payments of an order than was asked for: a buyer paid two pages, of which the shop gave a part back, or
 * paid the rest of an order that was edited.
 */
export function isPaidInParts(facts: Facts): boolean {
  const kept = keptPayments(facts);
  if (!isOfOrders(facts) || !haveOneCurrency(kept)) return false;
  return kept.reduce((sum, payment) => sum + keptOf(payment), 0) <= mostAsked(facts);
}

/**
 * Returns the amount of an order of `payments-client/orders`: what was paid, but no more than was asked for. While nothing is paid, it is what was
 * asked for last.
 *
 * @returns `undefined` for another order, and for one in several currencies.
 */
export function orderMoney(facts: Facts): Money | undefined {
  const { captured } = facts;
  const asked = asks(facts).at(-1);
  const money = asked && moneyOfObject(asked);
  if (!isOfOrders(facts) || !money || !haveOneCurrency(captured)) return undefined;
  const [first] = captured;
  if (first === undefined) return money;
  const paid = captured.reduce((sum, { amount }) => sum + amount, 0);
  return { amount: Math.min(paid, mostAsked(facts)), currency: first.currency.toUpperCase() };
}
