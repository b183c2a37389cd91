/** Takes authorized money. */

import type { Context } from '../context.ts';
import { checkedAmount, joinIntent } from '../record/join.ts';
import { type Capture, type OrderRecord, operationId, type Payment } from '../record/record.ts';
import { noteRowOf, recordAt, updatePayment } from '../record/records.ts';
import { isCapturable, isUnmeasured, saleTimeout } from '../record/steps.ts';
import { dueOf } from '../record/sums.ts';
import { formAmount, formId } from './form.ts';
import { lookAtPayment, news } from './look.ts';
import { isFinalRefusal, isUnsent } from './refusal.ts';

interface Started {
  readonly record: OrderRecord;
  readonly payment: Payment;
  readonly capture: Capture;
}

async function start(context: Context, key: string, id: string, op: string): Promise<Started | undefined> {
  const row = await context.row(id);
  const { record, result } = await updatePayment(context, key, op, (payment, draft) => {
    const terms = context.terms();
    noteRowOf(context, draft, row);
    const { capture } = payment;
    if (capture === null || !isCapturable(draft, payment, terms)) return undefined;
    const amount = Math.min(payment.asked, dueOf(draft, draft.seen));
    if (capture.state === 'planned') Object.assign(capture, { state: 'sending', since: terms.now, amount });
    return { payment: { ...payment }, capture: { ...capture } };
  });
  return result && { record, ...result };
}

function change(
  context: Context,
  key: string,
  op: string,
  set: (payment: Payment, capture: Capture) => void,
) {
  return updatePayment(context, key, op, (payment) => {
    if (payment.status === 'authorized' && payment.capture !== null) set(payment, payment.capture);
  });
}

/** Records that the service refused a capture. The authorization stays, but it may have lapsed. */
function refuse(payment: Payment, capture: Capture): void {
  capture.state = 'refused';
  payment.hold = 'refused';
}

/** Records a capture that was not executed. */
function noteUnsent(error: unknown, payment: Payment, capture: Capture): void {
  if (isFinalRefusal(error)) refuse(payment, capture);
  else capture.state = 'planned';
}

async function captureSale(
  context: Context,
  key: string,
  { record, payment, capture }: Started,
): Promise<void> {
  const { op, ref, currency } = payment;
  try {
    const result = await context.payments.transact.capture(
      { transactionid: String(ref), ...formAmount(context, capture.amount, currency) },
      {
        ...formId(context, operationId(record, capture.op)),
        totalTimeout: saleTimeout,
        throwOnDecline: false,
      },
    );
    await change(context, key, op, (draft, own) => {
      if (!result.approved) return refuse(draft, own);
      own.state = 'done';
      Object.assign(draft, { status: 'paid', paid: own.amount });
    });
  } catch (error) {
    await change(context, key, op, (draft, own) => {
      if (isUnsent(error)) noteUnsent(error, draft, own);
      else own.state = 'unknown';
    });
    throw error;
  }
}

async function captureIntent(
  context: Context,
  key: string,
  { record, payment, capture }: Started,
): Promise<void> {
  const { op, ref, asked } = payment;
  // The whole amount is what a service without parameters captures, too.
  const params = capture.amount === asked ? {} : { amount: capture.amount };
  try {
    const intent = await context.payments.paymentIntents.capture(ref as `pi_${string}`, params, {
      operationId: operationId(record, capture.op),
    });
    await updatePayment(context, key, op, (own, draft) => {
      if (intent.status === 'succeeded' && own.capture !== null) own.capture.state = 'done';
      joinIntent(draft, intent);
    });
  } catch (error) {
    if (isUnsent(error)) await change(context, key, op, (draft, own) => noteUnsent(error, draft, own));
    // It may have been captured or canceled elsewhere.
    if (isFinalRefusal(error)) await lookAtPayment(context, key, payment).catch(() => undefined);
    throw error;
  }
}

/**
 * Sends a planned capture.
 *
 * @throws What the call threw. Refused for good, the authorization waits for a person, or for another capture.
 */
export async function sendCapture(context: Context, key: string, id: string, op: string): Promise<void> {
  const started = await start(context, key, id, op);
  if (started === undefined) return;
  if (started.payment.kind === 'sale') await captureSale(context, key, started);
  else await captureIntent(context, key, started);
}

/** Reads how much of an authorization was taken: an intent may still show all of it. */
export async function measure(context: Context, key: string): Promise<void> {
  const { payments } = await recordAt(context, key);
  for (const { op, charge } of payments.filter(isUnmeasured)) {
    const found = await news(context.payments.charges.retrieve(charge as `ch_${string}`));
    await updatePayment(context, key, op, (payment) => {
      payment.measured = true;
      if (found !== undefined) payment.paid = checkedAmount(found.id, found.amount);
    });
  }
}
