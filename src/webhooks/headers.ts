import { isRecord } from '../base/json.ts';

/** Headers that are read by name, such as a `Headers` object. */
export interface ReadableHeaders {
  /** A header's value, whatever the case of its name; null where it is absent. */
  get(name: string): string | null;
}

/** The headers of a delivery: a `Headers` object, or a plain one such as Node's `request.headers`. */
export type DeliveryHeaders =
  | ReadableHeaders
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Gives a header's value by its name in lower case. */
export type HeaderLookup = (name: string) => string | undefined;

function hasGet(headers: DeliveryHeaders): headers is ReadableHeaders {
  return typeof headers['get'] === 'function';
}

/** What a header says. What is no text counts as absent. */
function inWords(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // Signatures that came in several headers are one list, whose separator is a blank.
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : undefined;
}

/** The names of all headers, where they can be listed. */
function namesOf(headers: DeliveryHeaders): readonly unknown[] {
  if (!isRecord(headers)) return [];
  if (!hasGet(headers)) return Object.keys(headers);
  const keys: unknown = Reflect.get(headers, 'keys');
  return typeof keys === 'function' ? Array.from(keys.call(headers)) : [];
}

/** The name of a header that carries a signature. Names come from outside, so no other text passes. */
const signatureName = /^(?=.*(?:signature|hmac))[a-z0-9-]{1,40}$/;
const maxNames = 3;

/** The names of headers that seem to carry a signature, in lower case. */
export function signatureHeadersIn(headers: DeliveryHeaders): readonly string[] {
  return namesOf(headers)
    .map((name) => String(name).toLowerCase())
    .filter((name) => signatureName.test(name))
    .sort()
    .slice(0, maxNames);
}

/** Headers that are read by name in the same way, whatever framework they came from. */
export function readable(headers: DeliveryHeaders): ReadableHeaders {
  const lookup = lookUpIn(headers);
  return { get: (name) => lookup(name.toLowerCase()) ?? null };
}

/** Reads the headers by name, whatever the case of the names. */
export function lookUpIn(headers: DeliveryHeaders): HeaderLookup {
  if (!isRecord(headers)) return () => undefined;
  if (hasGet(headers)) return (name) => inWords(headers.get(name));
  return (name) => {
    if (Object.hasOwn(headers, name)) return inWords(headers[name]);
    const other = Object.keys(headers).find((key) => key.toLowerCase() === name);
    return other === undefined ? undefined : inWords(headers[other]);
  };
}
