/** Creates what a way to pay needs, or gets what a lost response was about: a repeat has the same key. */

import type {
  CheckoutSession,
  CheckoutSessionCreateParams,
} from '../../resources/objects/checkout-sessions.ts';
import type { PaymentIntentCreateParams } from '../../resources/objects/payment-intents.ts';
import type { Context } from '../context.ts';
import { joinIntent, joinSession } from '../record/join.ts';
import { type OrderRecord, operationId, type Payment, paymentOf } from '../record/record.ts';
import { updatePayment } from '../record/records.ts';
import { isFinalRefusal } from './refusal.ts';

/** If the service refuses it for good, the next call makes another one. */
async function dropIfRefused<Made>(
  context: Context,
  key: string,
  op: string,
  create: () => PromiseLike<Made>,
): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    if (isFinalRefusal(error)) {
      await updatePayment(context, key, op, (own) => {
        if (own.status === 'created') own.status = 'dropped';
      });
    }
    throw error;
  }
}

function open(payment: Payment): void {
  if (payment.status === 'created' || payment.status === 'dropped') payment.status = 'open';
}

/**
 * Creates a page, and returns it with the record as it is then.
 *
 * @param known The record, as it has the payment.
 */
export async function createPage(
  context: Context,
  key: string,
  known: OrderRecord,
  op: string,
): Promise<{ readonly record: OrderRecord; readonly session: CheckoutSession }> {
  const session = await dropIfRefused(context, key, op, () =>
    context.payments.checkoutSessions.create(
      // It was made from the row, and stored as JSON.
      paymentOf(known, op).body as CheckoutSessionCreateParams,
      { operationId: operationId(known, op) },
    ),
  );
  const { record } = await updatePayment(context, key, op, (own, draft) => {
    own.ref = session.id;
    open(own);
    joinSession(draft, session);
  });
  return { record, session };
}

/** Creates an intent. It takes no money. */
export async function createIntent(
  context: Context,
  key: string,
  known: OrderRecord,
  op: string,
): Promise<void> {
  const intent = await dropIfRefused(context, key, op, () =>
    context.payments.paymentIntents.create(
      // It was made from the row, and stored as JSON.
      paymentOf(known, op).body as PaymentIntentCreateParams,
      { operationId: operationId(known, op) },
    ),
  );
  await updatePayment(context, key, op, (own, draft) => {
    Object.assign(own, { ref: intent.id, intent: intent.id });
    open(own);
    joinIntent(draft, intent);
  });
}
