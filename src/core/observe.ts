import type { PaymentsError } from './errors.ts';
import type { Redactor } from './redact.ts';
import type { HttpMethod } from './route.ts';

/** What a hook learns of an attempt. It holds no secret: sensitive headers are replaced, and bodies are left out. */
export interface RequestEvent {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** The HTTP verb. */
  readonly method: HttpMethod;
  /** The path after the base URL, without its query. */
  readonly path: string;
  /** Which attempt it is, from 1. */
  readonly attempt: number;
  /** The idempotency key that it carries, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** The headers that it carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a hook learns of a response, before its body is understood. */
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

/** What a hook learns before a retry. */
export interface RetryEvent extends Omit<RequestEvent, 'headers'> {
  /** Why the attempt failed. */
  readonly error: PaymentsError;
  /** How long the SDK waits before the next attempt, in ms. */
  readonly wait: number;
}

/** What a hook learns of a call that failed for good. */
export interface ErrorEvent {
  /** The method that was called. */
  readonly operation: string;
  /** The error that the caller gets. */
  readonly error: PaymentsError;
}

/**
 * Functions that are told what happens. They only watch: what they return is ignored, they are not waited for, and one that throws never
 * changes the result of a call (the logger gets a warning).
 */
export interface Hooks {
  /** Before each attempt. */
  readonly request?: ((event: RequestEvent) => unknown) | undefined;
  /** After each response, whatever its status. */
  readonly response?: ((event: ResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes a retry. */
  readonly retry?: ((event: RetryEvent) => unknown) | undefined;
  /** Once for each call that fails. */
  readonly error?: ((event: ErrorEvent) => unknown) | undefined;
}

/** Where log lines go; `console` fits. Fields are free of secrets, card data and bodies. */
export interface Logger {
  /** Each attempt and each response. */
  readonly debug?: ((message: string, fields: Record<string, unknown>) => unknown) | undefined;
  /** Each retry. */
  readonly info?: ((message: string, fields: Record<string, unknown>) => unknown) | undefined;
  /** A hook that threw, or a response accepted though it does not match its schema. */
  readonly warn?: ((message: string, fields: Record<string, unknown>) => unknown) | undefined;
  /** Each call that fails. */
  readonly error?: ((message: string, fields: Record<string, unknown>) => unknown) | undefined;
}

type Level = keyof Logger;

/** Runs foreign code so that neither its throw nor its rejection reaches the call. */
function isolate(run: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}

/** Tells the user's hooks and logger what happens. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Logger | undefined;
  readonly #redactor: Redactor;

  constructor(hooks: Hooks, logger: Logger | undefined, redactor: Redactor) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#redactor = redactor;
  }

  /** Whether anybody learns of requests and responses. */
  get isWatching(): boolean {
    const { request, response } = this.#hooks;
    return request !== undefined || response !== undefined || this.#logger?.debug !== undefined;
  }

  request({
    headers,
    ...event
  }: Omit<RequestEvent, 'headers'> & { headers: Readonly<Record<string, string>> }): void {
    const { request } = this.#hooks;
    if (request !== undefined)
      this.#tell('request', () =>
        request({ ...event, headers: this.#redactor.headers(Object.entries(headers)) }),
      );
    this.#log('debug', `${event.operation}: attempt ${event.attempt}`, event);
  }

  response(event: ResponseEvent): void {
    const { response } = this.#hooks;
    if (response !== undefined) this.#tell('response', () => response(event));
    this.#log('debug', `${event.operation}: ${event.status}`, event);
  }

  retry({ error, ...event }: RetryEvent): void {
    const { retry } = this.#hooks;
    if (retry !== undefined) this.#tell('retry', () => retry({ ...event, error }));
    this.#log('info', `${event.operation}: retry in ${Math.round(event.wait)} ms`, {
      ...event,
      error: error.toJSON(),
    });
  }

  error({ operation, error }: ErrorEvent): void {
    const hook = this.#hooks.error;
    if (hook !== undefined) this.#tell('error', () => hook({ operation, error }));
    this.#log('error', error.message, { operation, error: error.toJSON() });
  }

  warn(message: string, fields: Record<string, unknown>): void {
    this.#log('warn', message, fields);
  }

  #tell(hook: keyof Hooks, run: () => unknown): void {
    isolate(run, (error) => {
      const reason = this.#redactor.text(
        error instanceof Error ? error.message : 'a value that is not an Error',
      );
      this.#log('warn', `the ${hook} hook failed; the call goes on`, { hook, reason });
    });
  }

  #log(level: Level, message: string, fields: object): void {
    const logger = this.#logger;
    if (logger?.[level] === undefined) return;
    // A logger that fails has nowhere to report to.
    isolate(
      () => logger[level]?.(message, { ...fields }),
      () => {},
    );
  }
}
