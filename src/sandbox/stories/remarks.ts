import { moneyText } from '../domain/money-text.ts';
import type { RecordedDelivery, RecordedRequest } from './entry.ts';
import type { CapturedPayment, Facts, KnownObject } from './facts.ts';
import type { SentRequest } from './sent-requests.ts';

const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`);

function isIn(kind: string, status: string): (object: KnownObject) => boolean {
  return (object) => object.kind === kind && object.fields['status'] === status;
}

function refunds({ captured, changes }: Facts): string {
  const texts = captured.flatMap(({ refunded, currency }: CapturedPayment) =>
    refunded > 0 ? [moneyText(refunded, currency)] : [],
  );
  if (texts.length === 0) return '';
  const isRetried = changes.some(
    ({ object, after }) => object.kind === 'refund' && after?.['status'] === 'failed',
  );
  return `${texts.join(' and ')} was refunded${isRetried ? ', after a failed attempt' : ''}.`;
}

function disputes({ disputed, captured: [first] }: Facts): string {
  return disputed === 0 || first === undefined
    ? ''
    : `The buyer disputes ${moneyText(disputed, first.currency)}.`;
}

/** Returns why a card was declined, with the issuer's code if there is one. */
export function declineText({ objects }: Pick<Facts, 'objects'>): string | undefined {
  const declined = objects.findLast(isIn('charge', 'failed'));
  if (declined === undefined) return undefined;
  const code = declined.fields['decline_code'];
  return typeof code === 'string' ? `declined: ${code.replaceAll('_', ' ')}` : 'declined';
}

function unpaidInvoice({ objects }: Facts): string {
  if (!objects.some(isIn('invoice', 'uncollectible'))) return '';
  const times = timesText(objects.filter(isIn('charge', 'failed')).length);
  return `A later invoice was declined ${times} and is not retried.`;
}

function earlierDecline(facts: Facts): string {
  const declined = declineText(facts);
  return declined === undefined || unpaidInvoice(facts) !== '' ? '' : `An earlier attempt was ${declined}.`;
}

function isLost({ arrived, reply }: RecordedRequest): boolean {
  return !arrived && reply !== null;
}

function repetition(sent: readonly SentRequest[]): string {
  const replayed = sent.filter(
    ({ attempts, isExecuted }) => isExecuted && attempts.some((one) => one.replayed),
  );
  if (replayed.some(({ attempts }) => attempts.some(isLost)))
    return 'A reply was lost; the app retried the request and got the same reply.';
  return replayed.length === 0
    ? ''
    : 'The app retried a request and got the same reply, without a second charge.';
}

/** Whether a delivery succeeded in any attempt. */
function isDelivered(delivery: RecordedDelivery, all: readonly RecordedDelivery[]): boolean {
  return all.some(({ deliveryId, status }) => deliveryId === delivery.deliveryId && status === 'delivered');
}

function webhooks({ deliveries }: Facts): string {
  const failed = deliveries.filter(({ status }) => status !== 'delivered');
  if (failed.length === 0) return '';
  const times = timesText(failed.length);
  const isOver = failed.every((delivery) => isDelivered(delivery, deliveries));
  return `Your webhook endpoint failed ${times}${isOver ? ', then received every event' : ' and misses an event'}.`;
}

/** Returns further facts about a paid order, in sentences. */
export function remarks(facts: Facts, sent: readonly SentRequest[]): string {
  const all = [
    earlierDecline(facts),
    refunds(facts),
    disputes(facts),
    unpaidInvoice(facts),
    repetition(sent),
    webhooks(facts),
  ];
  return all
    .filter((text) => text !== '')
    .map((text) => ` ${text}`)
    .join('');
}
