import { checkOptions } from '../../base/check-options.ts';
import { integerFrom } from '../../base/options.ts';
import * as s from '../../base/schema.ts';

/** Longer than any id of an event, and short enough for an index of PostgreSQL in any script (3 bytes each). */
const maxTextLength = 512;
/** A hundred years, in ms: more is a mistake of units, and would overflow the timestamps of a database. */
const maxDuration = 3_155_760_000_000;

/**
 * A text that every store keeps as it is. PostgreSQL refuses NUL, and UTF-8 has one replacement for all halves of
 * surrogate pairs, so that two texts would become one: an event would count as handled because another was.
 */
export function storableText(expected = 'well-formed Unicode without NUL') {
  const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
  return s.string(expected).check(s.refine(isStorable, expected));
}

const keyExpectation = `1 to ${maxTextLength} characters of well-formed Unicode without NUL`;
const isKeyLength = ({ length }: string) => length >= 1 && length <= maxTextLength;
const key = storableText(keyExpectation).check(s.refine(isKeyLength, keyExpectation));
const duration = integerFrom(1, maxDuration);

const claimArguments = s.object({ key, lease: duration });
const completeArguments = s.object({ key, token: key, retention: duration });
const releaseArguments = s.object({ key, token: key });

const advice = 'Nothing was recorded: pass the id of the event as the key, and times in ms.';

/** @throws ConfigurationError when an argument of `claim` is wrong. */
export function checkClaim(given: { readonly key: string; readonly lease: number }): void {
  checkOptions('claim', claimArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `complete` is wrong. */
export function checkComplete(given: {
  readonly key: string;
  readonly token: string;
  readonly retention: number;
}): void {
  checkOptions('complete', completeArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `release` is wrong. */
export function checkRelease(given: { readonly key: string; readonly token: string }): void {
  checkOptions('release', releaseArguments, given, advice);
}

const noClient = s.absent('nothing, since this store has no transactions');

/**
 * A caller without types may pass a connection to a store that has no transactions. To ignore it would let them believe
 * that effect and record are committed together.
 *
 * @throws ConfigurationError when there is a client.
 */
export function checkNoClient(client: unknown): void {
  checkOptions(
    'client',
    noClient,
    client,
    'Nothing was recorded: leave the client out, or use postgresStore.',
  );
}
