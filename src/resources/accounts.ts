import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import { Collection, type CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';

const accounts: CollectionDefinition<OpenResource> = openCollection('accounts', 'account');

/** `payments.accounts`: merchants of a platform. The interface does not show their fields. */
export class Accounts<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): Accounts {
    return new Accounts(api, accounts);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Accounts<Own> {
    return new Accounts(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
