import type { Id } from './fields/ids.ts';
import type { Charge } from './objects/charges.ts';
import type { CheckoutSession } from './objects/checkout-sessions.ts';
import type { CreditNote } from './objects/credit-notes.ts';
import type { Customer } from './objects/customers.ts';
import type { Invoice } from './objects/invoices.ts';
import type { UntypedResource } from './objects/open-resource.ts';
import type { PaymentIntent } from './objects/payment-intents.ts';
import type { Refund } from './objects/refunds.ts';
import type { Subscription } from './objects/subscriptions.ts';
import type { TerminalBatch } from './objects/terminal-batches.ts';

/** The kinds of resources whose fields the interface shows. */
export interface DocumentedResources {
  /** A hosted checkout. */
  readonly checkout_session: CheckoutSession;
  /** A payment, paid or not. */
  readonly payment_intent: PaymentIntent;
  /** Money taken from a buyer, or a declined attempt. */
  readonly charge: Charge;
  /** Money given back. */
  readonly refund: Refund;
  /** A buyer with contact details. */
  readonly customer: Customer;
  /** An invoice, paid or not. */
  readonly invoice: Invoice;
  /** A recurring payment. */
  readonly subscription: Subscription;
  /** A credit against an invoice. */
  readonly credit_note: CreditNote;
  /** Transactions of card readers that are settled together. */
  readonly terminal_batch: TerminalBatch;
}

interface Resources extends DocumentedResources {
  readonly product: UntypedResource;
  readonly price: UntypedResource<Id<'price'>>;
  readonly payment_method: UntypedResource<Id<'payment_method'>>;
  readonly terminal: UntypedResource<Id<'terminal'>>;
  readonly settlement_profile: UntypedResource<Id<'settlement_profile'>>;
  readonly api_key: UntypedResource;
  readonly webhook_endpoint: UntypedResource;
  readonly account: UntypedResource;
  readonly connection: UntypedResource;
  readonly account_link: UntypedResource;
}

/** The kinds of resources, by the name in their `object` field. */
export type ResourceName = keyof Resources;

/** A resource by its kind, for example `Resource<'refund'>`. */
export type Resource<Name extends ResourceName> = Resources[Name];
