import { checkOptions } from '../base/check-options.ts';
import { maxTimer } from '../base/integer.ts';
import { integerFrom, optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import type { ClaimOptions, KeyOptions, OpenQuery, RecordOptions, ReleaseOptions } from './store.ts';
import type { TransactionOptions } from './transaction-options.ts';

/** Longer than any event id, and short enough for a PostgreSQL index in any script (3 bytes per character). */
const maxTextLength = 512;
/** A hundred years, in ms. A longer time is a mistake of units, and would overflow database timestamps. */
export const maxDuration = 3_155_760_000_000;

/**
 * A text that every store keeps unchanged. PostgreSQL refuses NUL. UTF-8 replaces every lone surrogate with the same
 * character, so two texts would collide: one event would count as handled because of another.
 */
export function storableText(expected = 'well-formed Unicode without NUL') {
  const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
  return s.string(expected).check(s.refine(isStorable, expected));
}

const keyExpectation = `1 to ${maxTextLength} characters of well-formed Unicode without NUL`;
const isKeyLength = ({ length }: string) => length >= 1 && length <= maxTextLength;
const key = storableText(keyExpectation).check(s.refine(isKeyLength, keyExpectation));
const duration = timeFrom(1, maxDuration);

/** In bytes of UTF-8. */
const maxDataLength = 1024 * 1024;

function isDataLength(text: string): boolean {
  // A code unit takes at most 3 bytes, so most texts need no encoding.
  if (text.length * 3 <= maxDataLength) return true;
  return text.length <= maxDataLength && new TextEncoder().encode(text).length <= maxDataLength;
}

const dataExpectation = 'well-formed Unicode without NUL, at most 1 MiB in UTF-8';
const data = storableText(dataExpectation).check(s.refine(isDataLength, dataExpectation));
/** Each store checks the client itself. */
const transactionFields = { client: unchecked() };
const keyFields = { ...transactionFields, data: s.optional(data) };
const transactionOptions = s.optional(optionsOf<TransactionOptions<unknown>>(transactionFields));
const recordOptions = optionsOf<RecordOptions<unknown>>({
  ...transactionFields,
  lease: s.optional(timeFrom(1, maxTimer)),
});
const keyOptions = s.optional(optionsOf<KeyOptions<unknown>>(keyFields));
const claimOptions = s.optional(optionsOf<ClaimOptions<unknown>>({ ...keyFields, token: s.optional(key) }));
const releaseOptions = s.optional(
  optionsOf<ReleaseOptions<unknown>>({ ...keyFields, retention: s.optional(duration) }),
);

const claimArguments = s.object({ key, lease: duration });
const completeArguments = s.object({ key, token: key, retention: duration });
const renewArguments = s.object({ key, token: key, lease: duration });
const releaseArguments = s.object({ key, token: key });
const recordArguments = s.object({ key, retention: duration });
const advanceArguments = s.object({ key, version: integerFrom(Number.MIN_SAFE_INTEGER), data });

const queryExpectation = `at most ${maxTextLength} characters of well-formed Unicode without NUL`;
const isPrefixLength = ({ length }: string) => length <= maxTextLength;
const prefix = storableText(queryExpectation).check(s.refine(isPrefixLength, queryExpectation));
const openArguments = optionsOf<OpenQuery>({ prefix, after: s.optional(key), limit: integerFrom(1, 1000) });

const advice = 'Nothing was recorded: pass the id of the event as the key.';
const versionAdvice = 'Nothing was recorded: pass a key, the version of its data, and the data.';
const clientAdvice = 'Nothing was recorded: pass { client } or nothing.';
const recordAdvice =
  'Nothing was recorded: pass { client, lease } with the connection of your transaction; lease is optional.';
const claimAdvice = 'Nothing was recorded: pass { client, data, token }, each of them optional.';
const keyAdvice = 'Nothing was recorded: pass { client, data }, each of them optional.';
const releaseAdvice = 'Nothing was recorded: pass { client, data, retention }, each of them optional.';

type Options = KeyOptions<unknown> | undefined;

/** @throws ConfigurationError when an argument of `claim` is wrong. */
export function checkClaim(
  given: { readonly key: string; readonly lease: number },
  claimed: ClaimOptions<unknown> | undefined,
): void {
  checkOptions('claim', claimOptions, claimed, claimAdvice);
  checkOptions('claim', claimArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `complete` is wrong. */
export function checkComplete(
  given: { readonly key: string; readonly token: string; readonly retention: number },
  completed: Options,
): void {
  checkOptions('complete', keyOptions, completed, keyAdvice);
  checkOptions('complete', completeArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `renew` is wrong. */
export function checkRenew(
  given: { readonly key: string; readonly token: string; readonly lease: number },
  renewed: Options,
): void {
  checkOptions('renew', keyOptions, renewed, keyAdvice);
  checkOptions('renew', renewArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `release` is wrong. */
export function checkRelease(
  given: { readonly key: string; readonly token: string },
  released: ReleaseOptions<unknown> | undefined,
): void {
  checkOptions('release', releaseOptions, released, releaseAdvice);
  checkOptions('release', releaseArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `record` is wrong. */
export function checkRecord(
  given: { readonly key: string; readonly retention: number },
  recorded: RecordOptions<unknown>,
): void {
  checkOptions('record', recordOptions, recorded, recordAdvice);
  checkOptions('record', recordArguments, given, advice);
}

/** @throws ConfigurationError when an argument of `advance` is wrong. */
export function checkAdvance(
  given: { readonly key: string; readonly version: number; readonly data: string },
  advanced: TransactionOptions<unknown> | undefined,
): void {
  checkOptions('advance', transactionOptions, advanced, clientAdvice);
  checkOptions('advance', advanceArguments, given, versionAdvice);
}

/** @throws ConfigurationError when an argument of `open` is wrong. */
export function checkOpen(query: OpenQuery): void {
  checkOptions(
    'open',
    openArguments,
    query,
    'Pass { prefix, after, limit }; after is the last key of the previous page.',
  );
}

const noClient = s.absent('nothing, since this store has no transactions');

/**
 * Refuses a connection passed to a store without transactions. Ignoring it would let the caller assume that effect and
 * record commit together.
 *
 * @throws ConfigurationError when there is a client.
 */
export function checkNoClient(given: TransactionOptions<unknown> | undefined): void {
  checkOptions(
    'client',
    noClient,
    given?.client,
    'Nothing was recorded: omit the client, or use postgresStore.',
  );
}
