/** What is needed of a stream of Node that holds a body. */
export interface NodeBody {
  /** Whether something has read from it. */
  readonly readableDidRead?: boolean;
  /** The parts of the body. */
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/** What is needed of Node's `IncomingMessage`, or of Express's `Request`. */
export interface NodeRequest extends NodeBody {
  /** The verb. */
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  /** The same before a router of Express took its own path off. */
  readonly originalUrl?: string | undefined;
  /** The version of HTTP, before the dot. */
  readonly httpVersionMajor?: number;
  /** The headers. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a body parser left there. */
  readonly body?: unknown;
  /** The raw body, where the platform keeps one, as Cloud Functions do. */
  readonly rawBody?: unknown;
}

/** What is needed of Node's `ServerResponse`. */
export interface NodeResponse {
  /** Whether something has answered already. */
  readonly headersSent?: boolean;
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends the body, and ends. */
  end(body: string): unknown;
}
