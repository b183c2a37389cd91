import type { WebRequest, WebResponse } from '../../../base/runtime/runtime.ts';
import { tooLarge } from '../../events/payload.ts';
import { isRequest } from './caller.ts';
import { type AdapterReply, bodyBroke, bodyIsGone, type Endpoint, methodNotAllowed } from './endpoint.ts';
import { type BodyParts, readWithin } from './read-body.ts';

const emptyBody: BodyParts = { next: async () => ({ done: true }) };

function partsOf({ body }: Request): BodyParts {
  if (body === null) return emptyBody;
  const reader = body.getReader();
  return { next: () => reader.read() };
}

/** Returns whether `receiver.fetch` got the arguments of a `Request`/`Response` server. */
export function isForFetch(given: unknown[]): given is [WebRequest] {
  return isRequest(given[0]);
}

/** Returns the path and query in Node's form. A polyfill may have no absolute URL. */
function pathOf({ url }: Request): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function readAndHandle(request: Request, endpoint: Endpoint): Promise<AdapterReply> {
  const read = await readWithin(partsOf(request), endpoint.maxBodyBytes).catch(bodyBroke);
  if (read instanceof Error) return endpoint.refuse(read);
  if (!read.fits) return endpoint.refuse(tooLarge(endpoint.maxBodyBytes));
  return endpoint.handle({ body: read.bytes, headers: request.headers, url: pathOf(request) });
}

async function answerTo(request: Request, endpoint: Endpoint): Promise<AdapterReply> {
  if (request.method !== 'POST') return methodNotAllowed;
  if (request.bodyUsed || request.body?.locked === true) {
    return endpoint.refuse(bodyIsGone('Pass the request to receiver.fetch before anything reads its body.'));
  }
  return readAndHandle(request, endpoint);
}

/** Handles a delivery that arrives as a `Request`. */
export async function answerFetch(request: WebRequest, endpoint: Endpoint): Promise<WebResponse> {
  const { status, headers, body } = await answerTo(request, endpoint);
  return new Response(body, { status, headers });
}
