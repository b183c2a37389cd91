/** The handlers of events. Each is a join, so that their order, their age and their number do not matter. */

import type { CheckoutSession } from '../resources/objects/checkout-sessions.ts';
import type { Context } from './context.ts';
import { orderError } from './errors.ts';
import { joinSession } from './record/join.ts';
import type { OrderRecord } from './record/record.ts';
import { findKey, update } from './record/records.ts';
import { drive } from './steps/drive.ts';
import { noteChargeback, noteIntent, noteRefund } from './steps/elsewhere.ts';
import type { UnknownPayment } from './types/options.ts';
import type { OrderHandlers } from './types/orders.ts';

async function reportUnknown({ onUnknown }: Context, payment: UnknownPayment): Promise<void> {
  if (onUnknown !== undefined) {
    await onUnknown(payment);
    return;
  }
  const message = `${payment.type}: expected a payment of an order, got ${payment.reference}. If another program of yours made it, handle it in onUnknown.`;
  throw orderError('ORDER_UNKNOWN_PAYMENT', message, { outcome: 'not_an_operation' });
}

/** Joins what an event says, and does what follows. Returns whether the reference is one of an order. */
async function note(
  context: Context,
  reference: string,
  join: (record: OrderRecord) => void,
): Promise<boolean> {
  const key = await findKey(context, reference);
  if (key === undefined) return false;
  await update(context, key, join);
  await drive(context, key);
  return true;
}

/** Whether a completed session has taken no money, as far as its status says. */
const isFree = ({ payment_status }: CheckoutSession) =>
  ['unpaid', 'no_payment_required'].includes(String(payment_status));

/** Returns the handlers of an account. */
export function handlersOf(context: Context): OrderHandlers {
  const driveAny = async (noted: Promise<string | undefined>): Promise<void> => {
    const key = await noted;
    if (key !== undefined) await drive(context, key);
  };
  return {
    'checkout.session.completed': async ({ type, data: { object } }) => {
      const isKnown = await note(context, object.id, (record) => joinSession(record, object));
      const isOrder = object.mode === 'payment' && !isFree(object);
      if (!isKnown && isOrder) await reportUnknown(context, { type, reference: object.id });
    },
    'checkout.session.expired': async ({ data: { object } }) => {
      await note(context, object.id, (record) => joinSession(record, object));
    },
    'payment_intent.succeeded': ({ data: { object } }) => driveAny(noteIntent(context, object)),
    'payment_intent.canceled': ({ data: { object } }) => driveAny(noteIntent(context, object)),
    'refund.created': ({ data: { object } }) => driveAny(noteRefund(context, object)),
    'refund.succeeded': ({ data: { object } }) => driveAny(noteRefund(context, object)),
    'refund.failed': ({ data: { object } }) => driveAny(noteRefund(context, object)),
    'refund.settled': ({ data: { object } }) => driveAny(noteRefund(context, object)),
    'chargeback.received': async ({ type, data: { object } }) => {
      const key = await noteChargeback(context, object);
      if (key === undefined) await reportUnknown(context, { type, reference: object.transaction_id });
      else await drive(context, key);
    },
  };
}
