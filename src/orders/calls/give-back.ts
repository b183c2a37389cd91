/** What a merchant does with an order: return, retry, cancel, capture, and say what a person found. */

import { isIntegerFrom } from '../../base/numbers.ts';
import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { planAgain, planReturn } from '../record/give-back.ts';
import { isOpenFailure, type OrderRecord } from '../record/record.ts';
import { beginAny, update } from '../record/records.ts';
import { leftOf, outstandingIn, paidIn, sumOver } from '../record/sums.ts';
import { viewOf } from '../record/view.ts';
import { drive } from '../steps/drive.ts';
import type { OrderName, OrderView } from '../types/order.ts';
import type { ReturnedMoney } from '../types/orders.ts';

/** Changes an order, does what follows, and returns its view. */
async function change(
  context: Context,
  order: OrderName,
  set: (record: OrderRecord) => void,
): Promise<OrderView> {
  const { key } = await beginAny(context, order);
  await update(context, key, set);
  return viewOf(await drive(context, key), context.terms());
}

function refuseRefund(message: string): never {
  throw orderError('ORDER_REFUND_REFUSED', `${message} Nothing was sent.`);
}

function addReturn(record: OrderRecord, returned: ReturnedMoney, now: number): void {
  const { id, amount } = returned;
  const currency = returned.currency.toUpperCase();
  const known = record.returns.find((one) => one.id === id);
  if (known !== undefined) {
    if (known.amount === amount && known.currency === currency) return;
    refuseRefund(
      `refund ${id}: expected ${known.amount} ${known.currency}, as it began, got ${amount} ${currency}.`,
    );
  }
  const { settled } = record;
  if (settled === null)
    return refuseRefund(
      `refund ${id}: expected a paid order, got ${record.id}, which is not. To give back what was paid, cancel it.`,
    );
  const left = sumOver(paidIn(record, settled.currency), (payment) => leftOf(record, payment));
  if (currency !== settled.currency || amount > left)
    refuseRefund(
      `refund ${id}: expected at most ${left} ${settled.currency} in minor units, got ${amount} ${currency}.`,
    );
  planReturn(record, id, amount, currency, now);
}

/** Gives money back. */
export function refund(context: Context, order: OrderName, returned: ReturnedMoney): Promise<OrderView> {
  return change(context, order, (record) => addReturn(record, returned, context.terms().now));
}

/** Gives back again what failed of a return, or of what was too much. */
export function retryRefund(context: Context, order: OrderName, returnId: string): Promise<OrderView> {
  return change(context, order, (record) => {
    const failed = record.parts.filter((part) => part.id === returnId && isOpenFailure(part));
    if (failed.length === 0) {
      const message = `retryRefund: expected a failed refund ${JSON.stringify(returnId)} of ${record.id}, got none. Nothing was sent.`;
      throw orderError('ORDER_NOTHING_OPEN', message);
    }
    const outstanding = outstandingIn(record).filter(({ failed: { id } }) => id === returnId);
    if (outstanding.length === 0)
      return refuseRefund(`retryRefund ${returnId}: expected money that was not given back, got none.`);
    for (const one of outstanding) planAgain(record, one, context.terms().now);
  });
}

/** Ends an order, unless it is paid. */
export function cancel(context: Context, order: OrderName): Promise<OrderView> {
  return change(context, order, (record) => {
    if (record.settled === null) record.canceled = true;
  });
}

/** Checks what a return is. */
export function isReturn({ id, amount, currency }: Readonly<Record<string, unknown>>): boolean {
  const isId = typeof id === 'string' && id !== '';
  return isId && isIntegerFrom(amount, 1) && typeof currency === 'string';
}
