import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';
import { WritableCollection } from './writable-collection.ts';

const products: CollectionDefinition<OpenResource> = openCollection('products', 'product');

/** `payments.products`: what is sold. The interface does not show their fields. The path of their list is *shown*. */
export class Products<T = OpenResource> extends WritableCollection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): Products {
    return new Products(api, products);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Products<Own> {
    return new Products(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
