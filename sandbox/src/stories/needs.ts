import { moneyText } from '../domain/amounts.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';

import {
  type Facts,
  isIn,
  isLost,
  type KnownObject,
  keptPayments,
  moneyOfObject,
  type SentRequest,
} from './facts.ts';
import type { Need, Verdict } from './story.ts';
import type { Twins } from './twins.ts';
import { nameOf, type Order } from './verdict.ts';

/** What the need of an order depends on. */
interface Situation {
  readonly order: Order;
  readonly verdict: Verdict;
  /** The orders that probably charged the same purchase; `undefined` if there are none. */
  readonly twins: Twins<Order> | undefined;
  /** The deliveries of its events. */
  readonly deliveries: readonly SandboxDelivery[];
  /** The sandbox's time, in ms since 1970. */
  readonly now: number;
}

const dayText = (at: number) =>
  new Date(at).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function disputeDue({ order: { facts }, now }: Situation): Need | undefined {
  const open = facts.disputes.filter(({ due }) => due === undefined || due >= now);
  const [first] = open.toSorted((one, other) => (one.due ?? Infinity) - (other.due ?? Infinity));
  if (first === undefined) return undefined;
  const amount = moneyText(first.amount, first.currency);
  const action = `Answer the dispute of ${amount}`;
  if (first.due === undefined) return { why: 'dispute_due', action: `${action}.` };
  return { why: 'dispute_due', action: `${action} by ${dayText(first.due)}.`, due: first.due };
}

function chargedTwice({ verdict, order, twins }: Situation): Need | undefined {
  if (verdict !== 'charged_twice') return undefined;
  const payments = twins?.payments ?? keptPayments(order.facts).length;
  // The same for both orders, so that two people do not refund both.
  const which = twins?.orders.length === 2 ? `'${twins.orders[1]?.title}'` : 'one';
  const action =
    payments > 2
      ? `Refund ${payments - 1} of the ${payments}, if all are one purchase.`
      : `Refund ${which}, if both are one purchase.`;
  const lost = twins && order.sent.find(isLost);
  return { why: 'charged_twice', action: lost === undefined ? action : `${action} If not, ${ifNot(lost)}` };
}

/** What to do about a payment that the app does not know, if it is the only one of its purchase. */
function ifNot(lost: SentRequest): string {
  return isKeyed(lost)
    ? 'let your app send it again with the same operation id.'
    : 'look it up: it has no idempotency key, and would be charged again.';
}

const isKeyed = ({ attempts: [first] }: SentRequest) => first.idempotencyKey !== null;

function unknown({ order: { sent }, verdict }: Situation): Need | undefined {
  const lost = sent.find(isLost);
  if (verdict !== 'unknown_to_app' || lost === undefined) return undefined;
  const name = nameOf(lost);
  const action = isKeyed(lost)
    ? `Let your app send ${name} again with the same operation id: the buyer is not ${/refund/i.test(name) ? 'refunded' : 'charged'} again.`
    : `Look it up before you send ${name} again: it has no idempotency key.`;
  return { why: 'unknown', action };
}

/** Whether a later refund of the charge gives the money of a failed one back. */
function isReplaced(failed: KnownObject, objects: readonly KnownObject[]): boolean {
  const later = objects.slice(objects.indexOf(failed) + 1);
  return later.some(
    ({ kind, fields }) =>
      kind === 'refund' &&
      fields['charge_id'] === failed.fields['charge_id'] &&
      fields['status'] !== 'failed' &&
      Number(fields['amount']) >= Number(failed.fields['amount']),
  );
}

function refundFailed({ order: { facts } }: Situation): Need | undefined {
  const { objects } = facts;
  const failed = objects.filter(isIn('refund', 'failed')).find((one) => !isReplaced(one, objects));
  const money = failed && moneyOfObject(failed);
  if (!money) return undefined;
  const amount = moneyText(money.amount, money.currency);
  return { why: 'refund_failed', action: `Retry the refund of ${amount}, or pay the buyer another way.` };
}

function webhooksGivenUp({ order: { facts }, deliveries }: Situation): Need | undefined {
  if (facts.captured.length === 0) return undefined;
  const sent = deliveries.filter(({ status }) => status !== 'canceled');
  const missed = [...Map.groupBy(sent, ({ eventId }) => eventId).values()].filter((ofEvent) =>
    ofEvent.every(({ status }) => status === 'failed' || status === 'dropped'),
  );
  const [first] = missed.flat();
  if (first === undefined) return undefined;
  const events = missed.length === 1 ? first.type : `${missed.length} events`;
  return { why: 'webhooks_given_up', action: `Fix your webhook endpoint, then redeliver ${events}.` };
}

function renewalUnpaid({ order: { facts } }: Situation): Need | undefined {
  const { objects } = facts;
  const unpaid = objects.find(isIn('invoice', 'uncollectible'));
  const money = unpaid && moneyOfObject(unpaid);
  const isOver = ['canceled', 'ended'].some((status) => objects.some(isIn('subscription', status)));
  if (!money || isOver) return undefined;
  const amount = moneyText(money.amount, money.currency);
  const action = `Ask the buyer for another card for ${amount}, or cancel the subscription.`;
  return { why: 'renewal_unpaid', action };
}

/** Whether the buyer was on a page of the service, which asks for another card itself. */
function wasAsked({ objects }: Facts): boolean {
  return objects.some(({ kind }) => kind === 'checkout_session' || kind === 'invoice');
}

function declined({ order: { facts } }: Situation): Need | undefined {
  const { captured, objects } = facts;
  if (captured.length > 0 || wasAsked(facts)) return undefined;
  const last = objects.findLast(({ kind }) => kind === 'charge' || kind === 'transaction');
  if (last === undefined || !(isIn('charge', 'failed')(last) || isIn('transaction', 'declined')(last)))
    return undefined;
  if (objects.some(isIn('payment_intent', 'canceled'))) return undefined;
  return { why: 'declined', action: 'Ask the buyer for another card.' };
}

/** Returns the most urgent thing that somebody must do about an order; `null` if there is nothing to do. */
export function needOf(situation: Situation): Need | null {
  const rules = [disputeDue, chargedTwice, unknown, refundFailed, webhooksGivenUp, renewalUnpaid, declined];
  return rules.map((rule) => rule(situation)).find((need) => need !== undefined) ?? null;
}
