import type { Outcome, PaymentsError } from '../../base/errors.ts';
import { type AroundAttempt, aroundAttempt, isolate, messageOf } from '../../base/functions.ts';
import { type Logger, writeLine } from '../../base/logger.ts';
import type { Redactor } from '../../base/redact.ts';
import type { Inline } from '../../base/runtime/runtime.ts';
import type { HttpMethod } from '../request/route.ts';

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
  /** How many retries the client's `retryBudget` has left, whole ones. Of a retry: after this one. */
  readonly retriesLeft: number;
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

/** The event of what the client did not send, so that a sick service is not made sicker. */
export interface ShedEvent extends CallEvent {
  /** A `retry` that the client's `retryBudget` did not allow, or a `call` beyond its `maxConcurrency`. */
  readonly what: 'retry' | 'call';
}

/** The event of a failed call. */
export interface ErrorEvent extends CallEvent {
  /**
   * Your own id of the business operation, or its key; `undefined` if the call has none, or it may hold a secret or data of a person: only
   * up to 128 of `A-Z a-z 0-9 _ . : / + = -` are shown, without a card number or key.
   */
  readonly operationId: string | undefined;
  /** The error that the caller gets. */
  readonly error: PaymentsError;
  /** The request id of the response that caused the error, or `undefined`. */
  readonly requestId: string | undefined;
}

/**
 * How a call ended:
 *
 * - `ok`: it returned a result;
 * - `declined`: the card was declined, whether as a result or as an error;
 * - `dropped`: nobody waited for its result any more, as for a page that is fetched ahead;
 * - otherwise the `outcome` of its error. `not_executed` is also a transaction that the form endpoint could not process.
 */
export type CallOutcome = Inline<'ok' | 'declined' | 'dropped' | Outcome>;

/** The event of the end of a call. */
export interface EndEvent extends CallEvent {
  /**
   * Your own id of the business operation, or its key; `undefined` if the call has none, or it may hold a secret or data of a person: only
   * up to 128 of `A-Z a-z 0-9 _ . : / + = -` are shown, without a card number or key.
   */
  readonly operationId: string | undefined;
  /** The request's idempotency key; `undefined` if it has none, or its id is not shown. */
  readonly idempotencyKey: string | undefined;
  /** The id of the returned object or transaction; `undefined` for a list, `payments.request`, and a call that failed. */
  readonly objectId: string | undefined;
  /** How the call ended. */
  readonly outcome: CallOutcome;
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
  /** When a call is not sent, or not retried, since the client is at a bound: `maxConcurrency`, or `retryBudget`. */
  readonly shed?: ((event: ShedEvent) => unknown) | undefined;
  /** Once for each call that fails. */
  readonly error?: ((event: ErrorEvent) => unknown) | undefined;
  /** Once for each started call, when it ends. */
  readonly end?: ((event: EndEvent) => unknown) | undefined;
}

/** The events by name. */
type Events = {
  readonly [Name in keyof Hooks]-?: Parameters<NonNullable<Hooks[Name]>>[0];
};

type EventName = keyof Events;

type Line = readonly [message: string, fields: object];

/** The log line of each event: its level and its text. */
const lines: {
  readonly [Name in EventName]?: readonly [keyof Logger, (event: Events[Name]) => Line];
} = {
  request: ['debug', ({ headers: _, ...event }) => [`${event.operation}: attempt ${event.attempt}`, event]],
  response: ['debug', (event) => [`${event.operation}: ${event.status}`, event]],
  retry: [
    'debug',
    (event) => [
      `${event.operation}: retry in ${Math.round(event.wait)} ms`,
      { ...event, error: event.error.toJSON() },
    ],
  ],
  shed: [
    'warn',
    (event) => [
      event.what === 'retry'
        ? `${event.operation}: not retried, since the retry budget of the client is empty`
        : `${event.operation}: not sent, since too many calls of the client are under way`,
      event,
    ],
  ],
  error: ['error', (event) => [event.error.message, { ...event, error: event.error.toJSON() }]],
};

/** Hooks, with the one that only this package sets. */
type AllHooks = Hooks & { readonly [aroundAttempt]?: AroundAttempt };

export class Observer {
  readonly #hooks: { readonly [Name in EventName]?: ((event: Events[Name]) => unknown) | undefined };
  /** Runs the sending of an attempt within a span; `undefined` without telemetry. */
  readonly around: AroundAttempt | undefined;
  readonly #logger: Logger | undefined;
  readonly #redactor: Redactor;

  constructor(hooks: AllHooks, logger: Logger | undefined, redactor: Redactor) {
    this.#hooks = hooks;
    this.around = hooks[aroundAttempt];
    this.#logger = logger;
    this.#redactor = redactor;
  }

  /** Returns what tells an event to the hook and to the logger; `undefined` if neither listens, so that the event need not be made. */
  on<Name extends EventName>(name: Name): ((event: Events[Name]) => void) | undefined {
    const [tellHook, write] = [this.#hookOf(name), this.#writerOf(name)];
    if (tellHook === undefined) return write;
    return (event) => {
      tellHook(event);
      // The hook may have changed the event.
      write?.(event);
    };
  }

  /** Writes what happens once. Never throws. */
  info(message: string, fields: object): void {
    writeLine(this.#logger, 'info', message, fields);
  }

  /** Writes a warning. Never throws. */
  warn(message: string, fields: object): void {
    writeLine(this.#logger, 'warn', message, fields);
  }

  #hookOf<Name extends EventName>(name: Name): ((event: Events[Name]) => void) | undefined {
    if (!(name in this.#hooks)) return undefined;
    return (event) =>
      isolate(
        () => this.#hooks[name]?.(event),
        (error) => this.#warnOfHook(name, event, error),
      );
  }

  #writerOf<Name extends EventName>(name: Name): ((event: Events[Name]) => void) | undefined {
    const line = lines[name];
    const logger = this.#logger;
    if (line === undefined || logger === undefined) return undefined;
    const [level, describe] = line;
    return (event) => isolate(() => writeLine(logger, level, ...describe(event)));
  }

  #warnOfHook(hook: EventName, { callId }: CallEvent, error: unknown): void {
    const reason = this.#redactor.text(messageOf(error));
    this.warn(`the ${hook} hook failed; the call goes on`, { callId, hook, reason });
  }
}
