/** An event that the store may have forgotten, delivered with a signature that does not say when. */

import { unverified, type WebhookVerificationError } from '../verification-error.ts';
import { readTime } from './iso-8601.ts';
import type { EventReading } from './parse.ts';

function tooOld(created: Date, retention: number): EventReading {
  const expected = `an event that is at most ${retention} ms old (retention), since its signature covers no time`;
  const received = `one of ${created.toISOString()}`;
  const advice =
    'It was not handled: it may be a replay. If it is not, pass the event itself to dispatch(), discard() the kept one, and raise retention or correct the clock.';
  const error = unverified('too_old', `created: expected ${expected}, got ${received}. ${advice}`);
  return { event: undefined, issues: [{ path: 'created', expected, received }], error };
}

/** An event of unknown age, and what to report of it. */
interface Undated {
  readonly undated: WebhookVerificationError;
}

function undatedBy(tolerance: number, created: Date | undefined): Undated {
  const expected = `a time that is at most ${tolerance} ms ahead of this machine's clock (tolerance), since the signature covers none`;
  const received = created === undefined ? 'none' : `${created.toISOString()}. Check the clock`;
  const problem = `created: expected ${expected}, got ${received}. The event is handled; so is a replay after the retention. This is reported once.`;
  return { undated: unverified('invalid_payload', problem) };
}

/**
 * Returns the reading of a delivery, without its event if that is older than the retention: the store may have forgotten it, and a replay
 * would be handled again.
 *
 * @param receivedAt ISO 8601.
 * @returns `undated` for an event without a readable time, or with one so far ahead that the store forgets the event before it is too old.
 */
export function refuseForgotten(
  reading: EventReading,
  receivedAt: string,
  { retention, tolerance }: { readonly retention: number; readonly tolerance: number },
): EventReading | Undated {
  if (reading.event === undefined) return reading;
  const created = readTime(reading.event.created);
  if (created === undefined) return undatedBy(tolerance, created);
  const age = Date.parse(receivedAt) - created.getTime();
  if (age < -tolerance) return undatedBy(tolerance, created);
  return age > retention ? tooOld(created, retention) : reading;
}
