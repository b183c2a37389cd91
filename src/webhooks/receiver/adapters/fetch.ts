import { isRecord } from '../../../base/json.ts';
import type { WebRequest, WebResponse } from '../../../base/runtime/runtime.ts';
import { tooLarge } from '../../events/payload.ts';
import {
  type AdapterReply,
  type BodyParts,
  bodyBroke,
  bodyIsGone,
  type ReadRequest,
  readWithin,
} from './request.ts';

const emptyBody: BodyParts = { next: async () => ({ done: true }) };

function partsOf({ body }: Request): BodyParts {
  if (body === null) return emptyBody;
  const reader = body.getReader();
  return { next: () => reader.read() };
}

/** Returns whether a value is a `Request` of any realm or polyfill. */
export function isRequest(value: unknown): value is Request {
  if (!isRecord(value) || typeof value['arrayBuffer'] !== 'function') return false;
  const { headers } = value;
  return isRecord(headers) && typeof headers['get'] === 'function';
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

/** Reads the delivery of a `Request`. Never throws. */
export async function readFetch(request: WebRequest, maxBytes: number): Promise<ReadRequest> {
  if (request.method !== 'POST') return undefined;
  if (request.bodyUsed || request.body?.locked === true) {
    return {
      error: bodyIsGone('Pass the request to receiver.fetch before anything reads its body.'),
    };
  }
  const read = await readWithin(partsOf(request), maxBytes).catch(bodyBroke);
  if (read instanceof Error) return { error: read };
  if (!read.fits) return { error: tooLarge(maxBytes) };
  return { delivery: { body: read.bytes, headers: request.headers, url: pathOf(request) } };
}

/** Returns the `Response` of a reply. */
export function toResponse({ status, headers, body }: AdapterReply): WebResponse {
  return new Response(body, { status, headers });
}
