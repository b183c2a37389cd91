import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../http/options.ts';
import { Collection, type CollectionDefinition, type Deleted } from './collection.ts';
import { type OpenParams, type OpenResource, openCollection, openParamsSchema } from './open-resource.ts';

const apiKeys: CollectionDefinition<OpenResource> = openCollection('apiKeys', 'api_key');

/** `payments.apiKeys`: keys of the API. The interface does not show their fields. Without a `limit`, the list is one whole page (*shown*). */
export class ApiKeys<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): ApiKeys {
    return new ApiKeys(api, apiKeys);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): ApiKeys<Own> {
    return new ApiKeys(this.api, { ...this.definition, schema: { byUser: schema } });
  }

  /** Creates a key (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.definition });
  }

  /** Deletes a key (*inferred* path). */
  delete(id: string, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}
