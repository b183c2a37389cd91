/** The parameters of each method, for the generated references. */

import type { Schema } from '../../src/base/schema.ts';
import { checkoutSessionCreateSchema } from '../../src/resources/checkout-sessions.ts';
import { creditNoteCreateSchema } from '../../src/resources/credit-notes.ts';
import { customerCreateSchema } from '../../src/resources/customers.ts';
import { openParamsSchema } from '../../src/resources/open-resource.ts';
import {
  captureSchema,
  newPaymentMethodSchema,
  paymentIntentCreateSchema,
  payWithSchema,
} from '../../src/resources/payment-intents.ts';
import { partialRefundSchema, refundCreateSchema } from '../../src/resources/refunds.ts';
import type { RouteName } from '../../src/resources/routes.ts';
import { subscriptionCreateSchema, subscriptionUpdateSchema } from '../../src/resources/subscriptions.ts';

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
