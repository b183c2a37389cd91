/** Takes the authorized money of an order, as much of it as is due. */

import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { nextOp, type OrderRecord } from '../record/record.ts';
import { begin, update } from '../record/records.ts';
import { isUnwanted } from '../record/steps.ts';
import { dueOf } from '../record/sums.ts';
import type { CardPayment } from '../types/order.ts';
import { finish } from './card-result.ts';

function planCapture(record: OrderRecord, since: number): void {
  const { seen, id } = record;
  const payment = record.payments.find(
    (one) => one.status === 'authorized' && one.currency === seen.currency && !isUnwanted(one),
  );
  if (payment === undefined) {
    const message = `capture: expected an authorization of order ${id} in ${seen.currency}, got none. Nothing was sent.`;
    throw orderError('ORDER_NOTHING_OPEN', message);
  }
  if (payment.capture !== null && payment.capture.state !== 'refused') return;
  const amount = Math.min(payment.asked, dueOf(record, seen));
  payment.hold = 'wanted';
  payment.capture = { op: nextOp(record), amount, state: 'planned', since };
}

/** Captures what is due. */
export async function capture(context: Context, id: string): Promise<CardPayment> {
  const { key } = await begin(context, id);
  await update(context, key, (record) => {
    // What was captured already may only have to be shipped.
    if (dueOf(record, record.seen) > 0) planCapture(record, context.terms().now);
  });
  return finish(context, key);
}
