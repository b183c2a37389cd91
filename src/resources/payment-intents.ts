import * as z from 'zod/mini';
import type { ApiPromise } from '../core/api-promise.ts';
import type { MoneyOptions, RequestOptions } from '../core/options.ts';
import type { ListParams, PagePromise } from '../core/page.ts';
import type { ExpectedPage, ResourceApi } from '../core/resource-api.ts';
import type { Schema } from '../core/schema.ts';
import {
  amountParam,
  baseFields,
  currencyParam,
  filled,
  integer,
  type Metadata,
  metadata,
  metadataParam,
  type Open,
  openEnum,
  type ResourceBase,
} from './common.ts';

/** The intent to take one payment, from its creation to its capture or cancellation. */
export interface PaymentIntent extends ResourceBase<'payment_intent'> {
  /** The intent's id, `pi_…` (*shown*). */
  readonly id: string;
  /** What is to be paid, in the service's integer unit (*shown*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** When money is captured (*shown*; `manual` by name only). */
  readonly capture_method: Open<'automatic' | 'manual'>;
  /** Where the intent stands (*shown*). `requires_action` is reserved and not used in v1. */
  readonly status: Open<'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'>;
  /** What a browser confirms the intent with; null where there is none (*shown*). It is a secret. */
  readonly client_secret: string | null;
  /** The customer's id, `cus_…`; null where there is none (*shown*). */
  readonly customer: string | null;
  /** The payment method's id, `pm_…`; null where none is attached, also after a decline (*shown*). */
  readonly payment_method: string | null;
  /** The newest charge's id, `ch_…`; null before the first (*shown*). */
  readonly latest_charge_id: string | null;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: string;
  /** The merchant's own notes (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*; seconds or ms is not). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/** The fields of a {@link PaymentIntent}, as the interface lists them; unknown ones pass. */
export const paymentIntentSchema: Schema<PaymentIntent> = z.looseObject({
  ...baseFields('payment_intent'),
  id: z.string(),
  amount: integer(),
  currency: z.string(),
  capture_method: openEnum(),
  status: openEnum(),
  client_secret: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  payment_method: z.nullable(z.string()),
  latest_charge_id: z.nullable(z.string()),
  merchant_id: z.string(),
  metadata: metadata(),
  created_at: integer(),
  updated_at: integer(),
});

/** What an intent is created from. The interface shows none of these fields; they follow the intent's own. */
export interface PaymentIntentCreateParams {
  /** What is to be paid, an integer from 1 in minor units (*inferred*). */
  readonly amount: number;
  /** The currency, a 3-letter code (*inferred*). */
  readonly currency: string;
  /** When money is captured (*inferred*). Default: the service's. */
  readonly capture_method?: Open<'automatic' | 'manual'> | undefined;
  /** A customer's id (*inferred*). */
  readonly customer?: string | undefined;
  /** A payment method's id (*inferred*). */
  readonly payment_method?: string | undefined;
  /** Your own notes (*inferred*). */
  readonly metadata?: Metadata | undefined;
}

const createParamsSchema: Schema<PaymentIntentCreateParams> = z.looseObject({
  amount: amountParam(1),
  currency: currencyParam(),
  capture_method: z.optional(filled()),
  customer: z.optional(filled()),
  payment_method: z.optional(filled()),
  metadata: metadataParam(),
});

const paymentIntent: ExpectedPage<PaymentIntent> = {
  object: 'payment_intent',
  plurals: ['payment_intents', 'paymentIntents'],
  schema: paymentIntentSchema,
};

/** `payments.paymentIntents`: payments from their intent to their capture. */
export class PaymentIntents {
  readonly #api: ResourceApi;

  /** @internal */
  constructor(api: ResourceApi) {
    this.#api = api;
  }

  /**
   * Creates an intent (*shown*; its parameters are *inferred*). Emits `payment_intent.created`.
   *
   * @throws InvalidRequestError when a parameter is wrong or there is no `operationId`; nothing was sent.
   * @throws ApiError when the service refuses.
   */
  create(params: PaymentIntentCreateParams, options: MoneyOptions): ApiPromise<PaymentIntent> {
    return this.#api.call({
      operation: 'paymentIntents.create',
      body: { params, schema: createParamsSchema },
      options,
      returns: paymentIntent,
    });
  }

  /** One intent (*inferred* path). */
  retrieve(id: string, options?: RequestOptions): ApiPromise<PaymentIntent> {
    return this.#api.call({
      operation: 'paymentIntents.retrieve',
      ids: { id },
      options,
      returns: paymentIntent,
    });
  }

  /** All intents, newest first (*inferred* path). */
  list(params?: ListParams, options?: RequestOptions): PagePromise<PaymentIntent> {
    return this.#api.list('paymentIntents.list', params, options, paymentIntent);
  }
}
