/**
 * Mock Service Worker handlers that route an application's requests to a sandbox.
 *
 * @module
 */

import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Sandbox } from 'payments-client-sandbox';
import { refuseValue } from './base/refuse.ts';
import { isWebAddress } from './base/web-address.ts';

/** The part of a sandbox that handles requests. */
type SandboxFetch = Pick<Sandbox, 'fetch'>;

const expectedUrl = "a URL such as 'https://payments.example', without a query";
const advice = 'Pass the base URL that your application calls.';

/** Parses a base URL without a trailing slash. */
function checkBaseUrl(baseUrl: string): URL {
  const url = isWebAddress(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || url.search !== '' || url.hash !== '') {
    return refuseValue('sandboxHandlers.baseUrls', expectedUrl, baseUrl, advice);
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url;
}

/** Removes the base path, since the sandbox's paths begin at the root. */
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
      // A dropped connection. An aborted caller ignores the response.
      if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error();
      throw error;
    }
  });
}

/**
 * Creates Mock Service Worker handlers that route an application's requests to a sandbox without a port, whatever
 * HTTP client the application uses. A fault that drops the connection becomes a network error; the handler cannot
 * pass on its code.
 *
 * @param sandbox The sandbox; it need not listen.
 * @param baseUrls The base URL, or several, under which the application calls the service.
 * @throws ConfigurationError when a URL is not an absolute `http:` or `https:` URL, has a query, or none is given.
 *
 * @example
 * const sandbox = createSandbox();
 * const server = setupServer(...sandboxHandlers(sandbox, 'https://payments.example'));
 * server.listen();
 */
export function sandboxHandlers(sandbox: SandboxFetch, baseUrls: string | readonly string[]): HttpHandler[] {
  const bases = (typeof baseUrls === 'string' ? [baseUrls] : baseUrls).map(checkBaseUrl);
  if (bases.length === 0) return refuseValue('sandboxHandlers.baseUrls', expectedUrl, baseUrls, advice);
  return bases.map((base) => handlerOf(sandbox, base));
}
