import ky, { type Input, type Options as KyOptions, NetworkError, TimeoutError } from 'ky';
import { emptyBody } from '../base/body.ts';
import { Interrupted } from '../base/bounded.ts';
import { runWithin } from '../base/isolate.ts';
import type { Redactor } from '../base/redact.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { PreparedCall, Progress, Sent } from './call.ts';
import { aborted, interrupted, refused, timedOut } from './failure.ts';
import type { ResponseEvent } from './hooks.ts';
import { classifyFailure, type NetworkFailure } from './network-failure.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { Exchange, Transport } from './transport/transport.ts';

/** How long the call may still take, in ms. */
export function remainingTime({ bounds, identity }: PreparedCall): number {
  return bounds.totalTimeout - (performance.now() - identity.startedAt);
}

/**
 * Sends the request once.
 *
 * @throws PaymentsError when there is no response, or one that is not 2xx.
 */
export async function attempt(call: PreparedCall, progress: Progress): Promise<Sent> {
  const { connection, request, options, identity } = call;
  const { observer } = connection;
  const { around } = observer;
  if (options.signal?.aborted) throw aborted(call, progress);
  const remaining = remainingTime(call);
  if (remaining <= 0) throw timedOut(call, progress, 'TOTAL_TIMEOUT');
  progress.attempts += 1;
  const startedAt = performance.now();
  observer.emit('request', () => ({
    ...attemptEvent(call, progress),
    headers: call.redactor.headers(Object.entries(request.headers)),
  }));
  const exchange: Exchange = { request, neverLeft: false, head: undefined };
  const timeout = Math.min(call.bounds.timeout, remaining);
  const send = () => sendByKy(connection.transport(), exchange, timeout, options.signal);
  let response: ReceivedResponse;
  try {
    response = await (around ? runWithin((run) => around(identity.callId, run), send) : send());
  } catch (error) {
    response = errorResponse(call, progress, exchange, error, remaining);
  }
  observer.emit('response', () => ({
    ...attemptEvent(call, progress),
    status: response.status,
    duration: performance.now() - startedAt,
    requestId: requestIdOf(call, response.headers),
    idempotentReplayed: isReplayed(response.headers),
  }));
  if (!response.ok) throw refused(call, progress, response);
  return { call, response, attempts: progress.attempts, outcome: progress.outcome };
}

/**
 * Returns the error response whose body was cut short or never ends: its status and its headers are enough.
 *
 * @throws PaymentsError for any other failure of an attempt.
 */
function errorResponse(
  call: PreparedCall,
  progress: Progress,
  exchange: Exchange,
  error: unknown,
  remaining: number,
): ReceivedResponse {
  if (error instanceof Interrupted) throw interrupted(call, progress, exchange, 'aborted');
  const { head } = exchange;
  if (head?.ok === false) return { ...head, ...emptyBody };
  const code = remaining < call.bounds.timeout ? 'TOTAL_TIMEOUT' : 'ATTEMPT_TIMEOUT';
  const reason = error instanceof TimeoutError ? code : failureIn(error, exchange, call.redactor);
  throw interrupted(call, progress, exchange, reason);
}

export function attemptEvent(
  { identity, connection, request, encoded, idempotencyKey, redactor }: PreparedCall,
  { attempts }: Progress,
): Omit<ResponseEvent, 'status' | 'duration' | 'requestId' | 'idempotentReplayed'> {
  const { origin, prefix } = connection.baseUrl;
  return {
    callId: identity.callId,
    operation: identity.operation,
    method: request.method,
    baseUrl: `${origin}${prefix}`,
    // A caller may have passed a card number or a key as the id.
    path: redactor.text(encoded.path),
    route: identity.route.path,
    attempt: attempts,
    idempotencyKey,
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
function sendByKy(
  transport: Transport,
  exchange: Exchange,
  timeout: number,
  signal?: WebAbortSignal,
): Promise<ReceivedResponse> {
  if (signal === undefined) return kyResponse(transport, exchange, { timeout });
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
