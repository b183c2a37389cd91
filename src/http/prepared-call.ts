import type { Outcome } from '../base/outcome.ts';
import type { Redactor } from '../base/redact.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { Bounds } from './call-options.ts';
import type { Connection } from './config.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { WireRequest } from './transport/transport.ts';

/** What identifies a call. */
export interface CallIdentity {
  /** The method that was called, without secrets. */
  readonly operation: string;
  /** When the call began, by `performance.now()`. */
  readonly startedAt: number;
  /** A random UUID. */
  readonly callId: string;
}

/** A checked and encoded call. Every attempt sends the same bytes. */
export interface PreparedCall {
  readonly identity: CallIdentity;
  readonly connection: Connection;
  readonly bounds: Bounds;
  readonly signal: WebAbortSignal | undefined;
  readonly request: WireRequest;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** The path with its placeholders; `undefined` where the user wrote the path in full. */
  readonly route: string | undefined;
  /** Whether the route is not documented. */
  readonly isInferred: boolean;
  readonly idempotencyKey: string | undefined;
  /** The secret that the request carries. */
  readonly credential: string;
  /** Removes the request's keys and card data from foreign text. */
  readonly redactor: () => Redactor;
  /** What a 2xx proves before its body is read. */
  readonly accepted: Outcome;
}

/** The attempts of a call so far. */
export interface Progress {
  /** How many began. */
  attempts: number;
  /** The most that any of them may have done. */
  outcome: Outcome;
}

/** A call with its 2xx response. */
export interface Sent {
  readonly call: PreparedCall;
  readonly response: ReceivedResponse;
  readonly attempts: number;
  /** The most that the attempts before the last may have done. */
  readonly outcome: Outcome;
  /** Whether a journal gave the response, so that nothing was sent. Default: false. */
  readonly isRecorded?: boolean | undefined;
}
