import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import { Collection, type CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';

const connections: CollectionDefinition<OpenResource> = openCollection('connections', 'connection');

/** `payments.connections`: accounts connected to a platform. The interface does not show their fields. */
export class Connections<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): Connections {
    return new Connections(api, connections);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Connections<Own> {
    return new Connections(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
