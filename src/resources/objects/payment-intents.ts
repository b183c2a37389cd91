import type { Definite } from '../../base/schema/definite.ts';
import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { WithOperationId, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection, type WaitForStateOptions } from '../collection.ts';
import {
  amountParam,
  baseFields,
  currencyParam,
  type Metadata,
  metadata,
  metadataParam,
  type ResourceBase,
} from '../fields/common.ts';
import { type Id, type IdInput, id, idParam } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';
import { type PartialRefundParams, partialRefundSchema, type Refund, refunds } from './refunds.ts';

/** The fields of a payment intent, whatever its state. */
interface PaymentIntentFields extends ResourceBase<'payment_intent'> {
  /** The intent's id, `pi_…` (*shown*). */
  readonly id: Id<'payment_intent'>;
  /** The amount, in the service's integer unit (*shown*). */
  readonly amount: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** When money is captured (*shown*: `automatic`; *inferred*: `manual`, which the interface names in words). */
  readonly capture_method: OrUnlisted<'automatic' | 'manual'>;
  /**
   * The intent's status (*shown*; *inferred*: `requires_capture`, while the authorized money waits for its capture).
   * `requires_action` is reserved and not used in v1.
   */
  readonly status: OrUnlisted<
    'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'
  >;
  /**
   * A secret of this intent; null if there is none (*shown*). The SDK assumes that you may send it to the buyer's browser,
   * unlike your secret key (*inferred*).
   */
  readonly client_secret: string | null;
  /** The customer's id, `cus_…`; null if there is none (*shown*). */
  readonly customer: Id<'customer'> | null;
  /** The payment method's id, `pm_…`; null if none is attached, for example after a decline (*shown*). */
  readonly payment_method: Id<'payment_method'> | null;
  /** The latest charge's id, `ch_…`; null if there is none (*shown*). */
  readonly latest_charge_id: Id<'charge'> | null;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: Id<'merchant'>;
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/**
 * The intent to take one payment, from its creation to its capture or cancellation. Once it has succeeded,
 * `latest_charge_id` is not null (*inferred*: it is the captured charge).
 */
export type PaymentIntent = PaymentIntentFields &
  PresentWhen<PaymentIntentFields, Record<'status', 'succeeded'>, 'latest_charge_id'>;

/** The fields of a {@link PaymentIntent}, as the interface lists them; unknown ones pass. */
export const paymentIntentSchema: s.Schema<PaymentIntent> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    s.object({
      ...baseFields('payment_intent'),
      id: id('payment_intent'),
      amount: s.integer(),
      currency: s.string(),
      capture_method: openEnum<PaymentIntent['capture_method']>(),
      status: openEnum<PaymentIntent['status']>(),
      client_secret: s.nullable(s.string()),
      customer: s.nullable(id('customer')),
      payment_method: s.nullable(id('payment_method')),
      latest_charge_id: s.nullable(id('charge')),
      merchant_id: id('merchant'),
      metadata: metadata(),
      created_at: s.integer(),
      updated_at: s.integer(),
    }),
    { status: 'succeeded' },
    ['latest_charge_id'],
  ),
);

/**
 * Parameters that create an intent. The interface shows none of these fields; the SDK assumes the names of the intent's own
 * fields.
 */
export interface PaymentIntentCreateParams {
  /** The amount to pay, an integer from 1 in minor units (*inferred*). */
  amount: number;
  /** The currency, a 3-letter code (*inferred*). */
  currency: string;
  /** When money is captured (*inferred*). Default: the service chooses. */
  capture_method?: OrUnlisted<'automatic' | 'manual'> | undefined;
  /** A customer's id (*inferred*). */
  customer?: IdInput<'customer'> | undefined;
  /** A payment method's id (*inferred*). */
  payment_method?: IdInput<'payment_method'> | undefined;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

/** The parameters that create an intent. */
export const paymentIntentCreateSchema: s.Schema<PaymentIntentCreateParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    amount: amountParam(1),
    currency: currencyParam(),
    capture_method: s.optional(openEnum<PaymentIntent['capture_method']>(s.filled())),
    customer: s.optional(idParam('customer')),
    payment_method: s.optional(idParam('payment_method')),
    metadata: metadataParam(),
  }),
);

/** Parameters that confirm an intent. The interface does not show them. */
export interface PayWithParams {
  /** A payment method's id (*inferred*). */
  payment_method?: IdInput<'payment_method'> | undefined;
}

/** Parameters that capture an intent. The interface does not show them. */
export interface CaptureParams {
  /**
   * The amount to capture, an integer from 1 in minor units (*inferred*). Default: the whole amount (*inferred*). `undefined` is refused, and
   * does not compile: if a variable may be undefined, write `...(amount === undefined ? {} : { amount })`.
   */
  amount?: number;
}

/** Parameters that retry a declined intent. The interface does not show them. */
export interface NewPaymentMethodParams {
  /** The other payment method's id (*inferred*). */
  payment_method: IdInput<'payment_method'>;
}

/** The parameters that confirm an intent. */
export const payWithSchema: s.Schema<PayWithParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    payment_method: s.optional(idParam('payment_method')),
  }),
);
/** The parameters that capture an intent. */
export const captureSchema: s.Schema<CaptureParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({ amount: s.exactOptional(amountParam(1)) }),
);

/** The parameters that name another payment method. */
export const newPaymentMethodSchema: s.Schema<NewPaymentMethodParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    payment_method: idParam('payment_method'),
  }),
);

const paymentIntents: CollectionDefinition<PaymentIntent> = {
  name: 'paymentIntents',
  object: 'payment_intent',
  plurals: ['payment_intents', 'paymentIntents'],
  idKind: 'payment_intent',
  schema: paymentIntentSchema,
};

/** The status after a declined attempt to pay, as the interface has it. It does not say whether the response is an error or the intent. */
const declinedAs = 'requires_payment_method' satisfies PaymentIntent['status'];

/** Returns a condition for the intents of one wait: true once an attempt to pay was declined since the first of them. */
function untilDeclined(): (intent: PaymentIntent) => boolean {
  let first: PaymentIntent | undefined;
  return (intent) => {
    first ??= intent;
    const { status, latest_charge_id: charge } = intent;
    return status === 'requires_payment_method' && Boolean(charge) && charge !== first.latest_charge_id;
  };
}

/** `payments.paymentIntents`: payments, from creation to capture. */
export class PaymentIntents extends StatefulCollection<PaymentIntent, 'payment_intent'> {
  /** @internal */
  constructor(api: Api) {
    super(api, paymentIntents);
  }

  /**
   * Polls an intent until `until` returns true, or its state no longer changes by itself. Without `until`, the wait also ends
   * at `requires_payment_method` once an attempt is declined during the wait: `latest_charge_id` is set or changes
   * (*inferred*). The buyer may still pay such an intent, with another card, so it is not the end of the order. An attempt
   * that was declined before the wait does not end it. The pause between two requests doubles each time, up to 10 seconds.
   *
   * @throws TimeoutError with the code `WAIT_TIMEOUT` when this takes longer than `timeout`.
   * @throws RequestAbortedError when the signal is aborted.
   *
   * @example
   * const { status } = await payments.paymentIntents.waitFor('pi_1'); // succeeded, canceled, or declined meanwhile
   */
  override waitFor(
    id: IdInput<'payment_intent'>,
    options: WaitForStateOptions<PaymentIntent> = {},
  ): Promise<PaymentIntent> {
    return this.pollFor(id, { ...options, until: options?.until ?? untilDeclined() });
  }

  /**
   * Creates an intent (*shown*; its parameters are *inferred*). Emits `payment_intent.created`.
   *
   * @throws InvalidRequestError when a parameter is wrong or there is no `operationId`; nothing was sent.
   * @throws ApiError when the service rejects the request.
   */
  create(params: PaymentIntentCreateParams, withOperationId: WithOperationId): ApiPromise<PaymentIntent> {
    const body = { params, schema: paymentIntentCreateSchema };
    return this.send('create', { body, options: withOperationId, returns: paymentIntents });
  }

  /** Pays an intent (*inferred* path and parameters). With manual capture, this only authorizes the money. */
  confirm(
    id: IdInput<'payment_intent'>,
    params: PayWithParams,
    withOperationId: WithOperationId,
  ): ApiPromise<PaymentIntent> {
    const body = { params, schema: payWithSchema };
    return this.send('confirm', { id, body, options: withOperationId, returns: paymentIntents, declinedAs });
  }

  /** Captures the authorized amount, or a part of it (*inferred* path and parameters). */
  capture<Given>(
    id: IdInput<'payment_intent'>,
    params: CaptureParams & Definite<Given, 'amount', number>,
    withOperationId: WithOperationId,
  ): ApiPromise<PaymentIntent> {
    const body = { params, schema: captureSchema };
    return this.send('capture', { id, body, options: withOperationId, returns: paymentIntents });
  }

  /** Cancels an intent before its capture (*inferred* path). Emits `payment_intent.canceled`. */
  cancel(id: IdInput<'payment_intent'>, options?: WriteOptions): ApiPromise<PaymentIntent> {
    return this.send('cancel', { id, options, returns: paymentIntents });
  }

  /** Retries a declined intent with another payment method (*inferred* path and parameters). */
  retryWithNewPaymentMethod(
    id: IdInput<'payment_intent'>,
    params: NewPaymentMethodParams,
    withOperationId: WithOperationId,
  ): ApiPromise<PaymentIntent> {
    const body = { params, schema: newPaymentMethodSchema };
    return this.send('retryWithNewPaymentMethod', {
      id,
      body,
      options: withOperationId,
      returns: paymentIntents,
      declinedAs,
    });
  }

  /**
   * Refunds an intent, or a part of it (*inferred* path and parameters). `refunds.create` does the same with a documented
   * path.
   */
  refund<Given>(
    id: IdInput<'payment_intent'>,
    params: PartialRefundParams & Definite<Given, 'amount', number>,
    withOperationId: WithOperationId,
  ): ApiPromise<Refund> {
    const body = { params, schema: partialRefundSchema };
    return this.send('refund', { id, body, options: withOperationId, returns: refunds });
  }
}
