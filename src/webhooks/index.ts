/** Webhooks: verifies deliveries, types their events, and handles each event once. */

export type {
  UnknownEvent,
  VerifiedEvent,
  WebhookEvent,
  WebhookEventMap,
  WebhookEventType,
} from './events/event.ts';
export { advanceSnapshot } from './events/snapshot.ts';
export type { WebhooksOptions } from './options.ts';
export type { FailedDelivery } from './receiver/failed.ts';
export type { ReceiverContext, TransactionContext, WebhookHandlers } from './receiver/handlers.ts';
export type { WebhookJob } from './receiver/job.ts';
export type { ReceiverOptions, TransactionReceiverOptions, WebhookStore } from './receiver/options.ts';
export type { Receiver } from './receiver/receiver.ts';
export type { DeliveryFailure, DeliveryReport } from './receiver/reports/report.ts';
export { bodyHmac } from './signatures/body-hmac.ts';
export type { SignatureScheme } from './signatures/scheme.ts';
export { standardWebhooks } from './signatures/standard-webhooks.ts';
export { timestampedHmac } from './signatures/timestamped-hmac.ts';
export { WebhookVerifier } from './verifier.ts';
export { Webhooks } from './webhooks.ts';
