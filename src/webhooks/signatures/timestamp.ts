import { lengthOf } from '../../base/issue.ts';
import { unverified } from '../verification-error.ts';
import type { VerifyInput } from './scheme.ts';

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

/**
 * Checks that a validly signed delivery is neither too old nor too new.
 *
 * @param timestamp In ms since 1970.
 * @returns Always true.
 * @throws WebhookVerificationError (`too_old`, `too_new`) otherwise.
 */
export function checkAge(timestamp: number, { now, tolerance }: VerifyInput): true {
  const age = now - timestamp;
  if (Math.abs(age) <= tolerance) return true;
  const reason = age > 0 ? 'too_old' : 'too_new';
  const found = `${Math.ceil(Math.abs(age) / 1000)} s ${age > 0 ? 'old' : 'in the future'}`;
  throw unverified(
    reason,
    `expected a timestamp within ${tolerance / 1000} s of now, got one ${found}, with a valid signature. ${advice[reason]}`,
  );
}
