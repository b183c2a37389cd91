/** Charges a card or a token by the form endpoint, which has no keys: one attempt at a time, and an unknown one waits for a person. */

import { refuseValue } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { CardholderAuthenticationError } from '../../transact/declined-error.ts';
import type { SaleParams } from '../../transact/params.ts';
import type { TransactionResult } from '../../transact/result.ts';
import type { Context } from '../context.ts';
import { orderError } from '../errors.ts';
import { operationId, type Payment } from '../record/record.ts';
import { type Begun, begin, recordAt, updatePayment } from '../record/records.ts';
import { saleTimeout } from '../record/steps.ts';
import { dueOf } from '../record/sums.ts';
import { rowTotal } from '../row.ts';
import { closeOthers } from '../steps/close.ts';
import { formAmount, formId } from '../steps/form.ts';
import { isUnsent } from '../steps/refusal.ts';
import type { CardPayment } from '../types/order.ts';
import type { CardOptions, SaleInput, SellOptions } from '../types/orders.ts';
import { finish } from './card-result.ts';
import { findWay, type Way } from './way.ts';

/** @throws ConfigurationError or OrderError if the form endpoint cannot charge the order. */
function checkCurrency({ saleCurrency }: Context, id: string, { row }: Begun): void {
  if (saleCurrency === undefined) {
    const expected = 'the currency of your account at the form endpoint';
    refuseValue('createOrders.saleCurrency', expected, undefined, 'Nothing was sent.');
  }
  const { currency } = rowTotal(row);
  if (currency === saleCurrency) return;
  const message = `order ${id}: expected an order in ${saleCurrency}, which the form endpoint charges, got one in ${currency}. Use checkout. Nothing was sent.`;
  throw orderError('ORDER_AMOUNT', message);
}

/** Changes a sale whose end is not known. One that a person closed may still turn out to be approved. */
async function note(context: Context, key: string, op: string, changes: Partial<Payment>): Promise<void> {
  await updatePayment(context, key, op, (payment) => {
    if (payment.status === 'paid' || payment.status === 'authorized') return;
    const isApproved = changes.status === 'paid' || changes.status === 'authorized';
    if (isApproved || payment.status !== 'declined') Object.assign(payment, changes);
  });
}

async function noteResult(
  context: Context,
  key: string,
  { op, manual, asked }: Payment,
  result: TransactionResult,
): Promise<void> {
  if (!result.approved) return note(context, key, op, { status: 'declined' });
  const ref = result.transactionid || null;
  await note(context, key, op, manual ? { status: 'authorized', ref } : { status: 'paid', ref, paid: asked });
}

/** Sends the sale. Returns why it was declined; `undefined` if it was not. */
async function send(
  context: Context,
  key: string,
  { record, payment }: Way,
  card: SaleInput,
  authentication: Omit<SellOptions, keyof CardOptions>,
): Promise<string | undefined> {
  const { op, asked, currency, manual } = payment;
  const options = {
    ...authentication,
    ...formId(context, operationId(record, op)),
    totalTimeout: saleTimeout,
    throwOnDecline: false,
  };
  try {
    const amount = formAmount(context, asked, currency);
    const params: SaleParams = { ...card, orderid: card.orderid ?? record.id, ...amount };
    const { transact } = context.payments;
    const result = await (manual ? transact.auth(params, options) : transact.sale(params, options));
    await noteResult(context, key, payment, result);
    return result.approved ? undefined : result.responsetext;
  } catch (error) {
    await note(context, key, op, { status: isUnsent(error) ? 'declined' : 'unknown' });
    if (error instanceof CardholderAuthenticationError) return error.reason;
    throw error;
  }
}

/** Charges a card or a token for what is due. */
export async function sell(
  context: Context,
  id: string,
  card: SaleInput,
  { capture = true, due, ...authentication }: SellOptions,
): Promise<CardPayment> {
  if (!isRecord(card)) return refuseValue('sell.card', 'the fields of a sale', card, 'Nothing was sent.');
  // The caller may change or wipe it while the call waits.
  const own = { ...card };
  for (const name of ['amount', 'currency'] as const)
    if (own[name] !== undefined)
      refuseValue(`sell.card.${name}`, 'none: the order has it', own[name], 'Nothing was sent.');
  const begun = await begin(context, id);
  checkCurrency(context, id, begun);
  const { key } = begun;
  const way = await findWay(context, begun, { kind: 'sale', manual: !capture, due, body: () => null });
  if (typeof way === 'string') return { state: way };
  await closeOthers(context, key, way.payment.op);
  // A page may have been paid until it was closed.
  const record = await recordAt(context, key);
  const isNeedless = dueOf(record, record.seen) < way.payment.asked;
  if (isNeedless) await note(context, key, way.payment.op, { status: 'declined' });
  const reason = isNeedless ? undefined : await send(context, key, way, own, authentication);
  return reason === undefined ? finish(context, key) : { state: 'declined', reason };
}
