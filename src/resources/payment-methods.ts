import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';
import { WritableCollection } from './writable-collection.ts';

const paymentMethods: CollectionDefinition<OpenResource> = openCollection(
  'paymentMethods',
  'payment_method',
  'payment_method',
);

/** `payments.paymentMethods`: what is paid with. The interface does not show their fields. */
export class PaymentMethods<T = OpenResource> extends WritableCollection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): PaymentMethods {
    return new PaymentMethods(api, paymentMethods);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): PaymentMethods<Own> {
    return new PaymentMethods(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
