import ky, { isNetworkError } from 'ky';
import { type BodyText, readBody } from './body-reader.ts';
import { bounded, Interrupted } from './bounded.ts';
import { classifyFetchFailure, type NetworkFailure } from './network-failure.ts';
import type { Fetch } from './options.ts';
import type { Redactor } from './redact.ts';
import type { HttpMethod } from './route.ts';
import type { WebAbortSignal } from './web-types.ts';

/** One request, ready to be sent any number of times: its body is bytes or text, never a stream. */
export interface WireRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A response whose body was read. */
export interface WireResponse extends BodyText {
  readonly status: number;
  readonly headers: Headers;
}

/** Why an attempt gave no usable response. */
export class AttemptFailure extends Error {
  readonly reason: 'timeout' | 'aborted' | NetworkFailure;
  /** Whether the service had already answered 2xx, so that only the body is missing. */
  readonly accepted: boolean;

  constructor(reason: AttemptFailure['reason'], accepted: boolean) {
    super('attempt failed');
    this.reason = reason;
    this.accepted = accepted;
  }
}

/** How one attempt is sent. */
export interface AttemptOptions {
  readonly fetch: Fetch;
  readonly redactor: Redactor;
  /** Bound in ms, body included. */
  readonly timeout: number;
  readonly signal: WebAbortSignal | undefined;
}

/**
 * Sends one request and reads its whole response, within the time-out.
 *
 * @throws AttemptFailure when there is no usable response.
 */
export async function sendOnce(request: WireRequest, options: AttemptOptions): Promise<WireResponse> {
  let response: Response | undefined;
  const failure = (reason: AttemptFailure['reason']) => new AttemptFailure(reason, response?.ok === true);
  try {
    return await bounded(options.timeout, options.signal, async (signal) => {
      response = await fetchOnce(request, options.fetch, signal);
      return { status: response.status, headers: response.headers, ...(await readBody(response)) };
    });
  } catch (error) {
    if (error instanceof Interrupted && error.reason === 'aborted') throw failure('aborted');
    // A refusal says enough by its status and headers, even where its body never ends or is cut short.
    if (response !== undefined && !response.ok) return withoutBody(response);
    if (error instanceof Interrupted) throw failure('timeout');
    throw failure(classifyFetchFailure(error, isNetworkError(error), options.redactor));
  }
}

function withoutBody({ status, headers }: Response): WireResponse {
  return { status, headers, text: '', complete: true, validUtf8: true };
}

/**
 * One request through ky, with everything it might add switched off: retries and time-outs are ours, and a
 * redirect is not followed, since the credentials would go along.
 */
function fetchOnce(request: WireRequest, fetch: Fetch, signal: AbortSignal): Promise<Response> {
  return ky(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    signal,
    redirect: 'manual',
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (input) => fetch(input instanceof Request ? input : new Request(input)),
  });
}
