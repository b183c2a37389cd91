import { isDeno } from '../../base/runtime.ts';
import { bounded, Interrupted } from '../bounded.ts';
import type { Fetch } from '../options.ts';
import { ReceivedResponse, readBody } from './received.ts';
import type { Exchange, Transport, WireRequest } from './transport.ts';

/** Headers and body for a `Request`. On Deno the body is a blob, since Deno sends a request that has one for its body once. */
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

/** Sends by a `fetch`, and heeds the signal for one that does not. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    takesExchange: false,
    send: (request, exchange) => bounded(sendBy(fetch, request, exchange), request.signal),
  };
}

const ofRuntime = fetchTransport((request) => globalThis.fetch(request));

/** The runtime's `fetch`. It is looked up at each call: tools such as msw replace it after the client was made. */
export const runtimeTransport = (): Transport => ofRuntime;
