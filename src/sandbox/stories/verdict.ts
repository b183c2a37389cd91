import { moneyText } from '../domain/money-text.ts';
import type { CapturedPayment, Facts, KnownObject } from './facts.ts';
import { declineText, remarks } from './remarks.ts';
import type { SentRequest } from './sent-requests.ts';
import type { Money, Verdict } from './story.ts';

/** A verdict with its reason. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** The next step in each state in which a charge is still possible. */
const nextSteps: Readonly<Record<string, string>> = {
  'checkout_session open': 'The buyer can still pay.',
  'payment_intent requires_payment_method': 'It needs a payment method.',
  'payment_intent requires_action': 'The buyer must authenticate.',
  'payment_intent requires_capture': 'The amount is authorized: capture it or cancel.',
  'transaction authorized': 'The amount is authorized: capture it or void it.',
  'invoice open': 'The service retries the invoice later.',
};

function nextStepOf(objects: readonly KnownObject[]): string | undefined {
  const present = objects.filter(({ isRemoved }) => !isRemoved);
  return present
    .map(({ kind, fields }) => nextSteps[`${kind} ${String(fields['status'])}`])
    .find((text) => text !== undefined);
}

/** Returns the expected number of charges: one, or one for each paid invoice. */
function expectedCharges(objects: readonly KnownObject[]): number {
  const paid = objects.filter(({ kind, fields }) => kind === 'invoice' && fields['status'] === 'paid');
  return Math.max(1, paid.length);
}

function lostRequest(sent: readonly SentRequest[]): SentRequest | undefined {
  return sent.find(({ isExecuted, isKnown }) => isExecuted && !isKnown);
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

function unknownToApp({ attempts: [first] }: SentRequest, { captured }: Facts): Judgement {
  const name = first.operation ?? `${first.method} ${first.path}`;
  const done = captured.length === 0 ? `The service executed ${name}` : chargedText(captured);
  const advice =
    first.idempotencyKey === null
      ? 'Look it up before you retry it: it was sent without an idempotency key.'
      : 'Retry it with the same operation id: the service replays the reply, without a second charge.';
  return {
    verdict: 'unknown_to_app',
    reason: `${done}, but the app never received the reply to ${name}. ${advice}`,
  };
}

function chargedOnce(facts: Facts, sent: readonly SentRequest[]): Judgement {
  const { captured, objects } = facts;
  const expected = expectedCharges(objects);
  const each = expected > 1 ? `, once for each of ${expected} invoices` : '';
  return { verdict: 'charged_once', reason: `${chargedText(captured)}${each}.${remarks(facts, sent)}` };
}

/** Returns what prevented the charge. */
function obstacle(facts: Facts): string {
  const is = (kind: string, status: string) =>
    facts.objects.some(({ kind: other, fields }) => other === kind && fields['status'] === status);
  if (is('authentication', 'failed')) return ' 3-D Secure failed.';
  if (is('checkout_session', 'expired')) return ' The session expired.';
  if (is('payment_intent', 'canceled')) return ' The payment was canceled.';
  const declined = declineText(facts);
  return declined === undefined ? '' : ` The card was ${declined}.`;
}

function notCharged(facts: Facts, sent: readonly SentRequest[]): Judgement {
  const next = nextStepOf(facts.objects);
  if (next !== undefined) {
    return { verdict: 'open', reason: `Nothing was charged yet.${obstacle(facts)} ${next}` };
  }
  const isDone = facts.objects.length > 0 || sent.some(({ isExecuted }) => isExecuted);
  const reason = isDone ? `Nothing was charged.${obstacle(facts)}` : 'The service executed no request.';
  return { verdict: 'nothing_happened', reason };
}

/**
 * Returns the verdict on an order.
 *
 * @param duplicate The title of another order with the same amount and customer at nearly the same time.
 */
export function judge(facts: Facts, sent: readonly SentRequest[], duplicate: string | undefined): Judgement {
  const { captured, objects } = facts;
  const unrefunded = captured.filter(({ amount, refunded }) => refunded < amount);
  if (unrefunded.length > expectedCharges(objects)) {
    return {
      verdict: 'charged_twice',
      reason: `${chargedText(captured)} for one order.${remarks(facts, sent)}`,
    };
  }
  const [first] = unrefunded;
  if (duplicate !== undefined && first !== undefined) {
    const reason = `${chargedText(unrefunded)}, and '${duplicate}' charged the same customer the same amount at nearly the same time: ${moneyText(2 * first.amount, first.currency)} in total. If both are one purchase, refund one of them.`;
    return { verdict: 'charged_twice', reason };
  }
  const lost = lostRequest(sent);
  if (lost !== undefined) return unknownToApp(lost, facts);
  return captured.length > 0 ? chargedOnce(facts, sent) : notCharged(facts, sent);
}
