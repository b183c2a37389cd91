/** The parameters of each method, for the sandbox and the generated references. */

import type { Schema } from '../base/schema/schema.ts';
import { checkoutSessionCreateSchema } from './objects/checkout-sessions.ts';
import { creditNoteCreateSchema } from './objects/credit-notes.ts';
import { customerCreateSchema } from './objects/customers.ts';
import { openParamsSchema } from './objects/open-resource.ts';
import {
  captureSchema,
  newPaymentMethodSchema,
  paymentIntentCreateSchema,
  payWithSchema,
} from './objects/payment-intents.ts';
import { partialRefundSchema, refundCreateSchema } from './objects/refunds.ts';
import { subscriptionCreateSchema, subscriptionUpdateSchema } from './objects/subscriptions.ts';
import type { RouteName } from './routes.ts';

const known = {
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
} satisfies Partial<Record<RouteName, Schema<unknown>>>;

const byName: Partial<Record<RouteName, Schema<unknown>>> = known;

/** The schema of a method's parameters, with their type if the SDK names them. */
type RequestSchema<Name> = Name extends keyof typeof known
  ? (typeof known)[Name]
  : Schema<unknown> | undefined;

/** Returns the parameters of a method; `undefined` if it takes none. */
export function requestSchema<Name extends RouteName>(name: Name): RequestSchema<Name>;
export function requestSchema(name: RouteName): Schema<unknown> | undefined {
  const isOpen = /\.(create|update)$/.test(name);
  return byName[name] ?? (isOpen ? openParamsSchema : undefined);
}
