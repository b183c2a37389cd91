import ky, { type Input, type Options as KyOptions, NetworkError, TimeoutError } from 'ky';
import { emptyBody } from '../base/body.ts';
import { Interrupted } from '../base/bounded.ts';
import { runWithin } from '../base/isolate.ts';
import type { Redactor } from '../base/redact.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import type { PreparedCall, Progress } from './call.ts';
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
export async function attempt(call: PreparedCall, progress: Progress): Promise<ReceivedResponse> {
  if (call.options.signal?.aborted) throw aborted(call, progress);
  const remaining = remainingTime(call);
  if (remaining <= 0) throw timedOut(call, progress, 'TOTAL_TIMEOUT');
  progress.attempts += 1;
  const { observer } = call.connection;
  const { around } = observer;
  const startedAt = performance.now();
  observer.emit('request', () => ({
    ...attemptEvent(call, progress),
    headers: call.redactor.headers(Object.entries(call.request.headers)),
  }));
  const response = await (around === undefined
    ? sendOnce(call, progress, remaining)
    : runWithin(
        (run) => around(call.identity.callId, run),
        () => sendOnce(call, progress, remaining),
      ));
  observer.emit('response', () => ({
    ...attemptEvent(call, progress),
    status: response.status,
    duration: performance.now() - startedAt,
    requestId: requestIdOf(call, response.headers),
    idempotentReplayed: isReplayed(response.headers),
  }));
  if (response.ok) return response;
  throw refused(call, progress, response);
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

async function sendOnce(
  call: PreparedCall,
  progress: Progress,
  remaining: number,
): Promise<ReceivedResponse> {
  const { timeout } = call.bounds;
  const exchange: Exchange = { request: call.request, neverLeft: false, head: undefined };
  try {
    return await sendByKy(call.connection.transport(), exchange, Math.min(timeout, remaining), call.options.signal);
  } catch (error) {
    if (error instanceof Interrupted) throw interrupted(call, progress, exchange, 'aborted');
    const { head } = exchange;
    // The status and headers of an error response are enough, even if its body is cut short or never ends.
    if (head?.ok === false) return { ...head, ...emptyBody };
    const code = remaining < timeout ? 'TOTAL_TIMEOUT' : 'ATTEMPT_TIMEOUT';
    const reason = error instanceof TimeoutError ? code : failureIn(error, exchange, call.redactor);
    throw interrupted(call, progress, exchange, reason);
  }
}

/**
 * Classifies a failure of {@link sendByKy}. ky's own error holds the request, so only its cause is read. After the head only the network can
 * fail, whatever the runtime throws.
 */
export function failureIn(error: unknown, { head }: Exchange, redactor: Redactor): NetworkFailure {
  return error instanceof NetworkError
    ? classifyFailure(error.cause, true, redactor)
    : classifyFailure(error, head !== undefined, redactor);
}

/** Sends by ky. Its errors hold the request with its headers: never show one. */
export function sendByKy(
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
