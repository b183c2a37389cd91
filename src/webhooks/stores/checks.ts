import { ConfigurationError, type Issue } from '../../core/errors.ts';

/** Longer than any id of an event, and short enough for an index of PostgreSQL in any script (3 bytes each). */
const maxTextLength = 512;
/** A hundred years, in ms: more is a mistake of units, and would overflow the timestamps of a database. */
const maxDuration = 3_155_760_000_000;

/** From here on a number may be the number of a card. */
const isLong = (value: number) => Number.isFinite(value) && Math.abs(value) >= 1e11;

/** A value in words. Texts are counted, never repeated: what stands in the wrong place may be a secret. */
function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return isLong(value) ? 'a number' : `the number ${value}`;
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** One wrong value. */
export function issue(path: string, expected: string, value: unknown): Issue {
  return { path, expected, received: describe(value) };
}

/** Throws where anything is wrong. */
export function refuse(issues: readonly Issue[], advice: string): void {
  if (issues.length > 0) throw new ConfigurationError(issues, advice);
}

/** Whether a value is an object, so that its properties may be looked at. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

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
  return [issue(path, expected, value)];
}

/** What is wrong with a value that must be an integer within bounds. */
export function integerIssues(path: string, value: unknown, max: number): Issue[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return [];
  return [issue(path, `an integer from 1 to ${max}`, value)];
}

/** What is wrong with the options of a store: not an object, or a name that it does not know. */
export function optionIssues(path: string, options: unknown, known: readonly string[]): Issue[] {
  if (!isObject(options)) return [issue(path, 'an object', options)];
  return Object.entries(options)
    .filter(([name]) => !known.includes(name))
    .map(([name, value]) => issue(`${path}.${name}`, `only the options ${known.join(' and ')}`, value));
}

const advice = 'Nothing was recorded: pass the id of the event as the key, and times in ms.';

/** @throws ConfigurationError when an argument of `claim` is none. */
export function checkClaim(key: unknown, lease: unknown): void {
  const wrongLease = integerIssues('claim.lease', lease, maxDuration);
  refuse([...textIssues('claim.key', key), ...wrongLease], advice);
}

/** @throws ConfigurationError when an argument of `complete` is none. */
export function checkComplete(key: unknown, token: unknown, retention: unknown): void {
  const wrongRetention = integerIssues('complete.retention', retention, maxDuration);
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
    client === undefined ? [] : [issue('client', 'nothing, since this store has no transactions', client)];
  refuse(issues, 'Nothing was recorded: leave the client out, or use postgresStore.');
}
