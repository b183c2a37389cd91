import type { Issue } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';

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

/** Parses the base URL, or returns what is wrong with it. The issue repeats nothing that may be a secret. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): BaseUrl | Issue {
  const path = 'baseUrl';
  if (typeof value !== 'string' || value === '') {
    const expected = 'the URL of the service, as an option or in PAYMENTS_BASE_URL';
    return { path, expected, received: value === undefined ? 'nothing' : `a value of type ${typeof value}` };
  }
  if (!URL.canParse(value)) {
    return {
      path,
      expected: 'an absolute URL such as https://payments.example.com',
      received: `a string of ${value.length} characters that is not one`,
    };
  }
  const url = new URL(value);
  const expected = expectation(url, allowInsecure);
  if (expected !== undefined) {
    // A key with a colon in it looks like a scheme.
    const isScheme = /^[a-z]{2,6}:$/.test(url.protocol);
    return { path, expected, received: isScheme ? `${url.protocol}//${url.host}` : 'another scheme' };
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}
