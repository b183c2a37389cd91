import type { BodyText } from '../../base/body.ts';

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
