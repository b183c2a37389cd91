import { readBody } from '../../base/bytes.ts';
import { isDeno, isNode } from '../../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../../base/time.ts';
import type { Fetch } from '../client/options.ts';
import type { Exchange, ReceivedResponse, Transport, WireRequest } from './transport.ts';

/** On Deno the body is a blob, since Deno repeats requests with other bodies by itself. */
function contentOf({ method, headers, body }: WireRequest): RequestInit {
  const redirect = 'manual';
  if (isDeno && method !== 'GET' && method !== 'DELETE')
    return { redirect, headers, body: new Blob([body ?? '']) };
  return body === undefined ? { redirect, headers } : { redirect, headers, body };
}

/**
 * Returns a request whose body can be read once, its copies included. A `fetch` that sends a request again, or clones it to be able to, fails
 * then: undici repeats a request after a 421, and wrappers after any failure.
 */
function readOnce(request: Request, body: WireRequest['body']): Request {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  let isRead = false;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (isRead) {
      stream.error(new Error('This request is sent at most once, so its body can be read only once.'));
      return;
    }
    isRead = true;
    if (bytes.byteLength > 0) stream.enqueue(bytes);
    stream.close();
  };
  const copy = (): Request => {
    const init = { body: new ReadableStream({ pull }, { highWaterMark: 0 }), duplex: 'half' as const };
    const one = new Request(request, init);
    // Without it the body would be sent in chunks, which some servers refuse.
    one.headers.set('content-length', String(bytes.byteLength));
    return Object.defineProperty(one, 'clone', { value: copy });
  };
  return copy();
}

async function sendBy(fetch: Fetch, request: Request, exchange: Exchange): Promise<ReceivedResponse> {
  if (request.signal.aborted) {
    exchange.neverLeft = true;
    throw new Interrupted('aborted');
  }
  const { status, ok, headers, body } = await fetch(request);
  // Read now, so that what a mock returns in place of a response fails here, where it is a failure of the `fetch`.
  const get = headers.get.bind(headers);
  const head = { status, ok, headers: { get, web: headers } };
  exchange.head = head;
  return { ...head, ...(await readBody(body)) };
}

/** Makes a transport from a `fetch`. Obeys the signal even if the `fetch` does not. */
function fetchTransport(fetch: Fetch): Transport {
  return {
    contentOf,
    send: (request, exchange) => bounded(sendBy(fetch, request, exchange), request.signal),
  };
}

/** Makes a transport from the user's `fetch`. On Node it can send a request that must leave once only once. */
export function customTransport(fetch: Fetch): Transport {
  const transport = fetchTransport(fetch);
  if (!isNode) return transport;
  return {
    contentOf,
    send: (request, exchange) => {
      const { leavesOnce, body } = exchange.request;
      return transport.send(leavesOnce ? readOnce(request, body) : request, exchange);
    },
  };
}

/** The runtime's `fetch`, looked up at each call: tools such as msw replace it after the client was made. */
export const runtimeTransport: Transport = /* @__PURE__ */ fetchTransport((request) =>
  globalThis.fetch(request),
);
