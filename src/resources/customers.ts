import * as z from 'zod/mini';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../core/options.ts';
import type { ListParams, PagePromise } from '../core/page.ts';
import type { Expected, ExpectedPage, ResourceApi } from '../core/resource-api.ts';
import type { Schema } from '../core/schema.ts';
import {
  baseFields,
  filled,
  integer,
  type Metadata,
  metadata,
  metadataParam,
  type Open,
  openEnum,
  type ResourceBase,
} from './common.ts';

/** An object whose fields the interface does not show. */
export type OpenObject = Readonly<Record<string, unknown>>;

/** Someone who pays. */
export interface Customer extends ResourceBase<'customer'> {
  /** The customer's id, `cus_…` (*shown*). */
  readonly id: string;
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
  /** The billing address; null where there is none (*shown*; its fields are not). */
  readonly billing_address: OpenObject | null;
  /** Where to ship; null where it is not known (*shown*; its fields are not). */
  readonly shipping: OpenObject | null;
  /** What created the customer (*shown*; only `api` occurs). */
  readonly creation_source: Open<'api'>;
  /** How the customer pays (*shown*; its fields are not). */
  readonly payment_settings: OpenObject;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: string;
  /** The merchant's own notes (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an epoch-style integer (*shown*; seconds or ms is not). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

const openObject = () => z.record(z.string(), z.unknown());

/** The fields of a {@link Customer}, as the interface lists them; unknown ones pass. */
export const customerSchema: Schema<Customer> = z.looseObject({
  ...baseFields('customer'),
  id: z.string(),
  deleted: z.boolean(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  billing_address: z.nullable(openObject()),
  shipping: z.nullable(openObject()),
  creation_source: openEnum(),
  payment_settings: openObject(),
  merchant_id: z.string(),
  metadata: metadata(),
  created_at: integer(),
  updated_at: integer(),
});

/**
 * What a deletion gives. The interface shows no body, so a whole customer, a short confirmation and an empty
 * response are all accepted; the SDK itself makes this object for an empty one.
 */
export interface DeletedCustomer {
  /** The customer's id, `cus_…`. */
  readonly id: string;
  /** True; absent where the service's confirmation does not repeat it. */
  readonly deleted?: boolean | undefined;
}

const deletedCustomerSchema: Schema<DeletedCustomer> = z.looseObject({
  id: z.string(),
  deleted: z.optional(z.boolean()),
});

/** What a customer is created from. The interface shows none of these fields; they follow the customer's own. */
export interface CustomerCreateParams {
  /** The first name (*inferred*). */
  readonly first_name?: string | undefined;
  /** The last name (*inferred*). */
  readonly last_name?: string | undefined;
  /** The e-mail address (*inferred*). */
  readonly email?: string | undefined;
  /** The phone number (*inferred*). */
  readonly phone?: string | undefined;
  /** The billing address (*inferred*; its fields too). */
  readonly billing_address?: OpenObject | undefined;
  /** Where to ship (*inferred*; its fields too). */
  readonly shipping?: OpenObject | undefined;
  /** Your own notes (*inferred*). */
  readonly metadata?: Metadata | undefined;
}

const createParamsSchema: Schema<CustomerCreateParams> = z.looseObject({
  first_name: z.optional(filled()),
  last_name: z.optional(filled()),
  email: z.optional(filled()),
  phone: z.optional(filled()),
  billing_address: z.optional(openObject()),
  shipping: z.optional(openObject()),
  metadata: metadataParam(),
});

const customer: ExpectedPage<Customer> = {
  object: 'customer',
  plurals: ['customers'],
  schema: customerSchema,
};
const deletedCustomer: Expected<DeletedCustomer> = { object: 'customer', schema: deletedCustomerSchema };

/** `payments.customers`: those who pay. */
export class Customers {
  readonly #api: ResourceApi;

  /** @internal */
  constructor(api: ResourceApi) {
    this.#api = api;
  }

  /**
   * Creates a customer (*shown*; its parameters are *inferred*). Emits `customer.created`. It moves no money, so
   * an `operationId` is optional; with one, it is also repeated safely.
   */
  create(params: CustomerCreateParams, options?: WriteOptions): ApiPromise<Customer> {
    return this.#api.call({
      operation: 'customers.create',
      body: { params, schema: createParamsSchema },
      options,
      returns: customer,
    });
  }

  /** One customer (*inferred* path). */
  retrieve(id: string, options?: RequestOptions): ApiPromise<Customer> {
    return this.#api.call({ operation: 'customers.retrieve', ids: { id }, options, returns: customer });
  }

  /** Deletes a customer, who can be restored (*shown*). Emits `customer.deleted`. */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedCustomer> {
    return this.#api.call({
      operation: 'customers.delete',
      ids: { id },
      options,
      returns: deletedCustomer,
      whenEmpty: () => ({ id, deleted: true }),
    });
  }

  /** Restores a deleted customer (*shown*). Emits `customer.restored`. */
  restore(id: string, options?: WriteOptions): ApiPromise<Customer> {
    return this.#api.call({ operation: 'customers.restore', ids: { id }, options, returns: customer });
  }

  /** All customers, newest first (*inferred* path). */
  list(params?: ListParams, options?: RequestOptions): PagePromise<Customer> {
    return this.#api.list('customers.list', params, options, customer);
  }
}
