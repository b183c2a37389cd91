import type { Definite } from '../../base/schema/definite.ts';
import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { WithOperationId } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import { amountParam, baseFields, type ResourceBase } from '../fields/common.ts';
import { type Id, type IdInput, id, idParam } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';

/** The fields of a refund, whatever its state. */
interface RefundFields extends ResourceBase<'refund'> {
  /** The refund's id, `rf_…` (*shown*). */
  readonly id: Id<'refund'>;
  /** The refunded amount, in the service's integer unit (*shown*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The charge's id, `ch_…` (*shown*). */
  readonly charge_id: Id<'charge'>;
  /** The payment intent's id, `pi_…` (*shown*). */
  readonly payment_intent_id: Id<'payment_intent'>;
  /** The refund's status (*shown*). */
  readonly status: OrUnlisted<'pending' | 'succeeded' | 'failed'>;
  /** The reason for the refund; null if none was given (*shown*). */
  readonly reason: string | null;
  /** Why it failed; null if it did not fail (*shown*; `already_refunded` occurs). */
  readonly failure_message: OrUnlisted<'already_refunded'> | null;
  /** The terminal's id, `tmr_…`; null if there is none (*shown*). */
  readonly terminal_id: Id<'terminal'> | null;
  /** When it was settled, an epoch-style integer; null until then (*shown*). */
  readonly settled_at: number | null;
  /** The terminal batch's id, `tmb_…`; null until settled (*shown*). */
  readonly settlement_batch_id: Id<'terminal_batch'> | null;
  /** When it was created, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/**
 * Money that goes back to a buyer. If the refund failed, `failure_message` says why (*shown*). Once `settled_at` is set, so is
 * `settlement_batch_id` (*shown*).
 */
export type Refund = RefundFields &
  PresentWhen<RefundFields, Record<'status', 'failed'>, 'failure_message'> &
  PresentWhen<RefundFields, Record<'settled_at', number>, 'settlement_batch_id'>;

/** The fields of a {@link Refund}, as the interface lists them; unknown ones pass. */
export const refundSchema: s.Schema<Refund> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    presentWhen(
      s.object({
        ...baseFields('refund'),
        id: id('refund'),
        amount: s.integer(),
        currency: s.string(),
        charge_id: id('charge'),
        payment_intent_id: id('payment_intent'),
        status: openEnum<Refund['status']>(),
        reason: s.nullable(s.string()),
        failure_message: s.nullable(openEnum<OrUnlisted<'already_refunded'>>()),
        terminal_id: s.nullable(id('terminal')),
        settled_at: s.nullable(s.integer()),
        settlement_batch_id: s.nullable(id('terminal_batch')),
        created_at: s.integer(),
        updated_at: s.integer(),
      }),
      { status: 'failed' },
      ['failure_message'],
    ),
    { settled_at: undefined },
    ['settlement_batch_id'],
  ),
);

/**
 * How much to refund, and why. The interface shows none of these fields; the SDK assumes the names of the refund's own
 * fields.
 */
export interface PartialRefundParams {
  /**
   * The amount to refund, an integer from 1 in minor units (*inferred*). Default: the whole remaining amount (*inferred*). `undefined` is
   * refused, and does not compile: if a variable may be undefined, write `...(amount === undefined ? {} : { amount })`.
   */
  amount?: number;
  /** The reason for the refund (*inferred*). */
  reason?: string | undefined;
}

/** Names the payment by its intent. */
interface ByPaymentIntent {
  /** The payment intent's id (*inferred* from the refund's field). */
  payment_intent_id: IdInput<'payment_intent'>;
  charge_id?: undefined;
}

/** Names the payment by its charge. */
interface ByCharge {
  /** The charge's id (*inferred* from the refund's field). */
  charge_id: IdInput<'charge'>;
  payment_intent_id?: undefined;
}

/**
 * Parameters that create a refund: the payment by its intent or by its charge, never both. The interface shows none of these
 * fields; they follow the refund's own.
 */
// The compiler's message is about the last of them, so that is the usual one.
export type RefundCreateParams = PartialRefundParams & (ByCharge | ByPaymentIntent);

const partialRefundFields = () => ({
  amount: s.exactOptional(amountParam(1)),
  reason: s.optional(s.filled()),
});

/** The parameters of a refund whose payment the path names. */
export const partialRefundSchema: s.Schema<PartialRefundParams> = /* @__PURE__ */ s.lazily(() =>
  s.object(partialRefundFields()),
);

/** The parameters that create a refund. */
export const refundCreateSchema = /* @__PURE__ */ s.lazily(() =>
  s
    .object({
      payment_intent_id: s.optional(idParam('payment_intent')),
      charge_id: s.optional(idParam('charge')),
      ...partialRefundFields(),
    })
    .check(s.exactlyOne('payment_intent_id', 'charge_id')),
);

/** The definition of the collection of refunds. */
export const refunds: CollectionDefinition<Refund> = {
  name: 'refunds',
  object: 'refund',
  plurals: ['refunds'],
  idKind: 'refund',
  schema: refundSchema,
};

/** `payments.refunds`: refunds of payments. */
export class Refunds extends StatefulCollection<Refund, 'refund'> {
  /** @internal */
  constructor(api: Api) {
    super(api, refunds);
  }

  /**
   * Creates a refund (*shown*; its parameters are *inferred*). Emits `refund.created`. A new refund is `pending`.
   *
   * @throws InvalidRequestError when a parameter is wrong or there is no `operationId`; nothing was sent.
   * @throws ApiError when the service rejects the request.
   *
   * @example
   * await payments.refunds.create({ payment_intent_id: intent.id, amount: 500 }, { operationId: 'return-77' });
   */
  create<Given>(
    params: RefundCreateParams & Definite<Given, 'amount', number>,
    withOperationId: WithOperationId,
  ): ApiPromise<Refund> {
    const body = { params, schema: refundCreateSchema };
    return this.send('create', { body, options: withOperationId, returns: refunds });
  }

  /** Retries a failed refund (*inferred* path). */
  retry(id: IdInput<'refund'>, withOperationId: WithOperationId): ApiPromise<Refund> {
    return this.send('retry', { id, options: withOperationId, returns: refunds });
  }
}
