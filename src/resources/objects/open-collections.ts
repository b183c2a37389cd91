/** The collections whose fields the interface does not show: one class for all, and a type with the methods that one has. */

import type { ApiPromise } from '../../http/api-promise.ts';
import type { RequestOptions, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import type { StandardSchema } from '../../http/response.ts';
import { Collection, type CollectionDefinition, type Deleted } from '../collection.ts';
import type { UnknownFields } from '../fields/common.ts';
import type { IdInput, IdKind } from '../fields/ids.ts';
import { openParamsSchema } from './open-resource.ts';

/** A collection whose fields are not shown, and whose objects can be created, changed and deleted. */
export class WritableCollection<T, Kind extends IdKind = never> extends Collection<T, Kind> {
  /** @internal esbuild renames a class that mentions itself, and `util.inspect` would print that. */
  static override readonly name = 'WritableCollection';

  readonly #api: Api;
  readonly #definition: CollectionDefinition<T>;

  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
    this.#api = api;
    this.#definition = definition;
  }

  /** Returns this collection with your own schema: it checks the objects, unless `validation` is `off`, and gives them its type. */
  withSchema<Own>(schema: StandardSchema<Own>): WritableCollection<Own, Kind> {
    return new WritableCollection(this.#api, { ...this.#definition, schema: { byUser: schema } });
  }

  /**
   * Creates an object (*inferred* path; its parameters are not shown, so any are sent as they are, but a `url` or `…_url` that would run code
   * in a browser).
   */
  create(params: UnknownFields, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.#definition });
  }

  /** Changes an object (*inferred* path; its parameters are not shown, so any are sent as they are). */
  update(id: IdInput<Kind>, params: UnknownFields, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('update', { id, body, options, returns: this.#definition });
  }

  /** Deletes an object (*inferred* path). */
  delete(id: IdInput<Kind>, options?: RequestOptions): ApiPromise<Deleted> {
    return this.sendDelete(id, options);
  }
}

type Write = 'create' | 'update' | 'delete';

/** A collection whose fields the interface does not show, with the methods that write which it has. */
export type UntypedCollection<T, Kind extends IdKind = never, Methods extends Write = Write> = Pick<
  WritableCollection<T, Kind>,
  'retrieve' | 'list' | 'waitFor' | Methods
> & {
  /** Returns this collection with your own schema: it checks the objects, unless `validation` is `off`, and gives them its type. */
  withSchema<Own>(schema: StandardSchema<Own>): UntypedCollection<Own, Kind, Methods>;
};
