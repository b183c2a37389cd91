import { type CatalogEventType, eventCatalog } from '../../../webhooks/events/catalog.ts';
import type { WebhookEventType } from '../../../webhooks/events/event.ts';

/**
 * The types outside the catalog, listed here because their modules would load their schemas. The compiler requires
 * all of them.
 */
const others = {
  'account.created': true,
  'connection.created': true,
  'connection.activated': true,
  'chargeback.received': true,
} satisfies Record<Exclude<WebhookEventType, CatalogEventType>, true>;

/** All event types that the sandbox can trigger. */
export const eventTypes: readonly string[] = [...Object.keys(eventCatalog), ...Object.keys(others)];
