/** Plans refunds: of what was paid too much, and of what the merchant returns. */

import { nextOp, type OrderRecord, opOfReturn, type Payment, type RefundAttempt } from './record.ts';
import { isUnmeasured } from './steps.ts';
import {
  addedOf,
  countedIn,
  countedOf,
  failedOf,
  keepsOf,
  leftOf,
  type Outstanding,
  paidIn,
} from './sums.ts';

/** Plans to give back a part of a payment. */
function plan(
  record: OrderRecord,
  { op: pay, currency }: Payment,
  fields: Pick<RefundAttempt, 'amount' | 'why' | 'since'> & { readonly id?: string | undefined },
): void {
  const { id = `extra-${record.counter + 1}` } = fields;
  const op = fields.id === undefined ? nextOp(record) : opOfReturn(record, id);
  const fresh = {
    ref: null,
    past: null,
    at: 0,
    message: null,
    sentAt: null,
    sent: 0,
    refused: 0,
    closed: null,
  } as const;
  record.parts.push({ ...fields, ...fresh, op, id, pay, currency, status: 'planned' });
}

/** Plans to give back all that was paid for a canceled order. What failed waits for a person. */
function planAll(record: OrderRecord, since: number): void {
  for (const payment of record.payments) {
    const amount = leftOf(record, payment) - failedOf(record, payment);
    if (amount > 0) plan(record, payment, { amount, why: 'extra', since });
  }
}

/** Plans to give back what is more than `keep` of what was paid in a currency, of the newest payment first. */
function planExcessIn(record: OrderRecord, currency: string, keep: number, since: number): void {
  let excess = countedIn(record, currency, true) - keep;
  for (const payment of paidIn(record, currency).toReversed()) {
    const counted = countedOf(record, payment, true);
    const part = Math.min(excess, counted);
    // A tip on a payment that goes back as a whole goes back too.
    const tip = part === counted ? addedOf(record, payment) : 0;
    // A return may have taken it already, or waits for a person. Then an older payment is too much.
    const amount = Math.min(part + tip, leftOf(record, payment) - failedOf(record, payment));
    if (part <= 0 || amount <= 0) continue;
    plan(record, payment, { amount, why: 'extra', since });
    excess -= Math.min(part, amount);
  }
}

/** Plans to give back what was paid too much, or for a canceled order. Runs in every write, so that no change can leave any. */
export function planExcess(record: OrderRecord, now: number): void {
  const { settled, canceled } = record;
  // What is not read yet may be less.
  if (record.payments.some(isUnmeasured)) return;
  if (canceled) planAll(record, now);
  if (settled === null) return;
  for (const currency of new Set(record.payments.map((payment) => payment.currency))) {
    planExcessIn(record, currency, keepsOf(record, currency), now);
  }
}

/** Forgets that an order was paid, since its row was edited before it shipped. What was too much for the old row, and was not sent, counts again. */
export function unsettle(record: OrderRecord): void {
  for (const part of record.parts) {
    if (part.status === 'planned' && part.sentAt === null) part.status = 'failed';
    // What a person has decided was about the old row.
    if (part.status === 'failed' && (part.sentAt === null || part.closed === 'kept'))
      part.closed = 'replaced';
  }
  record.settled = null;
}

/** Plans a return, of the oldest payment first. The caller has checked that so much is left. */
export function planReturn(
  record: OrderRecord,
  id: string,
  amount: number,
  currency: string,
  since: number,
): void {
  let rest = amount;
  record.returns.push({ id, amount, currency });
  for (const payment of paidIn(record, currency)) {
    const part = Math.min(rest, leftOf(record, payment));
    if (part > 0) plan(record, payment, { amount: part, why: 'return', id, since });
    rest -= part;
  }
}

/** Takes a part off a refund that failed. The failed one stays, so that a late event of it is not taken for another refund. */
function takeOff(failed: RefundAttempt, amount: number): void {
  if (amount === failed.amount) failed.closed = 'replaced';
  else failed.amount -= amount;
}

/** Plans to give back again what is owed of a refund that failed. */
export function planAgain(
  record: OrderRecord,
  { failed, payment, amount }: Outstanding,
  since: number,
): void {
  takeOff(failed, amount);
  const { why, id } = failed;
  plan(record, payment, { amount, why, id, since });
}

/** Returns what is owed of a refund that failed as a refund of its own, so that an answer to it says nothing of the rest. */
export function splitOff(record: OrderRecord, { failed, payment, amount }: Outstanding): RefundAttempt {
  if (failed.pay === payment.op && failed.amount === amount) return failed;
  const op = opOfReturn(record, failed.id);
  const own: RefundAttempt = { ...failed, op, pay: payment.op, amount, ref: null, past: null };
  takeOff(failed, amount);
  record.parts.push(own);
  return own;
}
