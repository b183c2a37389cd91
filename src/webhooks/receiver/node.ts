import { isRecord } from '../../base/json.ts';
import { tooLarge, type WebhookBody } from '../events/payload.ts';
import type { WebhookVerificationError } from '../verification-error.ts';
import { isNodeResponse } from './caller.ts';
import { type Answer, bodyBroke, bodyIsGone, type Endpoint, methodNotAllowed } from './endpoint.ts';
import type { NodeBody, NodeRequest, NodeResponse } from './node-types.ts';
import { readBody } from './read-body.ts';

/** The source of a request's body. */
export interface NodeSource {
  readonly request: NodeRequest;
  /** The body: the request itself, or the stream that a framework replaced it with. */
  readonly stream: NodeBody;
  /** What to do when other code has read the body. */
  readonly advice: string;
}

/** The body of a request, or the error. */
export type TakenBody =
  | { readonly body: WebhookBody }
  /** `ended`: no more of the body will arrive. */
  | { readonly error: WebhookVerificationError; readonly ended: boolean };

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

/** Returns whether `receiver.node` got the arguments of a Node server or Express. */
export function isForNode(given: unknown[]): given is [NodeRequest, NodeResponse] {
  return isNodeRequest(given[0]) && isNodeResponse(given[1]);
}

async function readStream(stream: NodeBody, maxBytes: number): Promise<TakenBody> {
  try {
    const read = await readBody(stream[Symbol.asyncIterator](), maxBytes);
    return read.fits ? { body: read.bytes } : { error: tooLarge(maxBytes), ended: read.ended };
  } catch (cause) {
    return { error: bodyBroke(cause), ended: true };
  }
}

/** Takes the body from its source. Starts reading immediately and never throws. */
export async function takeBody(
  { request, stream, advice }: NodeSource,
  maxBytes: number,
): Promise<TakenBody> {
  const body = keptBody(request);
  if (body !== undefined) return { body };
  if (stream.readableDidRead === true) return { error: bodyIsGone(advice), ended: true };
  return readStream(stream, maxBytes);
}

/**
 * Adds `connection: close`, so that HTTP/1 does not read the rest of the body as the next request. HTTP/2 forbids the
 * header.
 */
function lastAnswer(answer: Answer, { httpVersionMajor = 1 }: NodeRequest): Answer {
  if (httpVersionMajor > 1) return answer;
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Returns the response to a POST whose body was taken. */
export async function answerTo(request: NodeRequest, taken: TakenBody, endpoint: Endpoint): Promise<Answer> {
  if ('body' in taken) {
    const { headers, url, originalUrl = url } = request;
    return endpoint.handle({ body: taken.body, headers, url: originalUrl });
  }
  const refusal = await endpoint.refuse(taken.error);
  return taken.ended ? refusal : lastAnswer(refusal, request);
}

async function replyTo(request: NodeRequest, endpoint: Endpoint): Promise<Answer> {
  if (request.method !== 'POST') return methodNotAllowed;
  const taken = await takeBody({ request, stream: request, advice: expressAdvice }, endpoint.maxBodyBytes);
  return answerTo(request, taken, endpoint);
}

/** Handles a delivery that arrives at a Node server. */
export async function answerNode(
  request: NodeRequest,
  response: NodeResponse,
  endpoint: Endpoint,
): Promise<void> {
  const { status, headers, body } = await replyTo(request, endpoint);
  // A timeout of the application may have responded in the meantime; a second response would throw.
  if (response.headersSent === true) return;
  response.writeHead(status, { ...headers });
  response.end(body);
}
