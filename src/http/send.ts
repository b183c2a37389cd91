import { PaymentsError } from '../base/errors.ts';
import { combineOutcomes, type Outcome } from '../base/outcome.ts';
import type { Redactor } from '../base/redact.ts';
import { readRetryAfter } from '../base/retry-after.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import { AttemptFailure, isOk, sendOnce, type WireResponse } from './attempt.ts';
import { Interrupted, wait } from './bounded.ts';
import {
  type CallFacts,
  ConnectionError,
  RequestAbortedError,
  TimeoutError,
  tieToCall,
} from './call-errors.ts';
import type { CallIdentity } from './call-identity.ts';
import type { Bounds, Connection } from './config.ts';
import { readErrorBody } from './error-body.ts';
import { createApiError, mayPass, outcomeOf } from './refusal.ts';
import { isRepeatable } from './repeatable.ts';
import { isTransient, neverLeft, waitBefore, withRetries } from './retry.ts';
import type { HttpMethod } from './route.ts';
import type { ResponseHeaders } from './transport/transport.ts';

/** A call that is built and may be sent, more than once if need be, with the same bytes each time. */
export interface PreparedCall {
  readonly identity: CallIdentity;
  readonly method: HttpMethod;
  /** The path after the base URL. */
  readonly path: string;
  /** The path with its placeholders; `undefined` where the user wrote the path in full. */
  readonly route: string | undefined;
  /** With its question mark; empty where there is none. */
  readonly query: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly idempotencyKey: string | undefined;
  /** Takes what the request holds of keys and cards out of whatever comes back. */
  readonly redactor: Redactor;
  /** What a 2xx proves before its body is read. */
  readonly accepted: Outcome;
  /** A sentence for a 404, or `undefined`. */
  readonly notFoundHint: string | undefined;
}

/** How one call is sent. */
export interface SendOptions extends Bounds {
  readonly signal: WebAbortSignal | undefined;
}

/** A 2xx response, and how many attempts it took. */
export interface Sent {
  readonly response: WireResponse;
  readonly attempts: number;
  /** The most that the attempts before it may have done. */
  readonly outcome: Outcome;
}

/** The id that the service gave a request (*inferred* names); `undefined` where there is none, or it does not look like one. */
export function requestIdOf(headers: ResponseHeaders, redactor: Redactor): string | undefined {
  const id = headers.get('request-id') ?? headers.get('x-request-id');
  return id === null ? undefined : redactor.id(id);
}

/** Whether the service says that this is the result of an earlier request with the same key. */
export function isReplayed(headers: ResponseHeaders): boolean {
  return headers.get('idempotent-replayed')?.toLowerCase() === 'true';
}

/** Whether a body that never came whole may have been the service's. A page of something else says what it is. */
function mayBeJson({ headers }: Pick<WireResponse, 'headers'>): boolean {
  return /json|^$/i.test(headers.get('content-type') ?? '');
}

/** Sends one call: attempts, decisions and waits, until a 2xx or a failure that stands. */
class Sending {
  readonly #connection: Connection;
  readonly #call: PreparedCall;
  readonly #options: SendOptions;
  readonly #redactor: Redactor;
  /** The most that any attempt so far may have done. */
  #outcome: Outcome = 'not_executed';
  #attempts = 0;
  /** Made for the first who watches: most calls tell nobody. */
  #shownPath: string | undefined;

  constructor(connection: Connection, call: PreparedCall, options: SendOptions) {
    this.#connection = connection;
    this.#call = call;
    this.#options = options;
    this.#redactor = call.redactor;
  }

  async run(): Promise<Sent> {
    const response = await withRetries(() => this.#attempt(), {
      maxRetries: this.#options.maxRetries,
      prepareNext: (error) => this.#prepareNext(error),
    });
    return { response, attempts: this.#attempts, outcome: this.#outcome };
  }

  async #attempt(): Promise<WireResponse> {
    if (this.#options.signal?.aborted) throw this.#aborted();
    const remaining = this.#remaining();
    if (remaining <= 0) throw this.#timedOut('TOTAL_TIMEOUT');
    this.#attempts += 1;
    const timeout = Math.min(this.#options.timeout, remaining);
    const response = await this.#send(timeout).catch((error: unknown) => {
      throw error instanceof AttemptFailure ? this.#explain(error, timeout) : error;
    });
    if (isOk(response)) return response;
    throw this.#refused(response);
  }

  async #send(timeout: number): Promise<WireResponse> {
    const { origin, prefix } = this.#connection.baseUrl;
    const { method, path, query, headers, body } = this.#call;
    const { transport, observer } = this.#connection;
    const redactor = this.#redactor;
    const startedAt = performance.now();
    observer.tell('request', () => ({
      ...this.#event(),
      headers: redactor.headers(Object.entries(headers)),
    }));
    const request = { method, origin, path: `${prefix}${path}${query}`, headers, body };
    const response = await sendOnce(request, { transport, redactor, timeout, signal: this.#options.signal });
    observer.tell('response', () => ({
      ...this.#event(),
      status: response.status,
      duration: performance.now() - startedAt,
      requestId: requestIdOf(response.headers, redactor),
      idempotentReplayed: isReplayed(response.headers),
    }));
    return response;
  }

  /** Waits before the next attempt and answers true, or answers false where there is to be none. */
  async #prepareNext(error: unknown): Promise<boolean> {
    if (!(error instanceof PaymentsError)) return false;
    if (!(isRepeatable(this.#call) ? isTransient(error) : neverLeft(error))) return false;
    const pause = waitBefore(this.#attempts, error);
    // A shortened wait would come too early, so where it does not fit, the call ends here.
    if (pause >= this.#remaining()) return false;
    const { requestId } = tieToCall(error, this.#call.identity);
    this.#connection.observer.tell('retry', () => ({ ...this.#event(), error, requestId, wait: pause }));
    await wait(pause, this.#options.signal).catch((interruption: unknown) => {
      throw interruption instanceof Interrupted ? this.#aborted() : interruption;
    });
    return true;
  }

  #explain({ reason, head }: AttemptFailure, timeout: number): PaymentsError {
    const accepted = head !== undefined && isOk(head) && mayBeJson(head);
    const outcome = this.#judge(
      accepted ? this.#call.accepted : reason.neverLeft ? 'not_executed' : 'unknown',
    );
    const requestId = head && requestIdOf(head.headers, this.#redactor);
    if (reason instanceof Interrupted) {
      if (reason.reason === 'aborted') return this.#aborted(requestId);
      return this.#timedOut(timeout < this.#options.timeout ? 'TOTAL_TIMEOUT' : 'ATTEMPT_TIMEOUT', requestId);
    }
    return new ConnectionError(this.#facts(), { code: reason.code, outcome, cause: reason.cause, requestId });
  }

  #refused({ status, headers, text }: WireResponse): PaymentsError {
    const { detail, body, declineCode, ...found } = readErrorBody(text);
    const redactor = this.#redactor;
    const refusal = { ...found, status, isKeyed: this.#call.idempotencyKey !== undefined };
    const own = outcomeOf(refusal);
    const isReplayedWrite = isReplayed(headers) && this.#call.method !== 'GET';
    return createApiError({
      ...this.#facts(),
      status,
      code: found.code === undefined ? undefined : redactor.code(found.code),
      detail: detail === undefined ? undefined : redactor.quote(detail),
      declineCode: declineCode === undefined ? undefined : redactor.code(declineCode),
      // A replayed refusal is the original request's own result, so it settles what was unknown before.
      outcome: isReplayedWrite ? own : this.#judge(own),
      isReplayed: isReplayedWrite,
      isTransient: mayPass(refusal),
      requestId: requestIdOf(headers, redactor),
      headers: headers.web,
      body,
      retryAfter: readRetryAfter(headers),
      hint: this.#hint(status),
    });
  }

  #hint(status: number): string | undefined {
    if (status === 404) return this.#call.notFoundHint;
    if (status >= 300 && status < 400)
      return 'Redirects are not followed: set baseUrl to where the service is.';
    return undefined;
  }

  #timedOut(code: 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT', requestId?: string): TimeoutError {
    const { timeout, totalTimeout } = this.#options;
    const bound = code === 'ATTEMPT_TIMEOUT' ? timeout : totalTimeout;
    return new TimeoutError(this.#facts(), { code, outcome: this.#outcome, requestId }, bound);
  }

  #aborted(requestId?: string): RequestAbortedError {
    return new RequestAbortedError(this.#facts(), {
      outcome: this.#outcome,
      requestId,
      cause: this.#options.signal?.reason,
    });
  }

  /** What the call may have done by now, after an attempt that may have done this. */
  #judge(attempt: Outcome): Outcome {
    if (this.#call.method !== 'GET') this.#outcome = combineOutcomes(this.#outcome, attempt);
    return this.#outcome;
  }

  #remaining(): number {
    return this.#options.totalTimeout - (performance.now() - this.#call.identity.startedAt);
  }

  #facts(): CallFacts {
    const { identity, method, idempotencyKey } = this.#call;
    return { operation: identity.operation, method, idempotencyKey, attempts: this.#attempts };
  }

  #event() {
    const { identity, method, path, route, idempotencyKey } = this.#call;
    const { origin, prefix } = this.#connection.baseUrl;
    // An id that was given in the wrong place may be a card number or a key.
    this.#shownPath ??= this.#redactor.text(path);
    return {
      callId: identity.callId,
      operation: identity.operation,
      method,
      baseUrl: `${origin}${prefix}`,
      path: this.#shownPath,
      route,
      attempt: this.#attempts,
      idempotencyKey,
    };
  }
}

/**
 * Sends a call until there is a 2xx or a failure that stands.
 *
 * @throws PaymentsError of the kind that tells the last failure, with the outcome of all attempts together.
 */
export function send(connection: Connection, call: PreparedCall, options: SendOptions): Promise<Sent> {
  return new Sending(connection, call, options).run();
}
