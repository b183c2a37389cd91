/**
 * A stateful double of the payment service, for development and tests.
 *
 * @module
 */

export type { SandboxClock } from './clock.ts';
export type {
  DropReplyFault,
  DropRequestFault,
  Fault,
  Faults,
  Hold,
  HoldFault,
  RespondFault,
} from './faults.ts';
export type { Transaction } from './form/transaction.ts';
export type { SandboxKind, SandboxObjects, SandboxOpenObject } from './objects.ts';
export type { Operation } from './operation.ts';
export type { FormResponse, SandboxOptions } from './options.ts';
export type { LoggedRequest } from './request-log.ts';
export { createSandbox, type ListenOptions, type Sandbox } from './sandbox.ts';
