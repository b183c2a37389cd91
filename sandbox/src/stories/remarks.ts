import { moneyText } from '../domain/amounts.ts';
import type { RecordedDelivery, RecordedRequest } from './entry.ts';
import { type Facts, isIn, type KnownObject, moneyOfObject, type SentRequest } from './facts.ts';

const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** How a refund stands, in words. */
const refundStates: Readonly<Record<string, string>> = {
  pending: 'was made and is pending',
  succeeded: 'went back to the buyer',
  failed: 'failed',
};

/** Describes a refund, such as `A refund of $43.00 was made and is pending`. */
export function refundText(refund: KnownObject): string {
  const money = moneyOfObject(refund);
  const amount = money === null ? '' : ` of ${moneyText(money.amount, money.currency)}`;
  return `A refund${amount} ${refundStates[String(refund.fields['status'])] ?? 'was made'}`;
}

function refunds({ captured, objects, changes }: Facts): readonly string[] {
  const texts = captured.flatMap(({ refunded, currency }) =>
    refunded > 0 ? [moneyText(refunded, currency)] : [],
  );
  const failed = objects.filter(isIn('refund', 'failed'));
  const open = [...objects.filter(isIn('refund', 'pending')), ...failed].map((one) => `${refundText(one)}.`);
  if (texts.length === 0) return open;
  const isRetried = changes.some(
    ({ object, after }) =>
      object.kind === 'refund' &&
      after?.['status'] === 'failed' &&
      objects.some((one) => one.id === object.id && isIn('refund', 'succeeded')(one)),
  );
  return [`${texts.join(' and ')} was refunded${isRetried ? ', after a failed attempt' : ''}.`, ...open];
}

function disputed({ disputes }: Facts): string {
  const texts = disputes.map(({ amount, currency }) => moneyText(amount, currency));
  return texts.length === 0 ? '' : `The buyer disputes ${texts.join(' and ')}.`;
}

/** Returns why a card was declined, with the issuer's code if there is one. */
export function declineText({ objects }: Pick<Facts, 'objects'>): string | undefined {
  const declined = objects.findLast(
    (object) => isIn('charge', 'failed')(object) || isIn('transaction', 'declined')(object),
  );
  if (declined === undefined) return undefined;
  const { decline_code: code, responsetext } = declined.fields;
  const why = [code, responsetext].find((text) => typeof text === 'string' && text !== '');
  return why === undefined ? 'declined' : `declined: ${String(why).replaceAll('_', ' ').toLowerCase()}`;
}

/** Says how a renewal was declined: its invoice is open while the service retries it, and uncollectible after that. */
function unpaidInvoice({ objects }: Facts): string {
  const isOver = objects.some(isIn('invoice', 'uncollectible'));
  const times = objects.filter(isIn('charge', 'failed')).length;
  if (!isOver && !(objects.some(isIn('subscription', 'past_due')) && times > 0)) return '';
  return `A later invoice was declined ${timesText(times)} and is ${isOver ? 'not retried' : 'retried later'}.`;
}

function earlierDecline(facts: Facts): string {
  const declined = declineText(facts);
  return declined === undefined || unpaidInvoice(facts) !== '' ? '' : `An earlier attempt was ${declined}.`;
}

function lostItsReply({ arrived, reply }: RecordedRequest): boolean {
  return !arrived && reply !== null;
}

function repetition(sent: readonly SentRequest[]): string {
  if (sent.some(({ isLearned }) => isLearned)) return 'A reply was lost; the app learned the result later.';
  const replayed = sent.filter(
    ({ attempts, isExecuted }) => isExecuted && attempts.some((one) => one.replayed),
  );
  if (replayed.some(({ attempts }) => attempts.some(lostItsReply)))
    return 'A reply was lost; the app retried the request and got the same reply.';
  return replayed.length === 0
    ? ''
    : 'The app retried a request and got the same reply, without a second charge.';
}

/** Whether an endpoint got an event in any attempt, or when it was redelivered. */
function isDelivered({ event, endpointId }: RecordedDelivery, all: readonly RecordedDelivery[]): boolean {
  return all.some(
    (one) => one.event.id === event.id && one.endpointId === endpointId && one.status === 'delivered',
  );
}

function webhooks({ deliveries }: Facts): string {
  const failed = deliveries.filter(({ status }) => status !== 'delivered');
  if (failed.length === 0) return '';
  const times = timesText(failed.length);
  const missed = new Set(
    failed.filter((delivery) => !isDelivered(delivery, deliveries)).map(({ event }) => event.id),
  );
  const end = missed.size === 1 ? 'misses an event' : `misses ${missed.size} events`;
  return `Your webhook endpoint failed ${times}${missed.size === 0 ? ', then received every event' : ` and ${end}`}.`;
}

/** Returns further facts about a paid order, in sentences. */
export function remarks(facts: Facts, sent: readonly SentRequest[]): string {
  const all = [
    earlierDecline(facts),
    ...refunds(facts),
    disputed(facts),
    unpaidInvoice(facts),
    repetition(sent),
    webhooks(facts),
  ];
  return all
    .filter((text) => text !== '')
    .map((text) => ` ${text}`)
    .join('');
}
