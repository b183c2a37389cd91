import { type CatalogEventType, eventCatalog } from '../../../webhooks/events/catalog.ts';
import type { WebhookEventType } from '../../../webhooks/events/event.ts';

/** The types beside the catalog. The compiler asks for all of them; a list of their own modules would load their schemas. */
const others = {
  'account.created': true,
  'connection.created': true,
  'connection.activated': true,
  'chargeback.received': true,
} satisfies Record<Exclude<WebhookEventType, CatalogEventType>, true>;

/** All types of events that the sandbox can trigger. */
export const eventTypes: readonly string[] = [...Object.keys(eventCatalog), ...Object.keys(others)];
