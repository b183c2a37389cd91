import type { Charge } from './charges.ts';
import type { CheckoutSession } from './checkout-sessions.ts';
import type { CreditNote } from './credit-notes.ts';
import type { Customer } from './customers.ts';
import type { Invoice } from './invoices.ts';
import type { OpenResource } from './open-resource.ts';
import type { PaymentIntent } from './payment-intents.ts';
import type { Refund } from './refunds.ts';
import type { Subscription } from './subscriptions.ts';
import type { TerminalBatch } from './terminal-batches.ts';

interface Resources {
  readonly checkout_session: CheckoutSession;
  readonly payment_intent: PaymentIntent;
  readonly charge: Charge;
  readonly refund: Refund;
  readonly customer: Customer;
  readonly invoice: Invoice;
  readonly subscription: Subscription;
  readonly credit_note: CreditNote;
  readonly terminal_batch: TerminalBatch;
  readonly product: OpenResource;
  readonly price: OpenResource;
  readonly payment_method: OpenResource;
  readonly terminal: OpenResource;
  readonly settlement_profile: OpenResource;
  readonly api_key: OpenResource;
  readonly webhook_endpoint: OpenResource;
  readonly account: OpenResource;
  readonly connection: OpenResource;
  readonly account_link: OpenResource;
}

/** The kinds of resources, by the name in their `object` field. */
export type ResourceName = keyof Resources;

/** A resource by its kind, for example `Resource<'refund'>`. */
export type Resource<Name extends ResourceName> = Resources[Name];
