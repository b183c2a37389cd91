import ky, { type Input, type Options as KyOptions, TimeoutError as KyTimeoutError, NetworkError } from 'ky';
import pRetry from 'p-retry';
import { emptyBody } from '../base/bytes.ts';
import { PaymentsError } from '../base/errors.ts';
import { runWithin } from '../base/functions.ts';
import type { Redactor } from '../base/redact.ts';
import { Interrupted, wait } from '../base/time.ts';
import type { Call } from './call.ts';
import { shownKey } from './client/call-events.ts';
import type { ResponseEvent } from './client/hooks.ts';
import { ApiError } from './failure/api-errors.ts';
import { ConnectionError, TimeoutError, tieToCall } from './failure/call-errors.ts';
import { aborted, interrupted, refused, timedOut } from './failure/failure.ts';
import { classifyFailure, type NetworkFailure } from './failure/network-failure.ts';
import { isRepeatable } from './request/idempotency.ts';
import { isReplayed, requestIdOf } from './response.ts';
import type { Exchange, ReceivedResponse, Transport, WireRequest } from './transport/transport.ts';

/** The wait before the first retry is at most this, in ms; it doubles with each further one. */
const baseWait = 500;
const maxWait = 8_000;
/** Callers that were all asked to come back at one moment are spread over at least this, in ms. */
const leastSpread = 1_000;

/**
 * Sends a call until it succeeds or fails for good.
 *
 * @throws PaymentsError for the last failure, with the outcome of all attempts together.
 */
export function sendWithRetries(call: Call, request: WireRequest): Promise<ReceivedResponse> {
  // It gets no signal: a result that comes while one is aborted would be lost.
  return pRetry(() => attempt(call, request), {
    retries: call.limits.maxRetries,
    shouldRetry: ({ error }) => prepareRetry(call, error),
    // All waiting is done by `prepareRetry`.
    minTimeout: 0,
  });
}

/** Whether a failure may pass by itself. An allow-list. */
function isTransient(call: Call, error: PaymentsError): boolean {
  if (error instanceof TimeoutError) return error.code === 'ATTEMPT_TIMEOUT';
  if (error instanceof ConnectionError) return error.code !== 'FETCH_THREW';
  return error instanceof ApiError && call.mayPass;
}

/** Whether the request never left, so that even one that cannot be repeated may be sent again. */
function neverLeft(error: PaymentsError): boolean {
  const isOfNetwork = error instanceof ConnectionError || error instanceof TimeoutError;
  return isOfNetwork && error.outcome === 'not_executed';
}

/**
 * Returns the wait before the next attempt, in ms: what the service asks for and up to a half more, else an exponential back-off with full
 * jitter. Both spread callers that failed together.
 */
function waitAfter(attempts: number, error: PaymentsError): number {
  if (error.retryAfter !== undefined) {
    const least = error.retryAfter * 1000;
    return least + Math.random() * Math.max(leastSpread, least / 2);
  }
  return Math.random() * Math.min(maxWait, baseWait * 2 ** (attempts - 1));
}

/** Waits before the next attempt and answers true, or answers false where there is to be none. */
async function prepareRetry(call: Call, error: Error): Promise<boolean> {
  if (!(error instanceof PaymentsError) || !isTransient(call, error)) return false;
  if (!isRepeatable(call) && !neverLeft(error)) return false;
  const pause = waitAfter(call.attempts, error);
  // A shortened wait would come too early, so where it does not fit, the call ends here.
  if (pause >= remainingTime(call)) return false;
  const { callId, operation, connection } = call;
  const { observer, retryBudget } = connection;
  if (!retryBudget.spend()) {
    observer.on('shed')?.({ callId, operation, what: 'retry' });
    return false;
  }
  tieToCall(error, callId);
  const { requestId } = error;
  observer.on('retry')?.({ ...attemptEvent(call), error, requestId, wait: pause });
  // After an abort the next attempt throws before it sends anything.
  await wait(pause, call.signal);
  if (call.signal?.aborted) retryBudget.giveBack();
  return true;
}

/** How long the call may still take, in ms. */
function remainingTime({ limits, startedAt }: Call): number {
  return limits.totalTimeout - (performance.now() - startedAt);
}

/**
 * Sends the request once.
 *
 * @throws PaymentsError when there is no response, or one that is not 2xx.
 */
async function attempt(call: Call, request: WireRequest): Promise<ReceivedResponse> {
  const { connection, signal } = call;
  const { observer } = connection;
  const { around } = observer;
  if (signal?.aborted) throw aborted(call);
  const remaining = remainingTime(call);
  if (remaining <= 0) throw timedOut(call, 'TOTAL_TIMEOUT');
  call.attempts += 1;
  const startedAt = performance.now();
  observer.on('request')?.({
    ...attemptEvent(call),
    headers: call.redactor.headers(Object.entries(request.headers)),
  });
  const exchange: Exchange = { request, signal, neverLeft: false, head: undefined };
  const timeout = Math.min(call.limits.timeout, remaining);
  const send = () => sendByKy(connection.transport, exchange, timeout);
  let response: ReceivedResponse;
  try {
    response = await (around ? runWithin((run) => around(call.callId, run), send) : send());
  } catch (error) {
    response = errorResponse(call, exchange, error, remaining);
  }
  observer.on('response')?.({
    ...attemptEvent(call),
    status: response.status,
    duration: performance.now() - startedAt,
    requestId: requestIdOf(call, response.headers),
    idempotentReplayed: isReplayed(response.headers),
  });
  const error = response.ok ? undefined : refused(call, request, response);
  // A failure that may pass is no answer. `mayPass` may be that of an earlier attempt.
  if (error === undefined || !call.mayPass) connection.retryBudget.refill();
  if (error !== undefined) throw error;
  return response;
}

/**
 * Returns the error response whose body was cut short or never ends: its status and its headers are enough.
 *
 * @throws PaymentsError for any other failure of an attempt.
 */
function errorResponse(call: Call, exchange: Exchange, error: unknown, remaining: number): ReceivedResponse {
  if (error instanceof Interrupted) throw interrupted(call, exchange, 'aborted');
  const { head } = exchange;
  if (head?.ok === false) return { ...head, ...emptyBody };
  const code = remaining < call.limits.timeout ? 'TOTAL_TIMEOUT' : 'ATTEMPT_TIMEOUT';
  const reason = error instanceof KyTimeoutError ? code : failureIn(error, exchange, call.redactor);
  throw interrupted(call, exchange, reason);
}

function attemptEvent(
  call: Call,
): Omit<ResponseEvent, 'status' | 'duration' | 'requestId' | 'idempotentReplayed'> {
  const { callId, operation, method, connection, redactor, path, route, attempts } = call;
  const { origin, prefix } = connection.baseUrl;
  return {
    callId,
    operation,
    method,
    baseUrl: `${origin}${prefix}`,
    // A caller may have passed a card number or a key as the id.
    path: redactor.text(path),
    route: route.path,
    attempt: attempts,
    idempotencyKey: shownKey(call),
    retriesLeft: connection.retryBudget.left,
  };
}

/**
 * Classifies a failure of {@link sendByKy}. ky's own error holds the request, so only its cause is read. After the head only the network can
 * fail, whatever the runtime throws.
 */
function failureIn(error: unknown, { head }: Exchange, redactor: Redactor): NetworkFailure {
  return error instanceof NetworkError
    ? classifyFailure(error.cause, true, redactor)
    : classifyFailure(error, head !== undefined, redactor);
}

/** Sends by ky. Its errors hold the request with its headers: never show one. */
function sendByKy(transport: Transport, exchange: Exchange, timeout: number): Promise<ReceivedResponse> {
  const { signal } = exchange;
  if (signal === undefined || transport.obeysSignal) return kyResponse(transport, exchange, { timeout });
  // A signal may outlive many calls, so it must not collect listeners. ky requires the runtime's own class; test runners bring others.
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return kyResponse(transport, exchange, { timeout, signal: controller.signal }).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
}

function kyResponse(
  transport: Transport,
  exchange: Exchange,
  bounds: Pick<KyOptions, 'timeout' | 'signal'>,
): Promise<ReceivedResponse> {
  const { method, origin, path } = exchange.request;
  const response: Promise<unknown> = ky(origin + path, {
    ...transport.contentOf(exchange.request),
    ...bounds,
    method,
    retry: 0,
    throwHttpErrors: false,
    // ky only reads `ok` of a response, and returns it, but its types ask for the runtime's class.
    fetch: (input) => transport.send(asRequest(input), exchange) as Promise<unknown> as Promise<Response>,
  });
  return response as Promise<ReceivedResponse>;
}

/** ky always passes a `Request`; its type allows a URL too. */
function asRequest(input: Input): Request {
  return input instanceof Request ? input : new Request(input);
}
