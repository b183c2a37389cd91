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
  others: {
    'charge.captured': 'payment_intent.succeeded',
    'charge.dispute.created': 'chargeback.received',
    'charge.failed': 'payment_intent.payment_failed',
    'charge.refund.updated': 'refund.succeeded',
    'charge.refunded': 'refund.succeeded',
    'charge.succeeded': 'payment_intent.succeeded',
    'checkout.session.async_payment_succeeded': 'checkout.session.completed',
    'customer.subscription.created': 'subscription.created',
    'customer.subscription.deleted': 'subscription.canceled',
    'customer.subscription.updated': 'subscription.updated',
    'invoice.payment_succeeded': 'invoice.paid',
    'payment_intent.failed': 'payment_intent.payment_failed',
    'refund.updated': 'refund.succeeded',
  },
} as const satisfies {
  readonly others: Readonly<Record<string, WebhookEventType>>;
  readonly [field: string]: unknown;
};
