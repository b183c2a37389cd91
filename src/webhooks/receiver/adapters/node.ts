import { isRecord } from '../../../base/json.ts';
import type { Inline } from '../../../base/runtime/runtime.ts';
import { tooLarge, type WebhookBody } from '../../events/payload.ts';
import {
  type AdapterReply,
  bodyBroke,
  bodyIsGone,
  type ReadRequest,
  readWithin,
  type UnreadRequest,
} from './request.ts';

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

const expressAdvice =
  'Mount receiver.node before express.json() and similar parsers, or let the parser keep the bytes: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes; } }).';

/** Returns the raw body that a parser or the platform kept. */
function keptBody({ rawBody, body }: NodeRequest): WebhookBody | undefined {
  return [rawBody, body].find((kept) => typeof kept === 'string' || kept instanceof Uint8Array);
}

function isNodeRequest(value: unknown): value is NodeRequest {
  if (!isRecord(value) || !isRecord(value['headers'])) return false;
  return Symbol.asyncIterator in value || 'rawBody' in value;
}

/** Returns whether a value is a response of a Node server. */
export function isNodeResponse(value: unknown): value is NodeResponse {
  return isRecord(value) && typeof value['writeHead'] === 'function' && typeof value['end'] === 'function';
}

/** Returns whether `receiver.node` got the arguments of a Node server or Express. */
export function isForNode(given: unknown[]): given is [NodeRequest, NodeResponse] {
  return isNodeRequest(given[0]) && isNodeResponse(given[1]);
}

async function takeBody(
  request: NodeRequest,
  maxBytes: number,
): Promise<{ readonly body: WebhookBody } | UnreadRequest> {
  const body = keptBody(request);
  if (body !== undefined) return { body };
  if (request.readableDidRead === true) return { error: bodyIsGone(expressAdvice) };
  try {
    const read = await readWithin(request[Symbol.asyncIterator](), maxBytes);
    return read.fits ? { body: read.bytes } : { error: tooLarge(maxBytes), isCutOff: !read.ended };
  } catch (cause) {
    return { error: bodyBroke(cause) };
  }
}

/** Reads the delivery of a request. Never throws. */
export async function readNode(request: NodeRequest, maxBytes: number): Promise<ReadRequest> {
  if (request.method !== 'POST') return undefined;
  const taken = await takeBody(request, maxBytes);
  if ('error' in taken) return taken;
  const { headers, url, originalUrl = url } = request;
  return { delivery: { body: taken.body, headers, url: originalUrl } };
}

/** Sends a reply. */
export function sendNode(
  { httpVersionMajor = 1 }: NodeRequest,
  response: NodeResponse,
  { status, headers, body }: AdapterReply,
  isCutOff: boolean,
): void {
  // A timeout of the application may have responded in the meantime; a second response would throw.
  if (response.headersSent === true) return;
  response.writeHead(status, {
    ...headers,
    // Stops HTTP/1 from reading the rest of the body as the next request. HTTP/2 forbids the header.
    ...(isCutOff && httpVersionMajor <= 1 && { connection: 'close' }),
    // Without a length, Node sends the body in chunks of their own.
    'content-length': String(body.length),
  });
  response.end(body);
}
