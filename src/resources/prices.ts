import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../core/options.ts';
import type { ResourceApi } from '../core/resource-api.ts';
import { checkByStandard, type StandardSchema } from '../core/standard-schema.ts';
import { Collection, type CollectionDefinition, type Deleted } from './collection.ts';
import { type OpenParams, type OpenResource, openCollection, openParamsSchema } from './open-resource.ts';

const prices: CollectionDefinition<OpenResource> = openCollection('prices', 'price', 'price');

/** `payments.prices`: what products cost. The interface does not show their fields. */
export class Prices<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: ResourceApi, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: ResourceApi): Prices {
    return new Prices(api, prices);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Prices<Own> {
    return new Prices(this.api, { ...this.definition, check: checkByStandard(schema) });
  }

  /** Creates a price (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.definition });
  }

  /** Changes a price (*inferred* path; its parameters are not shown). */
  update(id: string, params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('update', { id, body, options, returns: this.definition });
  }

  /** Deletes a price (*inferred* path). */
  delete(id: string, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}
