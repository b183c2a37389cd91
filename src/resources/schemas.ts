import type { Issue } from '../core/errors.ts';
import { findIssues, type Schema } from '../core/schema.ts';
import { type Charge, chargeSchema } from './charges.ts';
import { type CheckoutSession, checkoutSessionSchema } from './checkout-sessions.ts';
import { type CreditNote, creditNoteSchema } from './credit-notes.ts';
import { type Customer, customerSchema } from './customers.ts';
import { type Invoice, invoiceSchema } from './invoices.ts';
import { type OpenResource, openResourceSchema } from './open-resource.ts';
import { type PaymentIntent, paymentIntentSchema } from './payment-intents.ts';
import { type Refund, refundSchema } from './refunds.ts';
import { type Subscription, subscriptionSchema } from './subscriptions.ts';
import { type TerminalBatch, terminalBatchSchema } from './terminal-batches.ts';

/** The schema of each kind of resource, by the name in its `object` field. */
export const resourceSchemas = {
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

/** The kinds of resources. */
export type ResourceName = keyof typeof resourceSchemas;

/** The kinds whose fields the interface does not show. */
type OpenResourceName = Exclude<ResourceName, keyof DocumentedResources>;

interface DocumentedResources {
  readonly checkout_session: CheckoutSession;
  readonly payment_intent: PaymentIntent;
  readonly charge: Charge;
  readonly refund: Refund;
  readonly customer: Customer;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
  readonly credit_note: CreditNote;
  readonly terminal_batch: TerminalBatch;
}

type Resources = DocumentedResources & Readonly<Record<OpenResourceName, OpenResource>>;

/** A resource by its kind, for example `Resource<'refund'>`. */
export type Resource<Name extends ResourceName> = Resources[Name];

/** What is wrong with a value by a schema of this layer, for layers that know no schemas; empty where it conforms. */
export function issuesBy(schema: Schema<unknown>, value: unknown): readonly Issue[] {
  return findIssues(schema, value);
}
