import * as z from 'zod/mini';
import type { ApiPromise } from '../core/api-promise.ts';
import type { MoneyOptions, RequestOptions } from '../core/options.ts';
import type { ListParams, PagePromise } from '../core/page.ts';
import type { ExpectedPage, ResourceApi } from '../core/resource-api.ts';
import type { Schema } from '../core/schema.ts';
import {
  amountParam,
  baseFields,
  filled,
  integer,
  type Open,
  openEnum,
  type ResourceBase,
} from './common.ts';

/** Money on its way back to a buyer. */
export interface Refund extends ResourceBase<'refund'> {
  /** The refund's id, `rf_…` (*shown*). */
  readonly id: string;
  /** What is given back, in the service's integer unit (*shown*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The charge's id, `ch_…` (*shown*). */
  readonly charge_id: string;
  /** The payment intent's id, `pi_…` (*shown*). */
  readonly payment_intent_id: string;
  /** Where the refund stands (*shown*). */
  readonly status: Open<'pending' | 'succeeded' | 'failed'>;
  /** Why it was made; null where no reason was given (*shown*). */
  readonly reason: string | null;
  /** Why it failed; null unless it did (*shown*; `already_refunded` occurs). */
  readonly failure_message: Open<'already_refunded'> | null;
  /** The terminal's id, `tmr_…`; null where no terminal was used (*shown*). */
  readonly terminal_id: string | null;
  /** When it was settled, an epoch-style integer; null until then (*shown*). */
  readonly settled_at: number | null;
  /** The terminal batch's id, `tmb_…`; null until settled (*shown*). */
  readonly settlement_batch_id: string | null;
  /** When it was created, an epoch-style integer (*shown*; seconds or ms is not). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/** The fields of a {@link Refund}, as the interface lists them; unknown ones pass. */
export const refundSchema: Schema<Refund> = z.looseObject({
  ...baseFields('refund'),
  id: z.string(),
  amount: integer(),
  currency: z.string(),
  charge_id: z.string(),
  payment_intent_id: z.string(),
  status: openEnum(),
  reason: z.nullable(z.string()),
  failure_message: z.nullable(z.string()),
  terminal_id: z.nullable(z.string()),
  settled_at: z.nullable(integer()),
  settlement_batch_id: z.nullable(z.string()),
  created_at: integer(),
  updated_at: integer(),
});

interface RefundDetails {
  /** What to give back, an integer from 1 in minor units (*inferred*). Default: all that is left (*inferred*). */
  readonly amount?: number | undefined;
  /** Why (*inferred*). */
  readonly reason?: string | undefined;
}

/** Names the payment by its intent. */
interface ByPaymentIntent {
  /** The payment intent's id (*inferred* from the refund's field). */
  readonly payment_intent_id: string;
  readonly charge_id?: undefined;
}

/** Names the payment by its charge. */
interface ByCharge {
  /** The charge's id (*inferred* from the refund's field). */
  readonly charge_id: string;
  readonly payment_intent_id?: undefined;
}

/**
 * What a refund is created from: the payment by its intent or by its charge, never both. The interface shows
 * none of these fields; they follow the refund's own.
 */
export type RefundCreateParams = RefundDetails & (ByPaymentIntent | ByCharge);

const createParamsSchema = z
  .looseObject({
    payment_intent_id: z.optional(filled()),
    charge_id: z.optional(filled()),
    amount: z.optional(amountParam(1)),
    reason: z.optional(filled()),
  })
  .check(
    z.refine(
      ({ payment_intent_id, charge_id }) => (payment_intent_id === undefined) !== (charge_id === undefined),
      'either payment_intent_id or charge_id',
    ),
  );

const refund: ExpectedPage<Refund> = { object: 'refund', plurals: ['refunds'], schema: refundSchema };

/** `payments.refunds`: money given back. */
export class Refunds {
  readonly #api: ResourceApi;

  /** @internal */
  constructor(api: ResourceApi) {
    this.#api = api;
  }

  /**
   * Creates a refund (*shown*; its parameters are *inferred*). Emits `refund.created`; it is `pending` at first.
   *
   * @throws InvalidRequestError when a parameter is wrong or there is no `operationId`; nothing was sent.
   * @throws ApiError when the service refuses.
   *
   * @example
   * await payments.refunds.create({ payment_intent_id: intent.id, amount: 500 }, { operationId: 'return-77' });
   */
  create(params: RefundCreateParams, options: MoneyOptions): ApiPromise<Refund> {
    return this.#api.call({
      operation: 'refunds.create',
      body: { params, schema: createParamsSchema },
      options,
      returns: refund,
    });
  }

  /** One refund (*inferred* path). */
  retrieve(id: string, options?: RequestOptions): ApiPromise<Refund> {
    return this.#api.call({ operation: 'refunds.retrieve', ids: { id }, options, returns: refund });
  }

  /** All refunds, newest first (*inferred* path). */
  list(params?: ListParams, options?: RequestOptions): PagePromise<Refund> {
    return this.#api.list('refunds.list', params, options, refund);
  }
}
