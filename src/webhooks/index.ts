/** Webhooks: verifies deliveries, types their events, and handles each event once. */

export type { Logger } from '../base/logger.ts';
export type { SecretEncoding, WebhookForm } from '../resources/webhook-form.ts';
export { type CatalogEntry, type CatalogEventType, eventCatalog } from './events/catalog.ts';
export type { Chargeback } from './events/chargeback.ts';
export {
  type ConnectEventType,
  type ConnectObject,
  connectEventTypes,
  type VersionScope,
} from './events/connect.ts';
export {
  type CatalogEvent,
  type ChargebackEvent,
  type ConnectEvent,
  type EventData,
  type EventEnvelope,
  eventDate,
  type KnownWebhookEvent,
  type UnknownEvent,
  type VerifiedEvent,
  type WebhookEvent,
  type WebhookEventMap,
  type WebhookEventType,
} from './events/event.ts';
export { type EventValidation, parseEvent } from './events/parse.ts';
export type { WebhookBody } from './events/payload.ts';
export {
  advanceSnapshot,
  type ConnectSnapshot,
  snapshotOf,
  type VersionedEvent,
} from './events/snapshot.ts';
export type { DeliveryHeaders, ReadableHeaders } from './headers.ts';
export type {
  EventContext,
  ReceiverContext,
  TransactionContext,
  WebhookHandler,
  WebhookHandlers,
} from './receiver/context.ts';
export type { Delivery } from './receiver/delivery.ts';
export { type DispatchOutcome, WebhookInProgressError } from './receiver/dispatch.ts';
export type { RouteOptions } from './receiver/fastify.ts';
export type { FastifyAnswer, FastifyDelivery, FastifyScope } from './receiver/fastify-types.ts';
export { WebhookLeaseLostError } from './receiver/lease-lost.ts';
export type { NodeBody, NodeRequest, NodeResponse } from './receiver/node-types.ts';
export type {
  CommonReceiverOptions,
  ReceiverOptions,
  TransactionReceiverOptions,
  WebhookStore,
} from './receiver/options.ts';
export type { DispatchOptions, Receiver } from './receiver/receiver.ts';
export type { DeliveryReply } from './receiver/reply.ts';
export type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryOutcome,
  DeliveryReport,
  DeliverySource,
  UnreadableDelivery,
} from './receiver/report.ts';
export type { DeliverySecrets, ScopedSecrets, SecretLookup } from './secrets.ts';
export { type BodyHmacOptions, bodyHmac } from './signatures/body-hmac.ts';
export type { SecretLengthOptions, SecretOptions } from './signatures/hmac-secret.ts';
export type { RawBody, SignatureScheme, SignInput, VerifyInput } from './signatures/scheme.ts';
export { schemeFor } from './signatures/scheme-for.ts';
export { type StandardWebhooksOptions, standardWebhooks } from './signatures/standard-webhooks.ts';
export { type TimestampedHmacOptions, timestampedHmac } from './signatures/timestamped-hmac.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts';
export {
  type OneSecret,
  type SeveralSecrets,
  type SignOptions,
  type WebhookSettings,
  Webhooks,
  type WebhooksOptions,
} from './webhooks.ts';
