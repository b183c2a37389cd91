import type { Inline } from '../../../base/runtime/runtime.ts';

/** The part of Node's `IncomingMessage` or Express's `Request` that the receiver uses. */
export type NodeRequest = Inline<{
  /** Whether the stream of the body was read from. */
  readonly readableDidRead?: boolean;
  /** The parts of the body. */
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  /** The path and query before an Express router removed its own path. */
  readonly originalUrl?: string | undefined;
  /** The major HTTP version. */
  readonly httpVersionMajor?: number;
  /** The headers. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body that a body parser left. */
  readonly body?: unknown;
  /** The raw body, if the platform keeps it, as Cloud Functions do. */
  readonly rawBody?: unknown;
}>;

/** The part of Node's `ServerResponse` that the receiver uses. */
export type NodeResponse = Inline<{
  /** Whether the response has started. */
  readonly headersSent?: boolean;
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends the body and ends the response. */
  end(body: string): unknown;
}>;
