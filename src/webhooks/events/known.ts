import { isCatalogType } from './catalog.ts';
import { chargebackType } from './chargeback.ts';
import { isConnectType } from './connect.ts';
import type { KnownWebhookEvent, WebhookEvent, WebhookEventType } from './event.ts';

/** Returns whether this version knows an event type. */
export function isKnownType(type: string): type is WebhookEventType {
  return isCatalogType(type) || isConnectType(type) || type === chargebackType;
}

/** Returns whether an event has a known type. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}
