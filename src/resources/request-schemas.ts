/** The parameters of each method, for the sandbox and the generated references. */

import type { Schema } from '../base/schema.ts';
import { checkoutSessionCreateSchema } from './checkout-sessions.ts';
import { creditNoteCreateSchema } from './credit-notes.ts';
import { customerCreateSchema } from './customers.ts';
import { openParamsSchema } from './open-resource.ts';
import {
  captureSchema,
  newPaymentMethodSchema,
  paymentIntentCreateSchema,
  payWithSchema,
} from './payment-intents.ts';
import { partialRefundSchema, refundCreateSchema } from './refunds.ts';
import type { RouteName } from './routes.ts';
import { subscriptionCreateSchema, subscriptionUpdateSchema } from './subscriptions.ts';

const known: Partial<Record<RouteName, Schema<unknown>>> = {
  'checkoutSessions.create': checkoutSessionCreateSchema,
  'checkoutSessions.refund': partialRefundSchema,
  'paymentIntents.create': paymentIntentCreateSchema,
  'paymentIntents.confirm': payWithSchema,
  'paymentIntents.capture': captureSchema,
  'paymentIntents.retryWithNewPaymentMethod': newPaymentMethodSchema,
  'paymentIntents.refund': partialRefundSchema,
  'refunds.create': refundCreateSchema,
  'customers.create': customerCreateSchema,
  'customers.update': customerCreateSchema,
  'invoices.updatePaymentMethod': newPaymentMethodSchema,
  'subscriptions.create': subscriptionCreateSchema,
  'subscriptions.update': subscriptionUpdateSchema,
  'creditNotes.create': creditNoteCreateSchema,
};

/** Returns the parameters of a method; `undefined` if it takes none. */
export function requestSchema(name: RouteName): Schema<unknown> | undefined {
  const isOpen = /\.(create|update)$/.test(name);
  return known[name] ?? (isOpen ? openParamsSchema : undefined);
}
