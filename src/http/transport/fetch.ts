import { isDeno } from '../../base/runtime.ts';
import { bounded, Interrupted } from '../bounded.ts';
import type { Fetch } from '../options.ts';
import { ReceivedResponse, readBody } from './received.ts';
import type { Exchange, Transport, WireRequest } from './transport.ts';

/** Returns headers and body for a `Request`. On Deno the body is a blob, since Deno repeats requests with other bodies by itself. */
export function contentOf({ method, headers, body }: WireRequest): RequestInit {
  if (isDeno && method !== 'GET' && method !== 'DELETE') return { headers, body: new Blob([body ?? '']) };
  return body === undefined ? { headers } : { headers, body };
}

async function sendBy(fetch: Fetch, request: Request, exchange: Exchange): Promise<ReceivedResponse> {
  if (request.signal.aborted) {
    exchange.neverLeft = true;
    throw new Interrupted('aborted');
  }
  const response = await fetch(request);
  const head = {
    status: response.status,
    headers: { get: (name: string) => response.headers.get(name), web: response.headers },
  };
  exchange.head = head;
  return new ReceivedResponse(head, await readBody(response));
}

/** Makes a transport from a `fetch`. Obeys the signal even if the `fetch` does not. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    takesExchange: false,
    send: (request, exchange) => bounded(sendBy(fetch, request, exchange), request.signal),
  };
}

const ofRuntime = fetchTransport((request) => globalThis.fetch(request));

/** The runtime's `fetch`, looked up at each call: tools such as msw replace it after the client was made. */
export const runtimeTransport = (): Transport => ofRuntime;
