/** A result that was recorded earlier, of an object that may have changed since. */

import { isRecord } from '../../base/json.ts';

/** The mark of a recorded result. It survives JSON and `structuredClone`. */
export interface Recorded {
  /** The result is that of an earlier call: its object may have changed since. */
  readonly $recorded: true;
}

/**
 * Returns whether a result was recorded earlier, and its object may have changed since: it comes from a repeated call whose object could
 * not be retrieved, or was not (`withResponse`, the option `repeats`), or from the journal's record of a sale.
 *
 * @example
 * const refund = await payments.refunds.create(params, { operationId });
 * if (isRecorded(refund)) console.log('it may have failed since');
 */
export function isRecorded<T>(value: T): value is T & Recorded {
  return isRecord(value) && value['$recorded'] === true;
}

/** Marks a result, if it is an object: JSON would lose the mark of an array. */
export function markRecorded(value: unknown): void {
  // What a caller's `parse` returned may be frozen.
  if (isRecord(value)) Reflect.set(value, '$recorded', true);
}

/** Returns the id of an object. */
export function idOf(value: unknown): unknown {
  return Reflect.get(Object(value), 'id');
}

/** Names of fields that only the response to a creation may have (*inferred*, but for `client_secret`). */
const ofCreation = /^(?:client_secret|secret|key|secret_key)$/;

/** Returns an object as it is now, with what only its creation returned. */
export function withCreated<T>(now: T, recorded: T): T {
  if (!isRecord(now) || !isRecord(recorded)) return now;
  const fields = Object.entries(recorded).filter(
    ([name]) => ofCreation.test(name) && (now[name] ?? null) === null,
  );
  return Object.assign(now, Object.fromEntries(fields));
}
