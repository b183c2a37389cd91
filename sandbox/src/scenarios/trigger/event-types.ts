import type { WebhookEventType } from 'payments-client/webhooks';
import type { CatalogEventType } from '../../base/interface-types.ts';
import { eventCatalog, typesElsewhere } from '../../sdk.ts';

/**
 * The types outside the catalog, listed here because their modules would load their schemas. The compiler requires
 * all of them.
 */
const others = {
  'account.created': true,
  'connection.created': true,
  'connection.activated': true,
  'account.updated': true,
  'chargeback.received': true,
} satisfies Record<Exclude<WebhookEventType, CatalogEventType>, true>;

/** All event types that the sandbox can trigger. */
export const eventTypes: readonly WebhookEventType[] = [
  // The compiler loses that these are the keys of the types.
  ...(Object.keys(eventCatalog) as CatalogEventType[]),
  ...(Object.keys(others) as (keyof typeof others)[]),
];

/** The types of the events of a visit, which `sandbox.visit` emits. The interface names none, so they are the sandbox's own. */
export const visitTypes = ['account_link.visited', 'account_link.completed'] as const;

/** An event type to choose, and those of other payment services. */
export const eventTypeChoices = {
  what: 'an event type',
  words: eventTypes,
  others: typesElsewhere,
} as const;
