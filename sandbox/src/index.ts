/**
 * An embedded simulation of the payment service, with state, for development and tests.
 *
 * @module
 */

import { requireSameVersion } from './same-version.ts';

requireSameVersion();

export type { Fault, Faults } from './api/faults/faults.ts';
export type { LoggedRequest } from './api/request-log.ts';
export type { SandboxDelivery } from './domain/records/delivery.ts';
export type {
  SandboxEvent,
  SandboxKind,
  SandboxObjects,
  SandboxOpenObject,
} from './domain/records/records.ts';
export type { Transaction as SandboxTransaction } from './domain/records/transaction.ts';
export type { SandboxOptions } from './options.ts';
export { createSandbox, openSandbox, type Sandbox } from './sandbox.ts';
export type { SandboxClock } from './store/clock.ts';
export type { StorySummary } from './stories/story.ts';
export { testCards } from './transact/test-cards.ts';
export type { SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';
