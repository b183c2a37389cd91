import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { WithOperationId } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import {
  baseFields,
  type CollectionMethod,
  type Metadata,
  metadata,
  type ResourceBase,
} from '../fields/common.ts';
import { type Id, type IdInput, id } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';
import { type NewPaymentMethodParams, newPaymentMethodSchema } from './payment-intents.ts';

/** One line of an invoice. */
export interface InvoiceLine {
  /** The line's id, `il_…` (*shown*). */
  readonly id: Id<'invoice_line'>;
  /** The description (*shown*). */
  readonly description: string;
  /** How many (*shown*). */
  readonly quantity: number;
  /** The unit amount, in the service's integer unit (*shown*). */
  readonly unit_amount: number;
  /** The line's amount, in the same unit (*shown*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
}

/** The fields of an invoice, whatever its state. */
interface InvoiceFields extends ResourceBase<'invoice'> {
  /** The invoice's id, `inv_…` (*shown*). */
  readonly id: Id<'invoice'>;
  /** The number (*shown*). */
  readonly number: string;
  /** The invoice's status (*shown*; states before `open` are not). */
  readonly status: OrUnlisted<'open' | 'paid' | 'uncollectible'>;
  /** How it is collected (*shown*). */
  readonly collection_method: CollectionMethod;
  /** The payment method's id, `pm_…`; present if it was paid automatically (*shown*), otherwise absent or null. */
  readonly collection_payment_method_id?: Id<'payment_method'> | null | undefined;
  /** The customer's id, `cus_…` (*shown*). */
  readonly customer: Id<'customer'>;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The subtotal, in the service's integer unit (*shown*). */
  readonly subtotal: number;
  /** The tax, in the same unit (*shown*). */
  readonly tax: number;
  /** The total, in the same unit (*shown*). */
  readonly total: number;
  /** The paid amount, in the same unit (*shown*). */
  readonly amount_paid: number;
  /** The remaining amount, in the same unit (*shown*). */
  readonly amount_remaining: number;
  /** How many times collection was tried (*shown*). */
  readonly attempt_count: number;
  /** Whether saving the card is allowed (*shown*). */
  readonly allow_save_card: boolean;
  /**
   * When collection is tried again, an epoch-style integer; present if a retry is planned (*shown*), otherwise absent or
   * null.
   */
  readonly next_payment_attempt_at?: number | null | undefined;
  /** When it was finalized, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly finalized_at: number;
  /** When it was paid, an epoch-style integer (*shown*); absent or null if it is not paid (*inferred*). */
  readonly paid_at?: number | null | undefined;
  /** When it was created, an epoch-style integer (*shown*). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
  /** The payment intent's id, `pi_…`; present once paid (*shown*), otherwise absent or null. */
  readonly payment_intent?: Id<'payment_intent'> | null | undefined;
  /** The lines (*shown*). */
  readonly lines: readonly InvoiceLine[];
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
}

/** What holds of a paid invoice. */
type PaidAutomatically = PresentWhen<
  InvoiceFields,
  Record<'collection_method', 'charge_automatically'>,
  'collection_payment_method_id'
>;

/**
 * A bill, which the service collects or the customer pays. Its events may arrive shortly after its state changed. Once it is
 * paid, `payment_intent` and `paid_at` are present (*shown*). So is `collection_payment_method_id` if it was paid automatically
 * (*shown*), which the SDK assumes of each paid invoice that is collected by `charge_automatically` (*inferred*).
 */
export type Invoice = InvoiceFields &
  PresentWhen<InvoiceFields, Record<'status', 'paid'>, 'payment_intent' | 'paid_at', PaidAutomatically>;

const lineSchema = (): s.Schema<InvoiceLine> =>
  s.object({
    id: id('invoice_line'),
    description: s.string(),
    quantity: s.integer(),
    unit_amount: s.integer(),
    amount: s.integer(),
    currency: s.string(),
  });

/** The fields of an {@link Invoice}, as the interface lists them; unknown ones pass. */
export const invoiceSchema: s.Schema<Invoice> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    presentWhen(
      s.object({
        ...baseFields('invoice'),
        id: id('invoice'),
        number: s.string(),
        status: openEnum<Invoice['status']>(),
        collection_method: openEnum<CollectionMethod>(),
        collection_payment_method_id: s.optional(s.nullable(id('payment_method'))),
        customer: id('customer'),
        currency: s.string(),
        subtotal: s.integer(),
        tax: s.integer(),
        total: s.integer(),
        amount_paid: s.integer(),
        amount_remaining: s.integer(),
        attempt_count: s.integer(),
        allow_save_card: s.boolean(),
        next_payment_attempt_at: s.optional(s.nullable(s.integer())),
        finalized_at: s.integer(),
        paid_at: s.optional(s.nullable(s.integer())),
        created_at: s.integer(),
        updated_at: s.integer(),
        payment_intent: s.optional(s.nullable(id('payment_intent'))),
        lines: s.array(lineSchema()),
        metadata: metadata(),
      }),
      { status: 'paid' },
      ['payment_intent', 'paid_at'],
    ),
    { status: 'paid', collection_method: 'charge_automatically' },
    ['collection_payment_method_id'],
  ),
);

const invoices: CollectionDefinition<Invoice> = {
  name: 'invoices',
  object: 'invoice',
  plurals: ['invoices'],
  idKind: 'invoice',
  schema: invoiceSchema,
};

/** `payments.invoices`: bills. */
export class Invoices extends StatefulCollection<Invoice, 'invoice'> {
  /** @internal */
  constructor(api: Api) {
    super(api, invoices);
  }

  /**
   * Changes the payment method of an invoice whose collection was declined (*inferred* path and parameters). The service may
   * collect the invoice immediately, so the call needs an `operationId` or an `idempotencyKey`.
   */
  updatePaymentMethod(
    id: IdInput<'invoice'>,
    params: NewPaymentMethodParams,
    withOperationId: WithOperationId,
  ): ApiPromise<Invoice> {
    const body = { params, schema: newPaymentMethodSchema };
    return this.send('updatePaymentMethod', { id, body, options: withOperationId, returns: invoices });
  }
}
