import { readBody } from './body-reader.ts';
import type { Fetch } from './options.ts';
import type { Transport } from './transport.ts';

/** Carries requests by a `fetch`. It gets a `Request`, so that a function that takes nothing else will do. */
export function fetchTransport(fetch: Fetch): Transport {
  return async ({ method, origin, path, headers, body }, { signal }) => {
    const init = { method, headers, redirect: 'manual', signal } as const;
    const response = await fetch(
      new Request(`${origin}${path}`, body === undefined ? init : { ...init, body }),
    );
    return {
      status: response.status,
      headers: { get: (name) => response.headers.get(name), web: response.headers },
      readBody: () => readBody(response),
    };
  };
}
