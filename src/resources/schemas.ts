import * as s from '../base/schema.ts';
import { chargeSchema } from './charges.ts';
import { checkoutSessionSchema } from './checkout-sessions.ts';
import { creditNoteSchema } from './credit-notes.ts';
import { customerSchema } from './customers.ts';
import { invoiceSchema } from './invoices.ts';
import { openResourceSchema } from './open-resource.ts';
import { paymentIntentSchema } from './payment-intents.ts';
import { refundSchema } from './refunds.ts';
import type { Resource, ResourceName } from './resource-types.ts';
import { subscriptionSchema } from './subscriptions.ts';
import { terminalBatchSchema } from './terminal-batches.ts';

/** The schema of each kind of resource, by the name in its `object` field. */
export const resourceSchemas: { readonly [Name in ResourceName]: s.Schema<Resource<Name>> } = {
  checkout_session: checkoutSessionSchema,
  payment_intent: paymentIntentSchema,
  charge: chargeSchema,
  refund: refundSchema,
  customer: customerSchema,
  invoice: invoiceSchema,
  subscription: subscriptionSchema,
  credit_note: creditNoteSchema,
  terminal_batch: terminalBatchSchema,
  product: openResourceSchema,
  price: openResourceSchema,
  payment_method: openResourceSchema,
  terminal: openResourceSchema,
  settlement_profile: openResourceSchema,
  api_key: openResourceSchema,
  webhook_endpoint: openResourceSchema,
  account: openResourceSchema,
  connection: openResourceSchema,
  account_link: openResourceSchema,
};

/** The fields of a kind of resource; `undefined` where the interface does not show them. */
export function fieldNamesOf(name: ResourceName): readonly string[] | undefined {
  const schema = resourceSchemas[name];
  return schema === openResourceSchema ? undefined : s.fieldNames(schema);
}
