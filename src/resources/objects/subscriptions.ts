import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { WithOperationId, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import {
  baseFields,
  type CollectionMethod,
  type Metadata,
  metadata,
  metadataParam,
  quantityParam,
  type ResourceBase,
} from '../fields/common.ts';
import { type Id, type IdInput, id, idParam } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';

/** One item of a subscription: a price, and its quantity. */
export interface SubscriptionItem {
  /** The item's id, `si_…` (*shown*). */
  readonly id: Id<'subscription_item'>;
  /** The price's id, `price_…` (*shown*). */
  readonly price: Id<'price'>;
  /** How many (*shown*). */
  readonly quantity: number;
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
}

/** The fields of a subscription, whatever its state. */
interface SubscriptionFields extends ResourceBase<'subscription'> {
  /** The subscription's id, `sub_…` (*shown*). */
  readonly id: Id<'subscription'>;
  /**
   * The subscription's status (*shown*: `incomplete`, `canceled`; *inferred*: `active`, `past_due`, and `ended` after a scheduled
   * cancellation).
   */
  readonly status: OrUnlisted<'incomplete' | 'active' | 'past_due' | 'canceled' | 'ended'>;
  /** How its invoices are collected (*shown*: `send_invoice`; *inferred*: `charge_automatically`, as on invoices). */
  readonly collection_method: CollectionMethod;
  /** The customer's id, `cus_…` (*shown*). */
  readonly customer: Id<'customer'>;
  /** The anchor of its billing cycle, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly billing_cycle_anchor: number;
  /** When the current period began, an epoch-style integer (*shown*). */
  readonly current_period_start: number;
  /** When the current period ends, an epoch-style integer (*shown*). */
  readonly current_period_end: number;
  /** Whether it ends with the current period (*shown*). */
  readonly cancel_at_period_end: boolean;
  /** When it was canceled, an epoch-style integer; present on cancellation (*shown*), otherwise absent or null. */
  readonly canceled_at?: number | null | undefined;
  /** When it ended, an epoch-style integer; present on cancellation (*shown*), otherwise absent or null. */
  readonly ended_at?: number | null | undefined;
  /** The items (*shown*). */
  readonly items: readonly SubscriptionItem[];
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/** A recurring payment. Once it is canceled, `canceled_at` and `ended_at` are present (*shown*). */
export type Subscription = SubscriptionFields &
  PresentWhen<SubscriptionFields, Record<'status', 'canceled'>, 'canceled_at' | 'ended_at'>;

const itemSchema = (): s.Schema<SubscriptionItem> =>
  s.object({
    id: id('subscription_item'),
    price: id('price'),
    quantity: s.integer(),
    metadata: metadata(),
  });

/** The fields of a {@link Subscription}, as the interface lists them; unknown ones pass. */
export const subscriptionSchema: s.Schema<Subscription> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    s.object({
      ...baseFields('subscription'),
      id: id('subscription'),
      status: openEnum<Subscription['status']>(),
      collection_method: openEnum<CollectionMethod>(),
      customer: id('customer'),
      billing_cycle_anchor: s.integer(),
      current_period_start: s.integer(),
      current_period_end: s.integer(),
      cancel_at_period_end: s.boolean(),
      canceled_at: s.optional(s.nullable(s.integer())),
      ended_at: s.optional(s.nullable(s.integer())),
      items: s.array(itemSchema()),
      metadata: metadata(),
      created_at: s.integer(),
      updated_at: s.integer(),
    }),
    { status: 'canceled' },
    ['canceled_at', 'ended_at'],
  ),
);

/** One item of a subscription to create or change. */
interface SubscriptionItemParams {
  /** A price's id (*inferred*). */
  price: IdInput<'price'>;
  /** How many, an integer from 1 (*inferred*). Default: the service chooses; `undefined` is refused. */
  quantity?: number;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

/**
 * Parameters that create a subscription. The interface shows none of these fields; the SDK assumes the names of the
 * subscription's own fields.
 */
export interface SubscriptionCreateParams {
  /** A customer's id (*inferred*). */
  customer: IdInput<'customer'>;
  /** The items to bill, at least one (*inferred*). */
  items: readonly SubscriptionItemParams[];
  /** How its invoices are collected (*inferred*). Default: the service chooses. */
  collection_method?: CollectionMethod | undefined;
  /** Whether it ends with its first period (*inferred*). */
  cancel_at_period_end?: boolean | undefined;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

/** Parameters that change a subscription; an omitted field keeps its value. The interface shows none of these fields. */
export interface SubscriptionUpdateParams {
  /** The new items to bill (*inferred*). */
  items?: readonly SubscriptionItemParams[] | undefined;
  /** How its invoices are collected (*inferred*). */
  collection_method?: CollectionMethod | undefined;
  /** Whether it ends with the current period (*inferred*). Emits `subscription.updated`, never `.canceled`. */
  cancel_at_period_end?: boolean | undefined;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

const itemParamsSchema = (): s.Schema<SubscriptionItemParams> =>
  s.object({
    price: s.filled(),
    quantity: s.exactOptional(quantityParam()),
    metadata: metadataParam(),
  });

const itemsParam = () => s.array(itemParamsSchema()).check(s.notEmpty());

const changeableFields = () => ({
  collection_method: s.optional(openEnum<CollectionMethod>(s.filled())),
  cancel_at_period_end: s.optional(s.boolean()),
  metadata: metadataParam(),
});

/** The parameters that create a subscription. */
export const subscriptionCreateSchema: s.Schema<SubscriptionCreateParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    customer: idParam('customer'),
    items: itemsParam(),
    ...changeableFields(),
  }),
);

/** The parameters that change a subscription. */
export const subscriptionUpdateSchema: s.Schema<SubscriptionUpdateParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    items: s.optional(itemsParam()),
    ...changeableFields(),
  }),
);

const subscriptions: CollectionDefinition<Subscription> = {
  name: 'subscriptions',
  object: 'subscription',
  plurals: ['subscriptions'],
  idKind: 'subscription',
  schema: subscriptionSchema,
};

/** `payments.subscriptions`: recurring billing. */
export class Subscriptions extends StatefulCollection<Subscription, 'subscription'> {
  /** @internal */
  constructor(api: Api) {
    super(api, subscriptions);
  }

  /** Creates a subscription (*inferred* path and parameters). Emits `subscription.created`. */
  create(params: SubscriptionCreateParams, withOperationId: WithOperationId): ApiPromise<Subscription> {
    const body = { params, schema: subscriptionCreateSchema };
    return this.send('create', { body, options: withOperationId, returns: subscriptions });
  }

  /**
   * Changes a subscription (*inferred* path and parameters). Emits `subscription.updated`. The service may charge a change
   * of items immediately, so the call needs an `operationId` or an `idempotencyKey`.
   */
  update(
    id: IdInput<'subscription'>,
    params: SubscriptionUpdateParams,
    withOperationId: WithOperationId,
  ): ApiPromise<Subscription> {
    return this.send('update', {
      id,
      body: { params, schema: subscriptionUpdateSchema },
      options: withOperationId,
      returns: subscriptions,
    });
  }

  /**
   * Cancels a subscription immediately (*inferred* path). Emits `subscription.canceled`. To end it with the current period
   * instead, update it with `cancel_at_period_end: true`.
   */
  cancel(id: IdInput<'subscription'>, options?: WriteOptions): ApiPromise<Subscription> {
    return this.send('cancel', { id, options, returns: subscriptions });
  }
}
