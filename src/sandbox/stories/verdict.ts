import { moneyText } from '../domain/money-text.ts';
import type { RecordedRequest } from './entry.ts';
import type { Facts, KnownObject, Taken } from './facts.ts';
import type { SentRequest } from './sent-requests.ts';
import type { Money, Verdict } from './story.ts';

/** A verdict, and why. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** What is waited for in the states in which money may still be taken. */
const waitingFor: Readonly<Record<string, string>> = {
  'checkout_session open': 'The buyer can still pay.',
  'payment_intent requires_payment_method': 'It waits for a payment method.',
  'payment_intent requires_action': 'It waits for the buyer to authenticate.',
  'payment_intent requires_capture': 'The money is held: capture it, or cancel.',
  'transaction authorized': 'The money is held: capture it, or void it.',
  'invoice open': 'The invoice is collected again later.',
};

function whatIsWaitedFor(objects: readonly KnownObject[]): string | undefined {
  const present = objects.filter(({ isRemoved }) => !isRemoved);
  return present
    .map(({ kind, fields }) => waitingFor[`${kind} ${String(fields['status'])}`])
    .find((text) => text !== undefined);
}

/** How many times money is to be taken: once, or once for each invoice. */
function expectedCharges(objects: readonly KnownObject[]): number {
  const paid = objects.filter(({ kind, fields }) => kind === 'invoice' && fields['status'] === 'paid');
  return Math.max(1, paid.length);
}

function lostRequest(sent: readonly SentRequest[]): SentRequest | undefined {
  return sent.find(({ isExecuted, isKnown }) => isExecuted && !isKnown);
}

function unknownToApp({ attempts: [first] }: SentRequest): Judgement {
  const name = first.operation ?? `${first.method} ${first.path}`;
  const advice =
    first.idempotencyKey === null
      ? 'Look it up before you send it again: the endpoint has no idempotency keys.'
      : 'Send it again with the same operation id: the service repeats its answer.';
  return {
    verdict: 'unknown_to_app',
    reason: `The service did ${name}, and the app never got the answer. ${advice}`,
  };
}

const textOf = ({ amount, currency }: Money) => moneyText(amount, currency);

function timesText(count: number): string {
  if (count === 1) return '';
  return count === 2 ? ' twice' : ` ${count} times`;
}

/** What was taken, such as `$55.00 was taken twice`. */
function takenText(taken: readonly Taken[]): string {
  const [first] = taken;
  if (first === undefined) return 'No money was taken';
  const isSame = taken.every(
    ({ amount, currency }) => amount === first.amount && currency === first.currency,
  );
  if (!isSame) return `${taken.map(textOf).join(' and ')} were taken`;
  return `${textOf(first)} was taken${timesText(taken.length)}`;
}

function refundedText(taken: readonly Taken[]): string {
  const back = taken.filter(({ refunded }) => refunded > 0);
  const texts = back.map(({ refunded, currency }) => moneyText(refunded, currency));
  return texts.length === 0 ? '' : ` ${texts.join(' and ')} was refunded.`;
}

/** Whether a reply was lost, and came with a repetition. */
function isRepaired({ attempts, isExecuted, isKnown }: SentRequest): boolean {
  return isExecuted && isKnown && attempts.some(({ replayed }) => replayed) && attempts.some(isLost);
}

function isLost({ arrived, reply }: RecordedRequest): boolean {
  return !arrived && reply !== null;
}

function chargedOnce({ taken, objects }: Facts, sent: readonly SentRequest[]): Judgement {
  const expected = expectedCharges(objects);
  const each = expected > 1 ? `, once for each of ${expected} invoices` : '';
  const repaired = sent.some(isRepaired) ? ' A reply was lost, and the repeated request got it.' : '';
  return {
    verdict: 'charged_once',
    reason: `${takenText(taken)}${each}.${refundedText(taken)}${repaired}`,
  };
}

function notCharged({ objects }: Facts, sent: readonly SentRequest[]): Judgement {
  const next = whatIsWaitedFor(objects);
  if (next !== undefined) return { verdict: 'open', reason: `No money was taken yet. ${next}` };
  const isSent = sent.some(({ isExecuted }) => isExecuted);
  const reason = isSent || objects.length > 0 ? 'No money was taken.' : 'The service did nothing.';
  return { verdict: 'nothing_happened', reason };
}

/**
 * Judges an order by its own entries and a twin.
 *
 * @param twin The title of another order that took the same amount from the same customer at nearly the same time.
 */
export function judge(facts: Facts, sent: readonly SentRequest[], twin: string | undefined): Judgement {
  const { taken, objects } = facts;
  const kept = taken.filter(({ amount, refunded }) => refunded < amount);
  if (kept.length > expectedCharges(objects)) {
    return {
      verdict: 'charged_twice',
      reason: `${takenText(taken)} for one order.${refundedText(taken)}`,
    };
  }
  if (twin !== undefined && kept.length > 0) {
    const reason = `${takenText(kept)}, and '${twin}' took the same amount from the same customer at nearly the same time.`;
    return { verdict: 'charged_twice', reason };
  }
  const lost = lostRequest(sent);
  if (lost !== undefined) return unknownToApp(lost);
  return taken.length > 0 ? chargedOnce(facts, sent) : notCharged(facts, sent);
}
