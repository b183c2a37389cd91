/** Closes ways to pay that nobody needs. */

import type { Context } from '../context.ts';
import { joinIntent, joinSession } from '../record/join.ts';
import { nextOp, type OrderRecord, operationId, type Payment } from '../record/record.ts';
import { recordAt, update, updatePayment } from '../record/records.ts';
import { isUntold } from '../record/steps.ts';
import { createPage } from './create.ts';
import { formId } from './form.ts';
import { lookAtPayment } from './look.ts';
import { isFinalRefusal } from './refusal.ts';

async function closePage(context: Context, key: string, ref: string): Promise<void> {
  const session = await context.payments.checkoutSessions.expire(ref as `cs_${string}`);
  await update(context, key, (record) => joinSession(record, session));
}

async function closeIntent(context: Context, key: string, ref: string): Promise<void> {
  const intent = await context.payments.paymentIntents.cancel(ref as `pi_${string}`);
  await update(context, key, (record) => joinIntent(record, intent));
}

/** Voids an authorization of the form endpoint. */
async function voidSale(context: Context, key: string, { op, ref }: Payment): Promise<void> {
  // A journal sends no operation of unknown outcome again. Another void does no harm.
  const { record, result: attempt } = await update(context, key, nextOp);
  const { approved } = await context.payments.transact.void(
    { transactionid: String(ref) },
    { ...formId(context, operationId(record, attempt)), throwOnDecline: false },
  );
  if (!approved) return;
  await updatePayment(context, key, op, (payment) => {
    if (payment.status === 'authorized') payment.status = 'expired';
  });
}

async function close(context: Context, key: string, payment: Payment): Promise<void> {
  const { kind, ref } = payment;
  if (ref === null) return;
  if (kind === 'page') await closePage(context, key, ref);
  else if (kind === 'intent') await closeIntent(context, key, ref);
  else await voidSale(context, key, payment);
}

/** Asks the service to close what is open, once. What is paid there all the same counts, or goes back. */
export async function closeOpen(context: Context, key: string, { op }: Payment): Promise<void> {
  const { result: payment } = await updatePayment(context, key, op, (found) => {
    if (found.status !== 'open' || found.closing) return undefined;
    found.closing = true;
    return { ...found };
  });
  if (payment === undefined) return;
  try {
    await close(context, key, payment);
  } catch {
    // It may be paid already.
    await lookAtPayment(context, key, payment).catch(() => undefined);
  }
}

/**
 * Releases held money. If the service refuses that, it may have been taken or released elsewhere.
 *
 * @throws What the call threw, unless the service refused it for good: it is called again.
 */
async function release(context: Context, key: string, payment: Payment): Promise<void> {
  try {
    await close(context, key, payment);
  } catch (error) {
    if (!isFinalRefusal(error)) throw error;
    await lookAtPayment(context, key, payment).catch(() => undefined);
  }
  await updatePayment(context, key, payment.op, (own) => {
    if (own.status !== 'authorized') return;
    if (own.hold === 'last') own.status = 'expired';
    else own.hold = 'stuck';
  });
}

/** Closes what an order no longer needs. */
export async function closeNeedless(
  context: Context,
  key: string,
  record: OrderRecord,
  payment: Payment,
): Promise<void> {
  const { status, op } = payment;
  if (status === 'authorized') return release(context, key, payment);
  if (status === 'created') await createPage(context, key, record, op);
  await closeOpen(context, key, payment);
}

/** Closes all other ways to pay, before or after a new one is opened: the buyer should find one alone. Returns whether there were any. */
export async function closeOthers(context: Context, key: string, op: string): Promise<boolean> {
  const record = await recordAt(context, key);
  const isOther = (one: Payment) =>
    one.op !== op && (one.status === 'open' || isUntold(one, context.terms()));
  const others = record.payments.filter(isOther);
  for (const payment of others) {
    // The address of such a page was never told. If nobody learns it now, it is closed when the order is over.
    if (payment.status === 'created')
      await createPage(context, key, record, payment.op).catch(() => undefined);
    await closeOpen(context, key, payment);
  }
  return others.length > 0;
}
