import type { Issue } from '../../base/errors.ts';
import { isIntegerFrom } from '../../base/integer.ts';
import { issueAt } from '../../base/issue.ts';
import { refuse } from '../checks.ts';

/** Longer than any id of an event, and short enough for an index of PostgreSQL in any script (3 bytes each). */
const maxTextLength = 512;
/** A hundred years, in ms: more is a mistake of units, and would overflow the timestamps of a database. */
const maxDuration = 3_155_760_000_000;

/**
 * Whether every store keeps a text as it is. PostgreSQL refuses NUL, and UTF-8 has one replacement for all halves of
 * surrogate pairs, so that two texts would become one: an event would count as handled because another was.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function textIssues(path: string, value: unknown): Issue[] {
  const isFine =
    typeof value === 'string' && value !== '' && value.length <= maxTextLength && isStorable(value);
  if (isFine) return [];
  const expected = `1 to ${maxTextLength} characters of well-formed Unicode without NUL`;
  return [issueAt(path, expected, value)];
}

function durationIssues(path: string, value: unknown): Issue[] {
  if (isIntegerFrom(value, 1, maxDuration)) return [];
  return [issueAt(path, `an integer from 1 to ${maxDuration}`, value)];
}

const advice = 'Nothing was recorded: pass the id of the event as the key, and times in ms.';

/** @throws ConfigurationError when an argument of `claim` is none. */
export function checkClaim(key: unknown, lease: unknown): void {
  const wrongLease = durationIssues('claim.lease', lease);
  refuse([...textIssues('claim.key', key), ...wrongLease], advice);
}

/** @throws ConfigurationError when an argument of `complete` is none. */
export function checkComplete(key: unknown, token: unknown, retention: unknown): void {
  const wrongRetention = durationIssues('complete.retention', retention);
  refuse(
    [...textIssues('complete.key', key), ...textIssues('complete.token', token), ...wrongRetention],
    advice,
  );
}

/** @throws ConfigurationError when an argument of `release` is none. */
export function checkRelease(key: unknown, token: unknown): void {
  refuse([...textIssues('release.key', key), ...textIssues('release.token', token)], advice);
}

/**
 * A caller without types may pass a connection to a store that has no transactions. To ignore it would let them believe
 * that effect and record are committed together.
 *
 * @throws ConfigurationError when there is a client.
 */
export function checkNoClient(client: unknown): void {
  const issues =
    client === undefined ? [] : [issueAt('client', 'nothing, since this store has no transactions', client)];
  refuse(issues, 'Nothing was recorded: leave the client out, or use postgresStore.');
}
