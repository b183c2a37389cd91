import { moneyText } from '../domain/amounts.ts';
import {
  type CapturedPayment,
  capturedBy,
  type Facts,
  isIn,
  isLost,
  isPaidElsewhere,
  type KnownObject,
  keptPayments,
  type SentRequest,
} from './facts.ts';
import { hasPaidRest, isPaidInParts } from './order-parts.ts';
import { declineText, refundText, remarks } from './remarks.ts';
import type { Money, Verdict } from './story.ts';
import type { Twins } from './twins.ts';

/** A verdict with its reason. */
interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** An order with what was found out about it. */
export interface Order {
  readonly title: string;
  readonly facts: Facts;
  readonly sent: readonly SentRequest[];
}

/** The next step in each state in which a charge is still possible. */
const nextSteps: Readonly<Record<string, string>> = {
  'checkout_session open': 'The buyer can still pay.',
  'payment_intent requires_payment_method': 'Your app can still send a payment method.',
  'payment_intent requires_action': 'The buyer must authenticate.',
  'payment_intent requires_capture': 'The amount is authorized: your app must capture it or cancel.',
  'transaction authorized': 'The amount is authorized: your app must capture it or void it.',
  'invoice open': 'The service retries the invoice later.',
};

function nextStepOf(objects: readonly KnownObject[]): string | undefined {
  return objects
    .filter((one) => !isPaidElsewhere(one, objects))
    .map(({ kind, fields }) => nextSteps[`${kind} ${String(fields['status'])}`])
    .find((text) => text !== undefined);
}

const paidInvoices = ({ objects }: Facts) => objects.filter(isIn('invoice', 'paid')).length;

/** Whether the shop keeps more than one payment, or one for each paid invoice, and no order was paid in parts. */
function isChargedTwice(facts: Facts, kept: readonly CapturedPayment[]): boolean {
  return kept.length > Math.max(1, paidInvoices(facts)) && !isPaidInParts(facts);
}

const textOf = ({ amount, currency }: Money) => moneyText(amount, currency);

function timesText(count: number): string {
  if (count === 1) return '';
  return count === 2 ? ' twice' : ` ${count} times`;
}

/** Describes the charges, such as `$55.00 was charged twice`. */
function chargedText(captured: readonly CapturedPayment[]): string {
  const [first] = captured;
  if (first === undefined) return 'Nothing was charged';
  const isSame = captured.every(
    ({ amount, currency }) => amount === first.amount && currency === first.currency,
  );
  if (!isSame) return `${captured.map(textOf).join(' and ')} were charged`;
  return `${textOf(first)} was charged${timesText(captured.length)}`;
}

/** Names what a request does: its operation, else its method and path. */
export function nameOf({ attempts: [first] }: SentRequest): string {
  return first.operation ?? `${first.method} ${first.path}`;
}

const isRefund = ({ kind, fields }: KnownObject) =>
  kind === 'refund' || (kind === 'transaction' && fields['type'] === 'refund');

/** Describes what a lost request did, such as `$43.00 was charged. A refund of $43.00 was made and is pending`. */
function effectOf(lost: SentRequest, { captured, changes, objects }: Facts): string {
  const causes = new Set(lost.attempts.map(({ number }) => number));
  const own = changes.filter(({ cause }) => cause !== null && causes.has(cause));
  const once = captured.length === 1 ? ' once' : '';
  const charged = `${chargedText(captured)}${once}`;
  if (own.some(capturedBy)) return charged;
  const made = new Set(own.map(({ object }) => object.id));
  const refund = objects.find((object) => isRefund(object) && made.has(object.id));
  const done = refund === undefined ? `The service executed ${nameOf(lost)}` : refundText(refund);
  return captured.length > 0 ? `${charged}. ${done}` : done;
}

function unknownToApp(lost: SentRequest, { facts }: Order): Judgement {
  const done = effectOf(lost, facts);
  const which = done.endsWith(nameOf(lost)) ? '' : ` to ${nameOf(lost)}`;
  return { verdict: 'unknown_to_app', reason: `${done}, but the app never received the reply${which}.` };
}

/** Says what several charges were expected for. */
function eachText(facts: Facts): string {
  const invoices = paidInvoices(facts);
  if (invoices > 1) return `, once for each of ${invoices} invoices`;
  return hasPaidRest(facts) ? ': a part, and then the rest' : '';
}

function chargedOnce({ facts, sent }: Order): Judgement {
  const charged = `${chargedText(facts.captured)}${eachText(facts)}`;
  return { verdict: 'charged_once', reason: `${charged}.${remarks(facts, sent)}` };
}

/** Returns what prevented the charge. */
function obstacle(facts: Facts): string {
  const { objects } = facts;
  if (objects.some(isIn('authentication', 'failed'))) return ' 3-D Secure failed.';
  if (objects.some(isIn('checkout_session', 'expired'))) return ' The session expired.';
  if (objects.some(isIn('payment_intent', 'canceled'))) return ' The payment was canceled.';
  if (objects.some(isIn('transaction', 'voided'))) return ' The payment was voided.';
  const declined = declineText(facts);
  return declined === undefined ? '' : ` The card was ${declined}.`;
}

function notCharged({ facts, sent }: Order): Judgement {
  const next = nextStepOf(facts.objects);
  if (next !== undefined) {
    return { verdict: 'open', reason: `Nothing was charged yet.${obstacle(facts)} ${next}` };
  }
  const isDone = facts.objects.length > 0 || sent.some(({ isExecuted }) => isExecuted);
  const reason = isDone ? `Nothing was charged.${obstacle(facts)}` : 'The service executed no request.';
  return { verdict: 'nothing_happened', reason };
}

/** A reason names no more orders than these. */
const mostNamed = 3;

function namesText(titles: readonly string[]): string {
  const named = titles.length > mostNamed ? titles.slice(0, mostNamed - 1) : titles;
  const others = titles.length - named.length;
  const names = [...named.map((title) => `'${title}'`), ...(others > 0 ? [`${others} others`] : [])];
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}

function chargedByTwins(order: Order, kept: readonly CapturedPayment[], twins: Twins<Order>): Judgement {
  const others = twins.orders.filter((one) => one !== order);
  const [{ amount, currency } = { amount: 0, currency: '' }] = kept;
  const lost = order.sent.find(isLost);
  const unknown = lost === undefined ? '' : `, and the app never received the reply to ${nameOf(lost)}`;
  const who = namesText(others.map(({ title }) => title));
  const same = twins.haveOneBuyer ? 'the same customer the same amount' : 'the same amount';
  const total = moneyText(amount * twins.payments, currency);
  return {
    verdict: 'charged_twice',
    reason: `${chargedText(kept)}${unknown}. ${who} charged ${same}: ${total} in total.`,
  };
}

/**
 * Returns the verdict on an order.
 *
 * @param twins The orders that probably charged the same purchase; `undefined` if there are none.
 */
export function judge(order: Order, twins: Twins<Order> | undefined): Judgement {
  const { facts, sent } = order;
  const { captured } = facts;
  const kept = keptPayments(facts);
  if (isChargedTwice(facts, kept)) {
    const reason = `${chargedText(captured)} for one order.${remarks(facts, sent)}`;
    return { verdict: 'charged_twice', reason };
  }
  if (twins !== undefined) return chargedByTwins(order, kept, twins);
  const lost = sent.find(isLost);
  if (lost !== undefined) return unknownToApp(lost, order);
  return captured.length > 0 ? chargedOnce(order) : notCharged(order);
}
