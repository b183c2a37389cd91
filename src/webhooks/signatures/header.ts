import { WebhookVerificationError } from '../verification-error.ts';
import type { VerifyInput } from './scheme.ts';

/** Longer than any true header, and short enough to be read in no time. */
const maxHeaderLength = 8192;
/** A rotation of secrets leaves two or three. */
const maxValues = 16;

/** A header is there and cannot be read. */
export function malformed(name: string, expected: string, received: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'malformed_header',
    `${name}: expected ${expected}, got ${received}. Is this the service's scheme, and does a proxy change headers?`,
  );
}

/** The signature headers of another scheme in a delivery that has no signature header of this one. */
export function foreignSignatures(input: VerifyInput, ownHeader: string): readonly string[] {
  return input.header(ownHeader) === undefined ? (input.signatureHeaders?.() ?? []) : [];
}

function missing(name: string, foreign: readonly string[]): WebhookVerificationError {
  const problem =
    foreign.length === 0
      ? 'got none. Either the sender is not the service, or its scheme is another, or a proxy removed it.'
      : `got a delivery with ${foreign.join(', ')}. The scheme is another: pass the one that signs with this header to Webhooks.`;
  return new WebhookVerificationError('missing_header', `expected the header ${name}, ${problem}`);
}

/**
 * A header that must be there, of 1 to 8192 characters.
 *
 * @param foreign The signature headers that the delivery has instead.
 * @throws WebhookVerificationError (`missing_header`, `malformed_header`) when it is not.
 */
export function requiredHeader(
  name: string,
  value: string | undefined,
  foreign: readonly string[] = [],
): string {
  if (value === undefined) throw missing(name, foreign);
  if (value === '') throw malformed(name, 'a value', 'an empty one');
  if (value.length > maxHeaderLength) {
    throw malformed(name, `at most ${maxHeaderLength} characters`, `${value.length}`);
  }
  return value;
}

/**
 * The values of those entries of a list that begin with a prefix.
 *
 * @throws WebhookVerificationError (`malformed_header`) when they are more than 16.
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
