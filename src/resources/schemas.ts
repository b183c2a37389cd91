import * as s from '../base/schema/schema.ts';
import { chargeSchema } from './objects/charges.ts';
import { checkoutSessionSchema } from './objects/checkout-sessions.ts';
import { creditNoteSchema } from './objects/credit-notes.ts';
import { customerSchema } from './objects/customers.ts';
import { invoiceSchema } from './objects/invoices.ts';
import { openResourceSchema, prefixedResourceSchema } from './objects/open-resource.ts';
import { paymentIntentSchema } from './objects/payment-intents.ts';
import { refundSchema } from './objects/refunds.ts';
import { subscriptionSchema } from './objects/subscriptions.ts';
import { terminalBatchSchema } from './objects/terminal-batches.ts';
import type { DocumentedResources, Resource, ResourceName } from './resource-types.ts';

type Schemas<Name extends ResourceName> = { readonly [One in Name]: s.Schema<Resource<One>> };

const documentedSchemas: Schemas<keyof DocumentedResources> = {
  checkout_session: checkoutSessionSchema,
  payment_intent: paymentIntentSchema,
  charge: chargeSchema,
  refund: refundSchema,
  customer: customerSchema,
  invoice: invoiceSchema,
  subscription: subscriptionSchema,
  credit_note: creditNoteSchema,
  terminal_batch: terminalBatchSchema,
};

/** The schema of each kind of resource, by the name in its `object` field. */
export const resourceSchemas: Schemas<ResourceName> = /* @__PURE__ */ (() => ({
  ...documentedSchemas,
  product: openResourceSchema,
  price: prefixedResourceSchema('price'),
  payment_method: prefixedResourceSchema('payment_method'),
  terminal: prefixedResourceSchema('terminal'),
  settlement_profile: prefixedResourceSchema('settlement_profile'),
  api_key: openResourceSchema,
  webhook_endpoint: openResourceSchema,
  account: openResourceSchema,
  connection: openResourceSchema,
  account_link: openResourceSchema,
}))();

/** The fields of a kind of resource; `undefined` where the interface does not show them. */
export function fieldNamesOf(name: ResourceName): readonly string[] | undefined {
  return Object.hasOwn(documentedSchemas, name) ? s.fieldNames(resourceSchemas[name]) : undefined;
}
