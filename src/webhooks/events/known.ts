import { eventCatalog, isCatalogType } from './catalog.ts';
import { chargebackType } from './chargeback.ts';
import { connectEventTypes, isConnectType } from './connect.ts';
import type { KnownWebhookEvent, WebhookEvent, WebhookEventType } from './event.ts';

/** Returns whether this version knows an event type. */
export function isKnownType(type: string): type is WebhookEventType {
  return isCatalogType(type) || isConnectType(type) || type === chargebackType;
}

/** Returns all event types that this version knows. */
export function knownTypes(): readonly string[] {
  return [...Object.keys(eventCatalog), ...connectEventTypes, chargebackType];
}

/** Returns whether an event has a known type. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}
