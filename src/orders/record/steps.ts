/** Which steps may still be taken. What may act twice, or nobody can tell, waits for a person. */

import { day, minute } from '../../base/time.ts';
import { type OrderRecord, type Payment, paymentOf, type RefundAttempt } from './record.ts';
import { dueOf } from './sums.ts';

/** What decides whether a step may be taken. */
export interface Terms {
  /** The time, in ms. */
  readonly now: number;
  /** How long the service remembers an idempotency key, in ms. */
  readonly keyLifetime: number;
}

/** How long a transaction of the form endpoint may take, in ms. */
export const saleTimeout = 2 * minute;

/** After that, its process has died. */
const saleLease = saleTimeout + minute;

/** Whether a transaction of the form endpoint that began at a time can have no answer any more. */
function isLost(since: number, { now }: Terms): boolean {
  return since + saleLease <= now;
}

/** Whether the service still knows the key of what was sent first at a time. */
export function isKeyKnown(sentAt: number, { now, keyLifetime }: Terms): boolean {
  return sentAt + keyLifetime > now;
}

/** Whether the outcome of a payment is not known, so that another one could charge twice. */
export const isUnsure = ({ status }: Payment) => status === 'sending' || status === 'unknown';

/** Whether a refund may be sent: for the first time, or again with the same key. */
export function isSendable(
  record: OrderRecord,
  { status, sentAt, pay }: RefundAttempt,
  terms: Terms,
): boolean {
  if (status !== 'planned') return false;
  if (sentAt === null) return true;
  return paymentOf(record, pay).kind !== 'sale' && isKeyKnown(sentAt, terms);
}

/** Whether nobody but a person can tell what became of a refund. */
export function isUnanswered(record: OrderRecord, part: RefundAttempt, terms: Terms): boolean {
  const isUnderWay =
    part.sentAt !== null && paymentOf(record, part.pay).kind === 'sale' && !isLost(part.sentAt, terms);
  return part.status === 'planned' && !isSendable(record, part, terms) && !isUnderWay;
}

/** An expired page may still be paid, and a card be charged late: they are looked at for this long. */
export const watchedFor = 8 * day;

/** Whether nobody knows what became of a card: then its intent is looked at until a look after the usual time. */
export function isInDoubt({ status, card }: Payment): boolean {
  return status === 'open' && card?.state === 'sending';
}

/** Ends the doubt about a card that was sent so long ago that no answer can be meant for it: it was declined, unless nobody can tell. */
export function endDoubt(payment: Payment, isRead: boolean, { now }: Terms): void {
  const { card } = payment;
  if (card === null || !isInDoubt(payment) || card.since + watchedFor > now) return;
  if (isRead) card.state = 'declined';
  else payment.status = 'unknown';
}

/** Whether a person wants held money to be released. */
export const isUnwanted = ({ hold }: Payment) => hold === 'unwanted' || hold === 'last';

/** Whether held money is to be released: of an order that is over, or sold in another currency by now, or since a person said so. */
function isReleasable(isOver: boolean, { seen }: OrderRecord, payment: Payment): boolean {
  const { kind, currency, capture, hold } = payment;
  const isNeeded = !isOver && currency === seen.currency && !isUnwanted(payment);
  // An intent is captured or canceled. Of the form endpoint, a refused void would not tell which.
  const isBeingTaken = kind === 'sale' && capture?.state === 'sending';
  return !isNeeded && !isBeingTaken && hold !== 'stuck';
}

/** Whether a way to pay is to be closed, since the order needs none. */
export function isClosable(record: OrderRecord, payment: Payment, terms: Terms): boolean {
  const isOver = record.settled !== null || record.canceled;
  if (payment.status === 'authorized') return isReleasable(isOver, record, payment);
  const isOpen = payment.status === 'open' && !payment.closing;
  return isOver && (isOpen || isUntold(payment, terms));
}

/** Whether a page may have been opened of which no answer told. While its key is known, a repeat tells. */
export function isUntold({ kind, status, since }: Payment, terms: Terms): boolean {
  return kind === 'page' && status === 'created' && isKeyKnown(since, terms);
}

/** Whether nobody but a person can tell what became of held money. */
export function isHoldRefused({ status, hold }: Payment): boolean {
  return status === 'authorized' && (hold === 'refused' || hold === 'stuck');
}

/** Returns when what has been sent to the form endpoint can have no answer any more, in ms. */
export function lossTimesOf(record: OrderRecord): number[] {
  const { payments, parts } = record;
  const sales = payments.filter(({ kind }) => kind === 'sale');
  const sent = [
    ...sales.flatMap(({ status, since }) => (status === 'sending' ? since : [])),
    ...sales.flatMap(({ capture }) => (capture?.state === 'sending' ? capture.since : [])),
    ...parts.flatMap(({ status, sentAt, pay }) =>
      status === 'planned' && sentAt !== null && paymentOf(record, pay).kind === 'sale' ? sentAt : [],
    ),
  ];
  return sent.map((since) => since + saleLease);
}

/** Whether a capture may be sent: for the first time, or again with the same key. An order that is over, or has no such row, takes nothing. */
export function isCapturable(record: OrderRecord, payment: Payment, terms: Terms): boolean {
  const { status, kind, currency, capture } = payment;
  const isWanted = dueOf(record, record.seen) > 0 && currency === record.seen.currency && !record.missing;
  if (status !== 'authorized' || capture === null || !isWanted) return false;
  if (capture.state === 'planned') return true;
  return kind === 'intent' && capture.state === 'sending' && isKeyKnown(capture.since, terms);
}

/** Whether nobody but a person can tell what became of a capture. */
export function isCaptureUnanswered({ status, kind, capture }: Payment, terms: Terms): boolean {
  if (status !== 'authorized' || capture === null) return false;
  return (
    capture.state === 'unknown' ||
    (kind === 'intent' && capture.state === 'sending' && !isKeyKnown(capture.since, terms))
  );
}

/** Whether it is to be read how much of an authorization was taken, since it was not captured here. */
export function isUnmeasured({ kind, manual, status, measured, charge, capture, asked }: Payment): boolean {
  // A service may take all, whatever a capture asks for.
  const isSure = capture?.state === 'done' && capture.amount === asked;
  return kind === 'intent' && manual && status === 'paid' && !isSure && !measured && charge !== null;
}

/** Turns transactions of the form endpoint whose process died into unknown ones. */
export function loseSales(record: OrderRecord, terms: Terms): void {
  for (const payment of record.payments) {
    if (payment.status === 'sending' && isLost(payment.since, terms)) payment.status = 'unknown';
    const { capture } = payment;
    if (payment.kind === 'sale' && capture?.state === 'sending' && isLost(capture.since, terms))
      capture.state = 'unknown';
  }
}
