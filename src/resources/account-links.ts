import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { WriteOptions } from '../http/options.ts';
import { Collection, type CollectionDefinition } from './collection.ts';
import { type OpenParams, type OpenResource, openCollection, openParamsSchema } from './open-resource.ts';

const accountLinks: CollectionDefinition<OpenResource> = openCollection('accountLinks', 'account_link');

/** `payments.accountLinks`: links by which merchants connect an account. The interface does not show their fields. */
export class AccountLinks<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): AccountLinks {
    return new AccountLinks(api, accountLinks);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): AccountLinks<Own> {
    return new AccountLinks(this.api, { ...this.definition, schema: { byUser: schema } });
  }

  /** Creates a link (*inferred* path; its parameters are not shown). */
  create(params: OpenParams, options?: WriteOptions): ApiPromise<T> {
    const body = { params, schema: openParamsSchema };
    return this.send('create', { body, options, returns: this.definition });
  }
}
