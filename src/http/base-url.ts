import { describeValue, lengthOf } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { missingOption } from '../base/issue.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { redact } from '../base/redact.ts';

/** Where the service is: `https://host[:port]`, and the path before `/v1` where there is one. */
export interface BaseUrl {
  readonly origin: string;
  /** Without a slash at its end; empty where the service is at the root. */
  readonly prefix: string;
}

function protocolExpectation(url: URL, allowInsecure: boolean): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'an https URL';
  if (allowInsecure || isLoopbackHost(url.hostname)) return undefined;
  return 'an https URL (http is for loopback hosts, or with allowInsecure: true)';
}

function expectation(url: URL, allowInsecure: boolean): string | undefined {
  const protocol = protocolExpectation(url, allowInsecure);
  if (protocol !== undefined) return protocol;
  if (url.username !== '' || url.password !== '') return 'a URL without a user name or password';
  if (url.search !== '' || url.hash !== '') return 'a URL without a query or fragment';
  return undefined;
}

/** Paths that the SDK adds itself. */
const ownPath = /\/(?:v1|api\/transact\.php)\/*$/;

/** A host with or without a port, in small letters; a key has a `_`, capital letters or no point. */
const bareHost = /^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:[a-z]{2,20}|\d{1,3}))(?::\d{1,5})?(?=\/|$)/;

/** Returns the URL for a text that begins with a host and has no scheme. Omits the path, which may contain anything. */
function urlOf(text: string): string | undefined {
  const host = bareHost.exec(text)?.[0];
  if (host === undefined || !URL.canParse(`https://${host}`)) return undefined;
  return `${isLoopbackHost(new URL(`https://${host}`).hostname) ? 'http' : 'https'}://${host}`;
}

function missingScheme(value: string): Issue | undefined {
  const meant = urlOf(value);
  if (meant === undefined) return undefined;
  return {
    path: 'baseUrl',
    expected: `an absolute URL such as '${meant}'`,
    received: 'a host without its scheme',
  };
}

/** Returns the issue of a URL that ends in a path which the SDK adds itself, and would then be there twice. */
function doubledPath({ origin, pathname }: URL): Issue | undefined {
  const found = ownPath.exec(pathname);
  if (found === null) return undefined;
  const rest = redact(pathname.slice(0, found.index));
  const received = `one that ends in ${found[0]}, which the SDK adds itself`;
  return { path: 'baseUrl', expected: `'${origin}${rest}'`, received };
}

/** Parses the base URL, or returns an issue. The issue repeats nothing that may be a secret. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): BaseUrl | Issue {
  const path = 'baseUrl';
  if (value === undefined) return missingOption(path, 'the URL of the service', 'PAYMENTS_BASE_URL');
  if (typeof value !== 'string' || value === '') {
    return { path, expected: 'the URL of the service', received: describeValue(value, path, true) };
  }
  const bare = missingScheme(value);
  if (bare !== undefined) return bare;
  if (!URL.canParse(value)) {
    return {
      path,
      expected: 'an absolute URL such as https://payments.example.com',
      received: `a string of ${lengthOf(value)} that is not one`,
    };
  }
  const url = new URL(value);
  const expected = expectation(url, allowInsecure);
  if (expected !== undefined) {
    // A key with a colon in it looks like a scheme.
    const isScheme = /^[a-z]{2,6}:$/.test(url.protocol);
    return { path, expected, received: isScheme ? `${url.protocol}//${url.host}` : 'another scheme' };
  }
  const doubled = doubledPath(url);
  if (doubled !== undefined) return doubled;
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}
