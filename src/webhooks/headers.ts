import { describeValue } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';
import type { Inline } from '../base/runtime/runtime.ts';
import { unverified } from './verification-error.ts';

/** Headers with a `get` by name, such as a `Headers` object. */
export type ReadableHeaders = Inline<{
  /** Returns a header's value, whatever the case of its name; null if absent. */
  get(name: string): string | null;
}>;

/** The headers of a delivery: a `Headers` object, or a plain object such as Node's `request.headers`. */
export type DeliveryHeaders = Inline<
  ReadableHeaders | Readonly<Record<string, string | readonly string[] | undefined>>
>;

/** Returns a header's value by its name in lower case. */
export type HeaderLookup = (name: string) => string | undefined;

function hasGet(headers: DeliveryHeaders): headers is ReadableHeaders {
  return typeof headers['get'] === 'function';
}

/** Returns the text of a header. A value that is not text counts as absent. */
function inWords(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // Signatures in several headers form one list, separated by blanks.
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : undefined;
}

/** Returns the names of all headers; none if they cannot be listed. */
function namesOf(headers: DeliveryHeaders): readonly unknown[] {
  if (!isRecord(headers)) return [];
  if (!hasGet(headers)) return Object.keys(headers);
  const keys: unknown = Reflect.get(headers, 'keys');
  return typeof keys === 'function' ? Array.from(keys.call(headers)) : [];
}

/** Matches the name of a signature header. Names come from outside, so any other text is left out. */
const signatureName = /^(?=.*(?:signature|hmac))[a-z0-9-]{1,40}$/;
const maxNames = 3;

/** Returns the names of headers that may carry a signature, in lower case. */
export function signatureHeadersIn(headers: DeliveryHeaders): readonly string[] {
  return namesOf(headers)
    .map((name) => String(name).toLowerCase())
    .filter((name) => signatureName.test(name))
    .sort()
    .slice(0, maxNames);
}

/** Wraps the headers of any framework in one interface. */
export function readable(headers: DeliveryHeaders): ReadableHeaders {
  const lookup = lookUpIn(headers);
  return { get: (name) => lookup(name.toLowerCase()) ?? null };
}

/**
 * Refuses anything but headers, such as the signature alone.
 *
 * @throws WebhookVerificationError `missing_header`.
 */
export function requireHeaders(headers: unknown): void {
  if (isRecord(headers)) return;
  const received = describeValue(headers, '', true);
  const problem = `expected the request's headers, got ${received}. Pass request.headers.`;
  throw unverified('missing_header', problem);
}

/** Returns a lookup by name that ignores case. */
export function lookUpIn(headers: DeliveryHeaders): HeaderLookup {
  if (!isRecord(headers)) return () => undefined;
  if (hasGet(headers)) return (name) => inWords(headers.get(name));
  return (name) => {
    if (Object.hasOwn(headers, name)) return inWords(headers[name]);
    const other = Object.keys(headers).find((key) => key.toLowerCase() === name);
    return other === undefined ? undefined : inWords(headers[other]);
  };
}
