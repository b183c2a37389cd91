/**
 * An embedded simulation of the payment service, with state, for development and tests.
 *
 * @module
 */

export type { ServiceInterface } from '../resources/service-interface.ts';
export type {
  BadGatewayFault,
  DropDuringFault,
  DropReplyFault,
  DropRequestFault,
  Hold,
  HoldFault,
  HoldingFault,
  IdempotencyFault,
  LatencyFault,
  MalformedBodyFault,
  PassingFault,
  RateLimitFault,
  RefuseConnectionFault,
  RequestFault,
  RespondFault,
  StallBodyFault,
  TruncateBodyFault,
  UnavailableFault,
} from './api/faults/fault.ts';
export type { Fault, Faults } from './api/faults/faults.ts';
export type { ArrivedRequest, FaultHit } from './api/faults/hit.ts';
export type { IdempotencyCode } from './api/faults/idempotency-errors.ts';
export type { Operation, PageOperation } from './api/operation.ts';
export type { LoggedRequest } from './api/request-log.ts';
export type { ListenOptions } from './api/server/listening.ts';
export type {
  Activity,
  ActivityListener,
  DeliveryActivity,
  EventActivity,
  RequestActivity,
} from './control/activity.ts';
export type { PayOptions } from './domain/payments/pay.ts';
export type {
  DeliveryAttempt,
  DeliveryStatus,
  SandboxDelivery,
  Tampering,
} from './domain/records/delivery.ts';
export type { SandboxEvent, SandboxEventData } from './domain/records/event.ts';
export type { SandboxKind, SandboxObjects, SandboxOpenObject } from './domain/records/records.ts';
export type { RecordedType, Transaction, TransactionStatus } from './domain/records/transaction.ts';
export type { Reconciliation } from './domain/settlement/reconcile.ts';
export type { SettleOptions } from './domain/settlement/settle.ts';
export { openSandbox } from './open-sandbox.ts';
export type { SandboxOptions } from './options.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export type { SeedCounts, SeedOptions } from './scenarios/seed/seed-options.ts';
export type { TriggeredEvent, TriggerFields, TriggerOptions } from './scenarios/trigger/trigger.ts';
export type { SandboxClock } from './store/clock.ts';
export type { Money, Note, StorySummary, Verdict, WebhookCounts } from './stories/story.ts';
export type { CardDetails } from './transact/card-reader.ts';
export {
  type TestCard,
  type TestCardDecline,
  type TestCardName,
  testCards,
} from './transact/test-cards.ts';
export { type TestEmail, type TestEmailName, testEmails } from './transact/test-emails.ts';
export type { Authentication, ChallengeAnswer } from './transact/three-d-secure.ts';
export type {
  DelayDeliveryFault,
  DeliveryFault,
  DropDeliveryFault,
  DuplicateDeliveryFault,
  ForgeDeliveryFault,
  ReorderDeliveryFault,
  TamperDeliveryFault,
} from './webhooks/delivery-faults.ts';
export type { WebhookTarget } from './webhooks/delivery-sender.ts';
export type { EndpointOptions, WebhookOption } from './webhooks/register-endpoint.ts';
export type { SandboxEndpoint, SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';
