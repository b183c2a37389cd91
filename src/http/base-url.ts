import { describeValue } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { missingOption } from '../base/issue.ts';
import { isLoopbackHost } from '../base/web-address.ts';

/** Where the service is: `https://host[:port]`, and the path before `/v1` where there is one. */
export interface BaseUrl {
  readonly origin: string;
  /** Without a slash at its end; empty where the service is at the root. */
  readonly prefix: string;
}

const ownPath = /\/(?:v1|api\/transact\.php)\/*$/;

/** Returns what was expected in place of a URL that others could read or that holds a password; `undefined` for any other. */
export function safeUrl(url: URL, allowInsecure: boolean): string | undefined {
  const isInsecure = url.protocol === 'http:' && (allowInsecure || isLoopbackHost(url.hostname));
  if (url.protocol !== 'https:' && !isInsecure) {
    return 'an https URL (http is for loopback hosts, or with allowInsecure: true)';
  }
  if (url.username !== '' || url.password !== '') return 'a URL without a user name or password';
  return undefined;
}

/** Returns what was expected in place of a URL; `undefined` if it can be the base URL. */
function expectation(url: URL, allowInsecure: boolean): string | undefined {
  const expected = safeUrl(url, allowInsecure);
  if (expected !== undefined) return expected;
  if (url.search !== '' || url.hash !== '') return 'a URL without a query or fragment';
  if (ownPath.test(url.pathname)) return 'a URL without /v1 or /api/transact.php, which the SDK adds itself';
  return undefined;
}

/** Parses the base URL, or returns an issue. The issue repeats nothing that may be a secret. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): BaseUrl | Issue {
  const path = 'baseUrl';
  if (value === undefined) return missingOption(path, 'the URL of the service', 'PAYMENTS_BASE_URL');
  const isBare = typeof value === 'string' && value !== '' && !value.includes('://');
  // A host with a port looks like a scheme.
  if (isBare || typeof value !== 'string' || !URL.canParse(value)) {
    const expected = 'an absolute URL such as https://payments.example.com';
    return { path, expected, received: isBare ? 'text without https://' : describeValue(value, path, true) };
  }
  const url = new URL(value);
  const expected = expectation(url, allowInsecure);
  if (expected === undefined) {
    return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
  }
  const isScheme = /^https?:$/.test(url.protocol);
  return { path, expected, received: isScheme ? url.origin : 'another scheme' };
}
