import type { WebhookEventType } from './event.ts';

/** The event types of other payment services, with the type that tells the same here. */
export const typesElsewhere = {
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
} as const satisfies Readonly<Record<string, WebhookEventType>>;
