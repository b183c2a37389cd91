import { isDeno } from '../../base/runtime.ts';
import { readBody } from '../body-reader.ts';
import type { Fetch } from '../options.ts';
import type { Transport, WireRequest } from './transport.ts';

/** On Deno a blob, since a request that has one for its body is sent once. */
function bodyOf({ method, body }: WireRequest): { body?: string | Uint8Array<ArrayBuffer> | Blob } {
  if (isDeno && method !== 'GET' && method !== 'DELETE') return { body: new Blob([body ?? '']) };
  return body === undefined ? {} : { body };
}

/** Carries requests by a `fetch`. It gets a `Request`, so that a function that takes nothing else will do. */
export function fetchTransport(fetch: Fetch): Transport {
  return async (request, { signal }) => {
    const { method, origin, path, headers } = request;
    const init = { method, headers, redirect: 'manual', signal, ...bodyOf(request) } as const;
    const response = await fetch(new Request(`${origin}${path}`, init));
    return {
      status: response.status,
      headers: { get: (name) => response.headers.get(name), web: response.headers },
      readBody: () => readBody(response),
    };
  };
}
