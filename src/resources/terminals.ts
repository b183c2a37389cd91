import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../core/options.ts';
import type { ResourceApi } from '../core/resource-api.ts';
import { checkByStandard, type StandardSchema } from '../core/standard-schema.ts';
import { Collection, type CollectionDefinition, type Deleted } from './collection.ts';
import { type OpenParams, type OpenResource, openCollection, openParamsSchema } from './open-resource.ts';

const terminals: CollectionDefinition<OpenResource> = openCollection('terminals', 'terminal', 'terminal');

/** `payments.terminals`: card readers. The interface does not show their fields. */
export class Terminals<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: ResourceApi, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: ResourceApi): Terminals {
    return new Terminals(api, terminals);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Terminals<Own> {
    return new Terminals(this.api, { ...this.definition, check: checkByStandard(schema) });
  }

  /** Creates a terminal (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.definition });
  }

  /** Changes a terminal (*inferred* path; its parameters are not shown). */
  update(id: string, params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('update', { id, body, options, returns: this.definition });
  }

  /** Deletes a terminal (*inferred* path). */
  delete(id: string, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}
