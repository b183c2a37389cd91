import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';
import { WritableCollection } from './writable-collection.ts';

const prices: CollectionDefinition<OpenResource> = openCollection('prices', 'price', 'price');

/** `payments.prices`: what products cost. The interface does not show their fields. */
export class Prices<T = OpenResource> extends WritableCollection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): Prices {
    return new Prices(api, prices);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Prices<Own> {
    return new Prices(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
