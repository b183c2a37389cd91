import { isCatalogType } from './catalog.ts';
import { chargebackType } from './chargeback.ts';
import { isConnectType } from './connect.ts';
import type { KnownWebhookEvent, WebhookEvent, WebhookEventType } from './event.ts';

/** Whether this version knows a type of event. */
export function isKnownType(type: string): type is WebhookEventType {
  return isCatalogType(type) || isConnectType(type) || type === chargebackType;
}

/** Whether an event is of a known type. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownType(event.type);
}
