/** An event that the store may have forgotten, delivered with a signature that does not say when. */

import { unverified } from '../verification-error.ts';
import { readTime } from './iso-8601.ts';
import type { EventReading } from './parse.ts';

function tooOld(created: Date, retention: number): EventReading {
  const expected = `an event that is at most ${retention} ms old (retention), since its signature covers no time`;
  const received = `one of ${created.toISOString()}`;
  const advice =
    'It was not handled: it may be a replay. If it is not, pass the event itself to dispatch(), and raise retention.';
  const error = unverified('too_old', `created: expected ${expected}, got ${received}. ${advice}`);
  return { event: undefined, issues: [{ path: 'created', expected, received }], error };
}

/**
 * Returns the reading of a delivery, without its event if that is older than the store's memory: a replay of it would be handled again.
 *
 * @param receivedAt ISO 8601.
 * @param retention How long the store remembers, in ms.
 * @returns `undated` for an event without a readable time.
 */
export function refuseForgotten(
  reading: EventReading,
  receivedAt: string,
  retention: number,
): EventReading | 'undated' {
  if (reading.event === undefined) return reading;
  const created = readTime(reading.event.created);
  if (created === undefined) return 'undated';
  return Date.parse(receivedAt) - created.getTime() > retention ? tooOld(created, retention) : reading;
}
