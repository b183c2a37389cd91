/** The collections whose fields the interface does not show: one class for all, and a type for each with the methods that it has. */

import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../http/options.ts';
import { Collection, type CollectionDefinition, type Deleted } from './collection.ts';
import type { Id, IdInput, IdKind } from './ids.ts';
import { type OpenParams, type OpenResource, openParamsSchema } from './open-resource.ts';

/** A collection whose fields are not shown, and whose objects can be created, changed and deleted. */
export class OpenCollection<T = OpenResource, Kind extends IdKind = never> extends Collection<T, Kind> {
  /** @internal esbuild renames a class that mentions itself, and `util.inspect` would print that. */
  static override readonly name = 'OpenCollection';

  readonly #api: Api;
  readonly #definition: CollectionDefinition<T>;

  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
    this.#api = api;
    this.#definition = definition;
  }

  /** Returns this collection with your own schema: it checks the objects, unless `validation` is `off`, and gives them its type. */
  withSchema<Own>(schema: StandardSchema<Own>): OpenCollection<Own, Kind> {
    return new OpenCollection(this.#api, { ...this.#definition, schema: { byUser: schema } });
  }

  /** Creates an object (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.#definition });
  }

  /** Changes an object (*inferred* path; its parameters are not shown). */
  update(id: IdInput<Kind>, params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('update', { id, body, options, returns: this.#definition });
  }

  /** Deletes an object (*inferred* path). */
  delete(id: IdInput<Kind>, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}

type Write = 'create' | 'update' | 'delete';

/** An {@link OpenCollection} that has only some of the methods that write. */
export type OpenCollectionWith<Method extends Write, T, Kind extends IdKind = never> = Omit<
  OpenCollection<T, Kind>,
  Exclude<Write, Method> | 'withSchema'
> & {
  /** Returns this collection with your own schema: it checks the objects, unless `validation` is `off`, and gives them its type. */
  withSchema<Own>(schema: StandardSchema<Own>): OpenCollectionWith<Method, Own, Kind>;
};

/** `payments.products`: goods and services. The path of their list is *shown*. */
export type Products<T = OpenResource> = OpenCollection<T>;

/** `payments.prices`: what products cost. */
export type Prices<T = OpenResource<Id<'price'>>> = OpenCollection<T, 'price'>;

/** `payments.paymentMethods`: what buyers pay with. */
export type PaymentMethods<T = OpenResource<Id<'payment_method'>>> = OpenCollection<T, 'payment_method'>;

/** `payments.terminals`: card readers. */
export type Terminals<T = OpenResource<Id<'terminal'>>> = OpenCollection<T, 'terminal'>;

/** `payments.webhookEndpoints`: where events are sent. Without a `limit`, the list is one complete page (*shown*). */
export type WebhookEndpoints<T = OpenResource> = OpenCollection<T>;

/** `payments.apiKeys`: keys of the API. Without a `limit`, the list is one complete page (*shown*). */
export type ApiKeys<T = OpenResource> = OpenCollectionWith<'create' | 'delete', T>;

/**
 * `payments.accountLinks`: links with which merchants connect an account. Save the id of each link with your customer, and
 * find the customer by this id: `external_reference` may repeat (*shown*).
 */
export type AccountLinks<T = OpenResource> = OpenCollectionWith<'create', T>;

/** `payments.settlementProfiles`: how money is paid out. */
export type SettlementProfiles<T = OpenResource<Id<'settlement_profile'>>> = OpenCollectionWith<
  never,
  T,
  'settlement_profile'
>;

/** `payments.accounts`: merchants of a platform. */
export type Accounts<T = OpenResource> = OpenCollectionWith<never, T>;

/** `payments.connections`: accounts connected to a platform. */
export type Connections<T = OpenResource> = OpenCollectionWith<never, T>;
