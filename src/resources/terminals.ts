import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import type { CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';
import { WritableCollection } from './writable-collection.ts';

const terminals: CollectionDefinition<OpenResource> = openCollection('terminals', 'terminal', 'terminal');

/** `payments.terminals`: card readers. The interface does not show their fields. */
export class Terminals<T = OpenResource> extends WritableCollection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): Terminals {
    return new Terminals(api, terminals);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): Terminals<Own> {
    return new Terminals(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
