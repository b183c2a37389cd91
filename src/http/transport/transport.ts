import type { BodyText } from '../body-reader.ts';
import type { Interruption } from '../bounded.ts';
import type { HttpMethod } from '../route.ts';

/** One request, ready to be sent any number of times: its body is bytes or text, never a stream. */
export interface WireRequest {
  readonly method: HttpMethod;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** The headers of a response, as they are looked up on every call. */
export interface ResponseHeaders {
  /** The header of this name, in lower case; null where there is none. */
  get(name: string): string | null;
  /** All of them, for whoever asks. */
  readonly web: Headers;
}

/** A response whose body is still to be read. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Reads the body up to its bound. Rejects when the connection breaks before the body's end. */
  readonly readBody: () => Promise<BodyText>;
}

/** Carries one request to the service. It follows no redirect, since the credentials would go along. */
export type Transport = (request: WireRequest, interruption: Interruption) => Promise<ResponseHead>;
