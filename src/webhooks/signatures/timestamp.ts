import { WebhookVerificationError } from '../verification-error.ts';
import type { VerifyInput } from './scheme.ts';

/** From here on a timestamp is in ms: as seconds it would be the year 5138, as ms it is 1973. */
const smallestMs = 1e11;
/** An integer of so many digits is exact. */
const digits = /^\d{1,15}$/;

/**
 * A timestamp of a header, in ms since 1970. It came in seconds or in ms. Only digits are one: `parseInt` would read a
 * part of anything.
 *
 * @throws WebhookVerificationError (`malformed_header`) for anything else.
 */
export function readTimestamp(place: string, text: string): number {
  if (!digits.test(text)) {
    throw new WebhookVerificationError(
      'malformed_header',
      `${place}: expected a Unix timestamp of 1 to 15 digits, got a text of ${text.length} characters that is none. Is this the service's scheme?`,
    );
  }
  const value = Number(text);
  return value >= smallestMs ? value : value * 1000;
}

function refusal(
  reason: 'too_old' | 'too_new',
  { tolerance }: VerifyInput,
  found: string,
): WebhookVerificationError {
  return new WebhookVerificationError(
    reason,
    `expected a timestamp within ${tolerance / 1000} s of now, got one ${found}, on a right signature. It is a replay or a late delivery, or the clock of this machine is skewed: check the clock first, and only then raise the tolerance.`,
  );
}

/**
 * That a right signature is neither too old nor too new.
 *
 * @param timestamp In ms since 1970.
 * @returns Always true.
 * @throws WebhookVerificationError (`too_old`, `too_new`) when it is.
 */
export function checkAge(timestamp: number, input: VerifyInput): true {
  const age = input.now - timestamp;
  if (age > input.tolerance) throw refusal('too_old', input, `${Math.ceil(age / 1000)} s old`);
  if (-age > input.tolerance) throw refusal('too_new', input, `${Math.ceil(-age / 1000)} s in the future`);
  return true;
}
