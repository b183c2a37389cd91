/**
 * A sandbox behind the requests that an application sends anyway, by way of Mock Service Worker.
 *
 * @module
 */

import { type HttpHandler, HttpResponse, http } from 'msw';
import { isWebAddress } from '../base/web-address.ts';
import type { Sandbox } from './sandbox.ts';

/** The part of a sandbox that answers requests. */
export type SandboxFetch = Pick<Sandbox, 'fetch'>;

/** A base address without a slash at its end. */
function checkBaseUrl(baseUrl: string): URL {
  const url = isWebAddress(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw new RangeError(
      `sandboxHandlers: expected a base address such as 'https://payments.example', got '${baseUrl}'.`,
    );
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url;
}

/** The request as the sandbox knows it: its paths begin at the root. */
function withoutPrefix(request: Request, prefix: string): Request {
  if (prefix === '') return request;
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(prefix.length);
  return new Request(url, request);
}

function handlerOf({ fetch }: SandboxFetch, base: URL): HttpHandler {
  const prefix = base.pathname.replace(/\/$/, '');
  return http.all(`${base.origin}${prefix}/*`, async ({ request }) => {
    try {
      return await fetch(withoutPrefix(request, prefix));
    } catch (error) {
      // A connection that breaks; whoever has given up himself is no longer there to be told.
      if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
      throw error;
    }
  });
}

/**
 * Request handlers by which an application under test reaches a sandbox without a port, whatever it sends requests
 * with. A fault that breaks the connection is an error of the network; its code is not passed on.
 *
 * @param sandbox The sandbox; it need not listen.
 * @param baseUrls Where the application believes the service to be: one base address, or several of the same service.
 * @throws RangeError when an address is not an absolute one of HTTP, has a query, or none is given.
 *
 * @example
 * const sandbox = createSandbox();
 * const server = setupServer(...sandboxHandlers(sandbox, 'https://payments.example'));
 * server.listen();
 */
export function sandboxHandlers(sandbox: SandboxFetch, baseUrls: string | readonly string[]): HttpHandler[] {
  const bases = (typeof baseUrls === 'string' ? [baseUrls] : baseUrls).map(checkBaseUrl);
  if (bases.length === 0) throw new RangeError('sandboxHandlers: expected a base address, got none.');
  return bases.map((base) => handlerOf(sandbox, base));
}
