import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, type Deleted, StatefulCollection } from '../collection.ts';
import {
  baseFields,
  type Metadata,
  metadata,
  metadataParam,
  type ResourceBase,
  type UnknownFields,
} from '../fields/common.ts';
import { type Id, type IdInput, id } from '../fields/ids.ts';

/** A buyer. */
export interface Customer extends ResourceBase<'customer'> {
  /** The customer's id, `cus_…` (*shown*). */
  readonly id: Id<'customer'>;
  /** Whether the customer was deleted; a deleted one can be restored (*shown*). */
  readonly deleted: boolean;
  /** The first name (*shown*). */
  readonly first_name: string;
  /** The last name (*shown*). */
  readonly last_name: string;
  /** The e-mail address (*shown*). */
  readonly email: string;
  /** The phone number (*shown*). */
  readonly phone: string;
  /** The billing address; null if there is none (*shown*; its fields are not). */
  readonly billing_address: UnknownFields | null;
  /** The shipping details; null if there are none (*shown*; its fields are not). */
  readonly shipping: UnknownFields | null;
  /** The source of its creation (*shown*; only `api` occurs). */
  readonly creation_source: OrUnlisted<'api'>;
  /** The payment settings (*shown*; its fields are not). */
  readonly payment_settings: UnknownFields;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: Id<'merchant'>;
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

const openObject = () => s.record(s.unknown());

/** The fields of a {@link Customer}, as the interface lists them; unknown ones pass. */
export const customerSchema: s.Schema<Customer> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    ...baseFields('customer'),
    id: id('customer'),
    deleted: s.boolean(),
    first_name: s.string(),
    last_name: s.string(),
    email: s.string(),
    phone: s.string(),
    billing_address: s.nullable(openObject()),
    shipping: s.nullable(openObject()),
    creation_source: openEnum<OrUnlisted<'api'>>(),
    payment_settings: openObject(),
    merchant_id: id('merchant'),
    metadata: metadata(),
    created_at: s.integer(),
    updated_at: s.integer(),
  }),
);

/** How a customer pays by default. The interface shows none of its fields. All other fields are sent unchanged. */
interface PaymentSettingsParams extends Record<string, unknown> {
  /** The payment method that pays the customer's subscriptions (*inferred*); null for none. */
  default_payment_method?: IdInput<'payment_method'> | null | undefined;
}

/**
 * Parameters that create or change a customer. The interface shows none of these fields; the SDK assumes the names of the customer's
 * own fields.
 */
export interface CustomerCreateParams {
  /** The first name (*inferred*). */
  first_name?: string | undefined;
  /** The last name (*inferred*). */
  last_name?: string | undefined;
  /** The e-mail address (*inferred*). */
  email?: string | undefined;
  /** The phone number (*inferred*). */
  phone?: string | undefined;
  /** The billing address (*inferred*; its fields too). */
  billing_address?: Record<string, unknown> | undefined;
  /** Where to ship (*inferred*; its fields too). */
  shipping?: Record<string, unknown> | undefined;
  /** How the customer pays (*inferred*; its fields too). */
  payment_settings?: PaymentSettingsParams | undefined;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

/** The parameters that create or change a customer. */
export const customerCreateSchema: s.Schema<CustomerCreateParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    first_name: s.optional(s.filled()),
    last_name: s.optional(s.filled()),
    email: s.optional(s.filled()),
    phone: s.optional(s.filled()),
    billing_address: s.optional(openObject()),
    shipping: s.optional(openObject()),
    payment_settings: s.optional(
      s.catchall(s.object({ default_payment_method: s.optional(s.nullable(s.filled())) }), s.unknown()),
    ),
    metadata: metadataParam(),
  }),
);

const customers: CollectionDefinition<Customer> = {
  name: 'customers',
  object: 'customer',
  plurals: ['customers'],
  idKind: 'customer',
  schema: customerSchema,
};

/** `payments.customers`: buyers. */
export class Customers extends StatefulCollection<Customer, 'customer'> {
  /** @internal */
  constructor(api: Api) {
    super(api, customers);
  }

  /**
   * Creates a customer (*shown*; its parameters are *inferred*). Emits `customer.created`. It moves no money, so an
   * `operationId` is optional. With one, the SDK can also retry the call safely.
   */
  create(params: CustomerCreateParams, options?: WriteOptions): ApiPromise<Customer> {
    return this.send('create', {
      body: { params, schema: customerCreateSchema },
      options,
      returns: customers,
    });
  }

  /** Changes a customer (*inferred* path and parameters); an omitted field keeps its value. Emits `customer.updated`. */
  update(
    id: IdInput<'customer'>,
    params: CustomerCreateParams,
    options?: WriteOptions,
  ): ApiPromise<Customer> {
    return this.send('update', {
      id,
      body: { params, schema: customerCreateSchema },
      options,
      returns: customers,
    });
  }

  /** Deletes a customer, which `restore` can undo (*shown*). Emits `customer.deleted`. */
  delete(id: IdInput<'customer'>, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }

  /** Restores a deleted customer (*shown*). Emits `customer.restored`. */
  restore(id: IdInput<'customer'>, options?: WriteOptions): ApiPromise<Customer> {
    return this.send('restore', { id, options, returns: customers });
  }
}
