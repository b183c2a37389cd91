/**
 * Joins what the service says of an object with what is known. Each answer and each event passes here. So their order, their age and their
 * number do not matter.
 */

import { isIntegerFrom } from '../../base/numbers.ts';
import { toMinorUnits } from '../../money/to-minor-units.ts';
import { dateOf } from '../../resources/fields/timestamps.ts';
import type { CheckoutSession } from '../../resources/objects/checkout-sessions.ts';
import type { PaymentIntent } from '../../resources/objects/payment-intents.ts';
import type { Refund } from '../../resources/objects/refunds.ts';
import type { Chargeback } from '../../webhooks/events/chargeback.ts';
import { orderError } from '../errors.ts';
import {
  type Capture,
  idsOf,
  type OrderRecord,
  type Payment,
  paymentOf,
  type RefundAttempt,
  type Stray,
} from './record.ts';
import { isUnanswered, type Terms } from './steps.ts';

/** @throws OrderError for an object of the other mode. */
function checkMode(
  record: OrderRecord,
  { id, livemode }: { readonly id: string; readonly livemode: boolean },
): void {
  if (record.livemode !== null && record.livemode !== livemode) {
    const [expected, received] = livemode ? ['test', 'live'] : ['live', 'test'];
    throw orderError(
      'ORDER_MODE',
      `order ${record.id}: expected an object of ${expected} mode, got ${id} of ${received} mode. Use one store or one account for each mode.`,
      { outcome: 'unknown' },
    );
  }
  record.livemode = livemode;
}

/** A payment stays paid, whatever arrives later. A closed page may still turn out to be paid. */
function close(payment: Payment): void {
  if (payment.status !== 'paid') payment.status = 'expired';
}

/** @throws OrderError for what is no amount: it must not be stored. */
export function checkedAmount(id: string, amount: number): number {
  if (isIntegerFrom(amount, 0)) return amount;
  const message = `expected an integer amount of ${id} in minor units, got ${String(amount)}. Ask for it again later.`;
  throw orderError('ORDER_AMOUNT', message, { outcome: 'unknown' });
}

function pay(payment: Payment, taken: number, currency: string): void {
  const amount = checkedAmount(payment.ref ?? payment.op, taken);
  Object.assign(payment, { status: 'paid', paid: amount, currency: currency.toUpperCase(), card: null });
  // A capture that was never sent took nothing. Of one without an answer it is read what was taken.
  if (payment.capture?.state === 'planned') payment.capture.state = 'refused';
}

const isSent = ({ state }: Capture) => state === 'sending' || state === 'done';

/** Joins a session. */
export function joinSession(record: OrderRecord, session: CheckoutSession): void {
  const payment = record.payments.find(({ ref }) => ref === session.id);
  if (payment === undefined) return;
  checkMode(record, session);
  payment.expiresAt = dateOf(session.expires_at).getTime();
  payment.intent = session.payment_intent_id ?? payment.intent;
  if (session.payment_status === 'paid') pay(payment, session.amount_total, session.currency);
  // One that is complete without a payment takes none any more, as far as anybody can tell.
  else if (session.status !== 'open') close(payment);
}

/** Returns what an intent took. One that was captured by us took what we captured. */
function takenBy({ capture }: Payment, { amount }: PaymentIntent): number {
  return capture !== null && isSent(capture) ? capture.amount : amount;
}

/** The state of a card by that of its intent. */
function joinCard(payment: Payment, { status, payment_method }: PaymentIntent): void {
  if (payment.card === null) return;
  if (status === 'requires_action') payment.card.state = 'action';
  // A payment method is taken off an intent when it was declined.
  else if (
    status === 'requires_payment_method' &&
    payment_method === null &&
    payment.card.state === 'action'
  ) {
    payment.card.state = 'declined';
  }
}

/** Joins an intent: that of a card payment, or the one behind a page. */
export function joinIntent(record: OrderRecord, intent: PaymentIntent): void {
  const payment = record.payments.find((one) => one.intent === intent.id);
  if (payment === undefined) return;
  checkMode(record, intent);
  if (intent.status === 'succeeded') payment.charge = intent.latest_charge_id;
  // What a page took, its session says.
  if (payment.kind !== 'intent') return;
  joinCard(payment, intent);
  if (intent.status === 'succeeded') {
    // What was measured once is not measured again.
    if (payment.status !== 'paid') pay(payment, takenBy(payment, intent), intent.currency);
  } else if (intent.status === 'canceled') close(payment);
  else if (intent.status === 'requires_capture' && ['open', 'unknown'].includes(payment.status))
    payment.status = 'authorized';
}

type Progress = Pick<Stray, 'status' | 'at' | 'message'>;
type Known = { status: RefundAttempt['status']; at: number; message: string | null };

const rank = { planned: 0, pending: 1, succeeded: 2, failed: 3 } as const;

/** Joins the state of a refund: the latest counts, and of two at the same time the later in its life. */
function advance(known: Known, { status, at, message }: Progress): void {
  const isNewer =
    known.status === 'planned' || at > known.at || (at === known.at && rank[status] > rank[known.status]);
  if (isNewer) Object.assign(known, { status, at, message });
}

/** Returns the state of a refund; `undefined` for a status that this version does not know. */
function progressOf({ status, updated_at: at, failure_message: message }: Refund): Progress | undefined {
  if (status !== 'pending' && status !== 'succeeded' && status !== 'failed') return undefined;
  return { status, at, message: message ?? null };
}

/** Returns a refund as one that is not ours; `undefined` for a status that this version does not know. */
export function strayOf(refund: Refund, since: number): Stray | undefined {
  const progress = progressOf(refund);
  const { id, amount, currency, payment_intent_id: intent } = refund;
  return (
    progress && {
      id,
      amount: checkedAmount(id, amount),
      currency: currency.toUpperCase(),
      intent,
      ...progress,
      since,
      known: false,
    }
  );
}

/** Joins a refund that is not one of ours, or not yet known to be. */
export function joinStray(record: Pick<OrderRecord, 'parts' | 'strays'>, stray: Stray): void {
  if (record.parts.some(({ past }) => past?.id === stray.id && stray.at <= past.at)) return;
  const part = record.parts.find(({ ref }) => ref === stray.id);
  const known = part ?? record.strays.find(({ id }) => id === stray.id);
  if (known === undefined) record.strays.push(stray);
  else advance(known, stray);
}

/**
 * Joins a refund.
 *
 * @param now The time, in ms.
 * @param op The operation that made it, if it is the answer of one.
 */
export function joinRefund(record: OrderRecord, refund: Refund, now: number, op?: string): void {
  const stray = strayOf(refund, now);
  if (stray === undefined) return;
  checkMode(record, refund);
  const part = record.parts.find((one) => op !== undefined && one.op === op && one.ref === null);
  if (part !== undefined) {
    part.ref = refund.id;
    // Its event came before this answer.
    const known = record.strays.find(({ id }) => id === refund.id);
    record.strays = record.strays.filter((one) => one !== known);
    if (known !== undefined) advance(part, known);
  }
  joinStray(record, stray);
}

/**
 * Takes a refund that nobody knew for one of ours of the same amount whose answer was lost: after the time of its key it cannot be made any
 * more, and if the buyer has the money, it need not.
 */
export function adoptStrays(record: OrderRecord, terms: Terms): void {
  for (const part of record.parts.filter((one) => isUnanswered(record, one, terms))) {
    const { amount, currency, sentAt } = part;
    const intent = paymentOf(record, part.pay).intent;
    const stray = record.strays.find(
      (one) =>
        one.intent === intent &&
        one.amount === amount &&
        one.currency === currency &&
        !one.known &&
        one.since >= (sentAt ?? 0),
    );
    if (stray !== undefined) takeRefund(record, part, stray.id);
  }
}

/** Takes a refund for one of ours. Whatever was known of its id is now known of ours. */
export function takeRefund(record: OrderRecord, part: RefundAttempt, id: string): void {
  if (part.ref !== null && part.ref !== id) part.past = { id: part.ref, at: part.at };
  Object.assign(part, { ref: id, status: 'succeeded', at: 0, message: null });
  const known = record.strays.find((stray) => stray.id === id);
  record.strays = record.strays.filter((stray) => stray !== known);
  if (known !== undefined) joinStray(record, known);
}

/** Returns the amount of a chargeback in minor units; null if it cannot be read. The notification has no currency. */
function disputedAmount(text: string, { currency }: Payment): number | null {
  try {
    return toMinorUnits(text, currency);
  } catch {
    return null;
  }
}

/** What a notification says of a chargeback. */
export type Notice = Pick<
  Chargeback,
  'chargeback_id' | 'transaction_id' | 'amount' | 'reason_code' | 'reason' | 'due_date'
>;

/**
 * Joins a chargeback of one of the order's payments.
 *
 * @param intent The intent of its transaction, if the service was asked.
 */
export function joinChargeback(record: OrderRecord, notice: Notice, intent?: string): void {
  const { chargeback_id: id, transaction_id, amount, reason_code, reason, due_date } = notice;
  const names = new Set([transaction_id, intent]);
  const payment = record.payments.find((one) => idsOf(one).some((id) => names.has(id)));
  if (payment === undefined) return;
  if (intent !== undefined) payment.charge ??= transaction_id;
  const detail = `${reason_code} ${reason}: respond by ${due_date}`;
  const known = record.disputes.find((dispute) => dispute.id === id);
  const taken = disputedAmount(amount, payment);
  if (known !== undefined) Object.assign(known, { detail, amount: taken });
  else
    record.disputes.push({
      id,
      pay: payment.op,
      amount: taken,
      status: 'open',
      detail,
    });
}
