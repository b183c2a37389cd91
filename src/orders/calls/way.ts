/** Finds or adds a way to pay what is due: one at a time, since two could charge twice. */

import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { nextOp, type OrderRecord, type Payment } from '../record/record.ts';
import { type Begun, noteRow, update } from '../record/records.ts';
import { isClosable, isKeyKnown, isUnsure } from '../record/steps.ts';
import { countedIn } from '../record/sums.ts';
import { drive } from '../steps/drive.ts';
import type { Money } from '../types/money.ts';
import type { OrderRow } from '../types/order.ts';

/** What a caller wants. */
export interface Wanted {
  readonly kind: Payment['kind'];
  /** Whether the money is captured later. */
  readonly manual: boolean;
  /** What the buyer agreed to; `undefined` for whatever is due. */
  readonly due?: Money | undefined;
  /** Returns the parameters of a new payment of what is due. */
  body(row: OrderRow, due: number, isRest: boolean): unknown;
}

/** Why there is nothing to pay. */
export type Closed = 'paid' | 'canceled' | 'in_progress' | 'authorized';

/** A way to pay, as it is recorded. */
export interface Way {
  readonly record: OrderRecord;
  readonly payment: Payment;
}

/** Whether a payment is still the way to pay an amount, and may be used again. */
function isFit(context: Context, payment: Payment, fresh: Payment): boolean {
  const terms = context.terms();
  const { status, since, expiresAt, closing } = payment;
  // The parameters say which kind it is, and what is asked for.
  const isSame = JSON.stringify(payment.body) === JSON.stringify(fresh.body);
  // After that, a repeat would make another one.
  const isNew = status === 'created' && isKeyKnown(since, terms);
  const isOpen = status === 'open' && (expiresAt ?? Number.POSITIVE_INFINITY) > terms.now;
  return isSame && !closing && (isNew || isOpen);
}

function freshPayment(
  fields: Pick<Payment, 'kind' | 'since' | 'asked' | 'currency' | 'body' | 'manual'>,
): Payment {
  return {
    ...fields,
    op: '',
    ref: null,
    intent: null,
    charge: null,
    status: fields.kind === 'sale' ? 'sending' : 'created',
    paid: 0,
    expiresAt: null,
    closing: false,
    hold: 'wanted',
    card: null,
    cards: 0,
    capture: null,
    searched: [],
    measured: false,
  };
}

function closedBy(record: OrderRecord): Closed | undefined {
  if (record.canceled) return 'canceled';
  if (record.settled !== null) return 'paid';
  if (record.payments.some(isUnsure)) return 'in_progress';
  return record.payments.some(({ status }) => status === 'authorized') ? 'authorized' : undefined;
}

/** @throws OrderError if the buyer agreed to another amount. */
function checkDue({ id }: OrderRecord, due: Money, agreed: Money | undefined): void {
  if (agreed === undefined) return;
  if (agreed.amount === due.amount && agreed.currency.toUpperCase() === due.currency) return;
  const message = `order ${id}: expected ${agreed.amount} ${agreed.currency} to be due, in minor units, got ${due.amount} ${due.currency}. Show the buyer what is due. Nothing was sent.`;
  throw orderError('ORDER_CHANGED', message);
}

function findIn(
  context: Context,
  record: OrderRecord,
  row: OrderRow,
  wanted: Wanted,
): Payment | Closed | 'settle' {
  const { now } = context.terms();
  // Another process may have read another row since: amount, currency and lines must be of one.
  noteRow(context, record, row);
  const closed = closedBy(record);
  if (closed !== undefined) return closed;
  const { amount, currency } = record.seen;
  const due = amount - countedIn(record, currency);
  if (due <= 0) return 'settle';
  checkDue(record, { amount: due, currency }, wanted.due);
  const { kind, manual } = wanted;
  const body = wanted.body(row, due, due !== amount);
  const fresh = freshPayment({ kind, since: now, asked: due, currency, body, manual });
  const fit =
    kind === 'sale' ? undefined : record.payments.findLast((payment) => isFit(context, payment, fresh));
  if (fit !== undefined) return fit;
  fresh.op = nextOp(record);
  record.payments.push(fresh);
  return fresh;
}

/**
 * Finds or adds a way to pay what is due. It is recorded before anything is sent.
 *
 * @throws What `onPaid` threw, for an order that turns out to be paid.
 */
export async function findWay(context: Context, { key, row }: Begun, wanted: Wanted): Promise<Way | Closed> {
  const { record, result } = await update(context, key, (draft) => findIn(context, draft, row, wanted));
  if (typeof result !== 'string') return { record, payment: result };
  if (
    result === 'authorized' &&
    record.payments.some((payment) => isClosable(record, payment, context.terms()))
  ) {
    // Money of another currency is held: it pays for nothing.
    await drive(context, key);
    return findWay(context, { key, row, record }, wanted);
  }
  if (result !== 'settle') return result;
  const settled = await drive(context, key);
  if (settled.settled !== null) return 'paid';
  // Its row was edited meanwhile.
  return settled.canceled ? 'canceled' : 'in_progress';
}
