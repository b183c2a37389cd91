/** Asks the service for news that no event brought. The paths of reads are inferred: a service without them leaves it to the events. */

import { NotFoundError } from '../../http/failure/api-errors.ts';
import type { Context } from '../context.ts';
import { joinIntent, joinRefund, joinSession } from '../record/join.ts';
import type { OrderRecord, Payment } from '../record/record.ts';
import { recordAt, update, updatePayment } from '../record/records.ts';
import { endDoubt, isInDoubt } from '../record/steps.ts';

/** Returns what a read returns; `undefined` if the service has no such object, or no such path. */
export async function news<Found>(read: PromiseLike<Found>): Promise<Found | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const isWatched = ({ status, ref }: Payment) => ref !== null && status !== 'paid';

/** Asks for news of a payment. */
export async function lookAtPayment(
  context: Context,
  key: string,
  { op, kind, ref }: Payment,
): Promise<void> {
  const { payments } = context;
  if (kind === 'page') {
    const session = await news(payments.checkoutSessions.retrieve(ref as `cs_${string}`));
    if (session !== undefined) await update(context, key, (record) => joinSession(record, session));
  }
  if (kind === 'intent') {
    const intent = await news(payments.paymentIntents.retrieve(ref as `pi_${string}`));
    await updatePayment(context, key, op, (payment, record) => {
      if (intent !== undefined) joinIntent(record, intent);
      // In another state, an earlier request may still charge the card.
      if (intent === undefined || intent.status === 'requires_payment_method')
        endDoubt(payment, intent !== undefined, context.terms());
    });
  }
}

async function lookAtRefund(context: Context, key: string, id: string): Promise<void> {
  const refund = await news(context.payments.refunds.retrieve(id as `rf_${string}`));
  if (refund !== undefined)
    await update(context, key, (record) => joinRefund(record, refund, context.terms().now));
}

function pendingRefunds({ parts, strays }: OrderRecord): string[] {
  const refunds = [...parts.map(({ status, ref: id }) => ({ status, id })), ...strays];
  return refunds.flatMap(({ status, id }) => (status === 'pending' && id !== null ? id : []));
}

/**
 * Asks for everything of an order that may have changed.
 *
 * @param since Leaves out payments that were made before this time, in ms.
 */
export async function look(context: Context, key: string, since = 0): Promise<void> {
  const record = await recordAt(context, key);
  const watched = record.payments.filter(
    (payment) => isWatched(payment) && (payment.since >= since || isInDoubt(payment)),
  );
  for (const payment of watched) await lookAtPayment(context, key, payment);
  for (const id of pendingRefunds(record)) await lookAtRefund(context, key, id);
}
