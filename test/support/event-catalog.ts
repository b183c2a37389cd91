/** The catalog of events, from the table of the service's interface. */

import type { WebhookEventType } from 'payments-client/webhooks';
import events from '../interface/tables/events.json' with { type: 'json' };
import transitions from '../interface/tables/transitions.json' with { type: 'json' };
import type { ObjectName } from './field-tables.ts';

/** The event types of the catalog. */
export type CatalogEventType = Exclude<
  WebhookEventType,
  | 'account.created'
  | 'account.updated'
  | 'connection.created'
  | 'connection.activated'
  | 'chargeback.received'
>;

interface CatalogRow {
  readonly type: CatalogEventType;
  /** The kind of `data.object`. */
  readonly object: ObjectName;
  readonly operations: readonly string[];
}

// JSON has only strings. A type that the catalog does not have would be an unknown event, which no test accepts.
const rows = events.catalog as readonly CatalogRow[];

/** The types of the catalog, in the order of the interface. */
export const catalogTypes = rows.map(({ type }) => type);

/** Returns the row of a type. */
export function catalogRow(type: CatalogEventType): CatalogRow {
  const row = rows.find((candidate) => candidate.type === type);
  if (row === undefined) throw new Error(`expected a type of the catalog, got ${type}`);
  return row;
}

/** Returns the fields that the object of an event has by the table of states. */
export function stateOf(type: CatalogEventType): object {
  return transitions.find(({ event }) => event === type)?.to ?? {};
}

/** Returns whether the catalog has a type. */
export function isCatalogType(type: string): type is CatalogEventType {
  return rows.some((row) => row.type === type);
}
