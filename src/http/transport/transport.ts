import type { BodyText } from '../../base/bytes.ts';
import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import type { HttpMethod } from '../request/route.ts';

/** The headers of a response, without a `Headers` object. */
export interface ResponseHeaders {
  /** The header of this name, in lower case; null where there is none. */
  get(name: string): string | null;
  readonly web: Headers;
}

/** The headers of a response that no connection gave. */
export function noHeaders(): ResponseHeaders {
  return { get: () => null, web: new Headers() };
}

/** A response whose body is still to come. */
export interface ResponseHead {
  readonly status: number;
  /** Whether the status is 2xx. */
  readonly ok: boolean;
  readonly headers: ResponseHeaders;
}

/** A response with its body read, up to the bound. */
export interface ReceivedResponse extends ResponseHead, BodyText {}

/** One request, ready to be sent any number of times: its body is bytes or text, never a stream. */
export interface WireRequest {
  readonly method: HttpMethod;
  readonly origin: string;
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Whether no idempotency key protects it, so that whatever sends it twice may charge twice. */
  readonly leavesOnce: boolean;
}

/** One attempt: its request and how far it came. Stays readable after a time-out. */
export interface Exchange {
  readonly request: WireRequest;
  /** The caller's. */
  readonly signal: WebAbortSignal | undefined;
  /** Whether the attempt failed before anything of the request left. A transport that cannot know leaves it false. */
  neverLeft: boolean;
  /** The status and the headers, once they came. */
  head: ResponseHead | undefined;
}

/** Sends requests for ky, in place of a `fetch`. */
export interface Transport {
  /** Whether it ends with the caller's signal, so that ky need not. Default: it does not know of it. */
  readonly obeysSignal?: boolean;
  /**
   * Sends a request and reads the whole response, so that ky's time-out covers the body. Follows no redirect, since the credentials
   * would go along.
   */
  send(request: Request, exchange: Exchange): Promise<ReceivedResponse>;
  /** What the `Request` must hold: all that the transport does not take from the exchange, which costs less. */
  contentOf(request: WireRequest): RequestInit;
}
