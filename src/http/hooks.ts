import type { PaymentsError } from '../base/errors.ts';
import type { HttpMethod } from './route.ts';

/** The fields of every event of a call. No event contains a secret: sensitive headers are replaced, and bodies are omitted. */
export interface CallEvent {
  /** The id of the call, a random UUID. It is the same in all events, log lines and errors of the call. */
  readonly callId: string;
  /** The method that was called, for example `refunds.create`; for `payments.request`, its verb and path. */
  readonly operation: string;
}

/** The event of an attempt. */
export interface RequestEvent extends CallEvent {
  /** The HTTP verb. */
  readonly method: HttpMethod;
  /** The base URL of the service, from the client's options. */
  readonly baseUrl: string;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** The path with `{id}` in place of ids; `undefined` for `payments.request`. */
  readonly route: string | undefined;
  /** The number of the attempt, counted from 1. */
  readonly attempt: number;
  /** The request's idempotency key, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** The request's headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The event of a response, before its body is parsed. */
export interface ResponseEvent extends Omit<RequestEvent, 'headers'> {
  /** The HTTP status. */
  readonly status: number;
  /** How long the attempt took, body included, in ms. */
  readonly duration: number;
  /** The response's request id, or `undefined`. */
  readonly requestId: string | undefined;
  /** Whether the service replayed the result of an earlier request with the same key. */
  readonly idempotentReplayed: boolean;
}

/** The event before a retry. */
export interface RetryEvent extends Omit<RequestEvent, 'headers'> {
  /** Why the attempt failed. */
  readonly error: PaymentsError;
  /** The request id of its response, or `undefined`. */
  readonly requestId: string | undefined;
  /** How long the SDK waits before the next attempt, in ms. */
  readonly wait: number;
}

/** The event of a failed call. */
export interface ErrorEvent extends CallEvent {
  /** The error that the caller gets. */
  readonly error: PaymentsError;
  /** The request id of the response that caused the error, or `undefined`. */
  readonly requestId: string | undefined;
}

/** The event of the end of a call. */
export interface EndEvent extends CallEvent {
  /** How long the call took, with all attempts and the waits between them, in ms. */
  readonly duration: number;
  /** The error that the caller gets; `undefined` if it succeeded, or if its result is no longer wanted. */
  readonly error: PaymentsError | undefined;
}

/**
 * Functions that observe calls. Their results are ignored and not awaited. A function that throws never changes the result
 * of a call; the logger gets a warning.
 */
export interface Hooks {
  /** Once for each call, first and synchronously. */
  readonly start?: ((event: CallEvent) => unknown) | undefined;
  /** Before each attempt. */
  readonly request?: ((event: RequestEvent) => unknown) | undefined;
  /** After each response, whatever its status. */
  readonly response?: ((event: ResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes a retry. */
  readonly retry?: ((event: RetryEvent) => unknown) | undefined;
  /** Once for each call that fails. */
  readonly error?: ((event: ErrorEvent) => unknown) | undefined;
  /** Once for each started call, when it ends. */
  readonly end?: ((event: EndEvent) => unknown) | undefined;
}

/** The events by name. */
export type Events = {
  readonly [Name in keyof Hooks]-?: Parameters<NonNullable<Hooks[Name]>>[0];
};
