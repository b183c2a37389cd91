import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';
import { WritableCollection } from './writable-collection.ts';

const webhookEndpoints: CollectionDefinition<OpenResource> = openCollection(
  'webhookEndpoints',
  'webhook_endpoint',
);

/** `payments.webhookEndpoints`: where events are sent. The interface does not show their fields. Without a `limit`, the list is one whole page (*shown*). */
export class WebhookEndpoints<T = OpenResource> extends WritableCollection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): WebhookEndpoints {
    return new WebhookEndpoints(api, webhookEndpoints);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): WebhookEndpoints<Own> {
    return new WebhookEndpoints(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
