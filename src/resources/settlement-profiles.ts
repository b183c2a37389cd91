import type { StandardSchema } from '../base/standard-schema.ts';
import type { Api } from '../http/api.ts';
import { Collection, type CollectionDefinition } from './collection.ts';
import { type OpenResource, openCollection } from './open-resource.ts';

const settlementProfiles: CollectionDefinition<OpenResource> = openCollection(
  'settlementProfiles',
  'settlement_profile',
  'settlement_profile',
);

/** `payments.settlementProfiles`: how money is paid out. The interface does not show their fields. */
export class SettlementProfiles<T = OpenResource> extends Collection<T> {
  /** @internal */
  constructor(api: Api, definition: CollectionDefinition<T>) {
    super(api, definition);
  }

  /** @internal */
  static on(api: Api): SettlementProfiles {
    return new SettlementProfiles(api, settlementProfiles);
  }

  /** The same collection, whose objects are checked by your own schema and have its type. */
  withSchema<Own>(schema: StandardSchema<Own>): SettlementProfiles<Own> {
    return new SettlementProfiles(this.api, { ...this.definition, schema: { byUser: schema } });
  }
}
