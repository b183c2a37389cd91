import { isRecord } from '../../base/json.ts';
import { tooLarge, type WebhookBody } from '../events/payload.ts';
import type { WebhookVerificationError } from '../verification-error.ts';
import { isNodeResponse } from './caller.ts';
import { type Answer, bodyBroke, bodyIsGone, type Endpoint, methodNotAllowed } from './endpoint.ts';
import type { NodeBody, NodeRequest, NodeResponse } from './node-types.ts';
import { readBody } from './read-body.ts';

/** Where the body of a request is. */
export interface NodeSource {
  readonly request: NodeRequest;
  /** The body: the request itself, or what a framework put in its place. */
  readonly stream: NodeBody;
  /** What to do when something else has read the body. */
  readonly advice: string;
}

/** The body of a request, or why there is none. */
export type TakenBody =
  | { readonly body: WebhookBody }
  /** `ended` tells whether nothing more of the body will come. */
  | { readonly error: WebhookVerificationError; readonly ended: boolean };

const expressAdvice =
  'Mount receiver.node before express.json() and its like, or let the parser keep the bytes: express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes; } }).';

/** The raw body, where a parser or the platform has left it as it came. */
function keptBody({ rawBody, body }: NodeRequest): WebhookBody | undefined {
  return [rawBody, body].find((kept) => typeof kept === 'string' || kept instanceof Uint8Array);
}

function isNodeRequest(value: unknown): value is NodeRequest {
  if (!isRecord(value) || !isRecord(value['headers'])) return false;
  return Symbol.asyncIterator in value || 'rawBody' in value;
}

/** Whether `receiver.node` was called as Node's servers and Express do. */
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

/** Takes the body from where it is. It never throws, and begins to read at once. */
export async function takeBody(
  { request, stream, advice }: NodeSource,
  maxBytes: number,
): Promise<TakenBody> {
  const body = keptBody(request);
  if (body !== undefined) return { body };
  if (stream.readableDidRead === true) return { error: bodyIsGone(advice), ended: true };
  return readStream(stream, maxBytes);
}

/** An answer after which HTTP/1 must not take what is left of the body for the next request. HTTP/2 forbids the header. */
function lastAnswer(answer: Answer, { httpVersionMajor = 1 }: NodeRequest): Answer {
  if (httpVersionMajor > 1) return answer;
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** What to answer to a POST whose body was taken. */
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

/** Answers a delivery that came to a Node server. */
export async function answerNode(
  request: NodeRequest,
  response: NodeResponse,
  endpoint: Endpoint,
): Promise<void> {
  const { status, headers, body } = await replyTo(request, endpoint);
  // A time-out of the application may have answered meanwhile, and a second answer would throw.
  if (response.headersSent === true) return;
  response.writeHead(status, { ...headers });
  response.end(body);
}
