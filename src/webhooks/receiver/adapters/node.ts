import { isRecord } from '../../../base/json.ts';
import { tooLarge, type WebhookBody } from '../../events/payload.ts';
import type { WebhookVerificationError } from '../../verification-error.ts';
import { isNodeResponse } from './caller.ts';
import { type AdapterReply, bodyBroke, bodyIsGone, type Endpoint, methodNotAllowed } from './endpoint.ts';
import type { NodeRequest, NodeResponse } from './node-types.ts';
import { readWithin } from './read-body.ts';

/** The body of a request, or the error. */
type TakenBody =
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

/** Takes the body of a request. Never throws. */
async function takeBody(request: NodeRequest, maxBytes: number): Promise<TakenBody> {
  const body = keptBody(request);
  if (body !== undefined) return { body };
  if (request.readableDidRead === true) return { error: bodyIsGone(expressAdvice), ended: true };
  try {
    const read = await readWithin(request[Symbol.asyncIterator](), maxBytes);
    return read.fits ? { body: read.bytes } : { error: tooLarge(maxBytes), ended: read.ended };
  } catch (cause) {
    return { error: bodyBroke(cause), ended: true };
  }
}

/**
 * Adds `connection: close`, so that HTTP/1 does not read the rest of the body as the next request. HTTP/2 forbids the
 * header.
 */
function lastAnswer(answer: AdapterReply, { httpVersionMajor = 1 }: NodeRequest): AdapterReply {
  if (httpVersionMajor > 1) return answer;
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

async function replyTo(request: NodeRequest, endpoint: Endpoint): Promise<AdapterReply> {
  if (request.method !== 'POST') return methodNotAllowed;
  const taken = await takeBody(request, endpoint.maxBodyBytes);
  if ('body' in taken) {
    const { headers, url, originalUrl = url } = request;
    return endpoint.handle({ body: taken.body, headers, url: originalUrl });
  }
  const refusal = await endpoint.refuse(taken.error);
  return taken.ended ? refusal : lastAnswer(refusal, request);
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
  // Without a length, Node sends the body in chunks of their own.
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  response.end(body);
}
