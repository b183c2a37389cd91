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
