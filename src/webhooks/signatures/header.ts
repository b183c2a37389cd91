import { lengthOf } from '../../base/issue.ts';
import { unverified, type WebhookVerificationError } from '../verification-error.ts';
import type { VerifyInput } from './scheme.ts';

/** Longer than any valid header, and short enough to parse quickly. */
const maxHeaderLength = 8192;
/** A rotation of secrets needs two or three. */
const maxValues = 16;

/** Creates the error for a header that cannot be read. */
export function malformed(name: string, expected: string, received: string): WebhookVerificationError {
  return unverified(
    'malformed_header',
    `${name}: expected ${expected}, got ${received}. Check that this is the service's scheme and that no proxy changes headers.`,
  );
}

function missing(name: string, foreign: readonly string[]): WebhookVerificationError {
  const problem =
    foreign.length === 0
      ? 'got none. The sender is not the service, it uses another scheme, or a proxy removed the header.'
      : `got a delivery with ${foreign.join(', ')}. The service uses another scheme: pass the scheme of that header to Webhooks.`;
  return unverified('missing_header', `expected the header ${name}, ${problem}`);
}

/**
 * Returns a required header of 1 to 8192 characters.
 *
 * @param own The header without which the delivery is one of another scheme. Default: the required one.
 * @throws WebhookVerificationError (`missing_header`, `malformed_header`) when it is absent, empty or too long.
 */
export function requiredHeader(input: VerifyInput, name: string, own = name): string {
  const value = input.header(name);
  if (value === undefined) {
    const isForeign = input.header(own) === undefined;
    throw missing(name, isForeign ? (input.signatureHeaders?.() ?? []) : []);
  }
  if (value === '') throw malformed(name, 'a value', 'an empty one');
  if (value.length > maxHeaderLength) {
    throw malformed(name, `at most ${maxHeaderLength} characters`, `${value.length}`);
  }
  return value;
}

/**
 * Returns the values of the list entries with a prefix.
 *
 * @throws WebhookVerificationError (`malformed_header`) when there are more than 16.
 */
export function valuesIn(name: string, list: string, separator: ',' | ' ', prefix: string): string[] {
  const values: string[] = [];
  for (let start = 0; start < list.length; ) {
    const next = list.indexOf(separator, start);
    const end = next < 0 ? list.length : next;
    if (list.startsWith(prefix, start)) {
      if (values.length === maxValues) throw malformed(name, `${prefix}… at most ${maxValues} times`, 'more');
      values.push(list.slice(start + prefix.length, end));
    }
    start = end + 1;
  }
  return values;
}

/** Timestamps from this value on are in ms: in seconds it would be the year 5138, in ms it is 1973. */
const smallestMs = 1e11;
/** An integer of up to 15 digits is exact. */
const digits = /^\d{1,15}$/;

/**
 * Returns a header's timestamp in ms since 1970; the header may have seconds or ms. Accepts only digits: `parseInt`
 * would accept the leading digits of any text.
 *
 * @throws WebhookVerificationError (`malformed_header`) for any other text.
 */
export function readTimestamp(place: string, text: string): number {
  if (!digits.test(text)) {
    throw unverified(
      'malformed_header',
      `${place}: expected a Unix timestamp of 1 to 15 digits, got a text of ${lengthOf(text)}. Check that this is the service's scheme.`,
    );
  }
  const value = Number(text);
  return value >= smallestMs ? value : value * 1000;
}

const advice = {
  too_old:
    "It is a replay or a late delivery, or this machine's clock is fast: check the clock before you raise the tolerance.",
  too_new:
    "This machine's clock is slow, or a sandbox signs with its own: check the clock, or pass now: () => sandbox.clock.now() to Webhooks.",
};

function checkAge(timestamp: number, { now, tolerance }: VerifyInput): true {
  const age = now - timestamp;
  if (Math.abs(age) <= tolerance) return true;
  const reason = age > 0 ? 'too_old' : 'too_new';
  const found = `${Math.ceil(Math.abs(age) / 1000)} s ${age > 0 ? 'old' : 'in the future'}`;
  throw unverified(
    reason,
    `expected a timestamp within ${tolerance / 1000} s of now, got one ${found}, with a valid signature. ${advice[reason]}`,
  );
}

/**
 * Returns whether a signature matches. Checks the age of a delivery only if it does.
 *
 * @param timestamp In ms since 1970.
 * @throws WebhookVerificationError (`too_old`, `too_new`) when a validly signed delivery is too old or too new.
 */
export function matchesInTime(
  matches: boolean | Promise<boolean>,
  timestamp: number,
  input: VerifyInput,
): boolean | Promise<boolean> {
  if (typeof matches !== 'boolean') return matches.then((yes) => yes && checkAge(timestamp, input));
  return matches && checkAge(timestamp, input);
}

type Headers = Readonly<Record<string, string>>;

/** Returns the headers of a signed body. The signature comes last, after its prefix, and may be a promise. */
export function signedHeaders(
  others: Headers,
  name: string,
  prefix: string,
  signature: string | Promise<string>,
): Headers | Promise<Headers> {
  if (typeof signature === 'string') return { ...others, [name]: prefix + signature };
  return signature.then((made) => ({ ...others, [name]: prefix + made }));
}
