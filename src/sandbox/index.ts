/**
 * A stateful double of the payment service, for development and tests.
 *
 * @module
 */

export type { SandboxClock } from './clock.ts';
export type {
  Activity,
  ActivityListener,
  DeliveryActivity,
  EventActivity,
  RequestActivity,
} from './control/activity.ts';
export type { ErrorShape } from './error-shape.ts';
export type { SandboxEvent, SandboxEventData } from './events/event.ts';
export type { IdempotencyCode } from './faults/idempotency-errors.ts';
export type { ArrivedRequest, FaultStrike } from './faults/strike.ts';
export type {
  BadGatewayFault,
  DropDuringFault,
  DropReplyFault,
  DropRequestFault,
  Fault,
  Faults,
  Hold,
  HoldFault,
  HoldingFault,
  IdempotencyFault,
  LatencyFault,
  MalformedBodyFault,
  PassingFault,
  RateLimitFault,
  RefuseConnectionFault,
  RespondFault,
  StallBodyFault,
  TruncateBodyFault,
  UnavailableFault,
} from './faults.ts';
export type { CardDetails } from './form/card.ts';
export {
  type TestCard,
  type TestCardDecline,
  type TestCardName,
  testCards,
} from './form/test-cards.ts';
export { type TestEmail, type TestEmailName, testEmails } from './form/test-emails.ts';
export type { Authentication, ChallengeAnswer } from './form/three-d-secure.ts';
export type { RecordedType, Transaction, TransactionStatus } from './form/transaction.ts';
export type { ListenOptions } from './listening.ts';
export type { SandboxKind, SandboxObjects, SandboxOpenObject } from './objects.ts';
export { openSandbox } from './open-sandbox.ts';
export type { Operation, PageOperation } from './operation.ts';
export type { FormResponse, SandboxOptions } from './options.ts';
export type { PayOptions } from './pay.ts';
export type { LoggedRequest } from './request-log.ts';
export { createSandbox, type Sandbox } from './sandbox.ts';
export type { SeedCounts, SeedOptions } from './seed/options.ts';
export type { Reconciliation } from './settlement/reconcile.ts';
export type { SettleOptions } from './settlement/settle.ts';
export type { TriggeredEvent, TriggerFields, TriggerOptions } from './trigger.ts';
export type { DeliveryAttempt, DeliveryStatus, SandboxDelivery, Tampering } from './webhooks/delivery.ts';
export type {
  AlteredBodyDisturbance,
  DelayDisturbance,
  Disturbance,
  DuplicateDisturbance,
  LoseDisturbance,
  ReorderDisturbance,
  WrongSecretDisturbance,
} from './webhooks/disturbance.ts';
export type { WebhookOption } from './webhooks/register.ts';
export type {
  EndpointOptions,
  SandboxEndpoint,
  SandboxWebhooks,
  WebhookTarget,
} from './webhooks/webhooks.ts';
