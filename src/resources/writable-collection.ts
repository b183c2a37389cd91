import type { ApiPromise } from '../http/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../http/options.ts';
import { Collection, type Deleted } from './collection.ts';
import { type OpenParams, openParamsSchema } from './open-resource.ts';

/** A collection whose fields are not shown, and whose objects can be created, changed and deleted. */
export abstract class WritableCollection<T> extends Collection<T> {
  /** Creates an object (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.definition });
  }

  /** Changes an object (*inferred* path; its parameters are not shown). */
  update(id: string, params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('update', { id, body, options, returns: this.definition });
  }

  /** Deletes an object (*inferred* path). */
  delete(id: string, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}
