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

const storable = 'well-formed Unicode without NUL';

/**
 * A text that every store keeps unchanged. PostgreSQL refuses NUL. UTF-8 replaces every lone surrogate with the same
 * character, so two texts would collide: one event would count as handled because of another.
 */
export function storableText(expected = storable) {
  const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
  return s.string(expected).check(s.refine(isStorable, expected));
}

function textFrom(min: number) {
  const expected = `${min} to ${maxTextLength} characters of ${storable}`;
  const isBounded = ({ length }: string) => length >= min && length <= maxTextLength;
  return storableText(expected).check(s.refine(isBounded, expected));
}

const key = s.lazily(() => textFrom(1));
const duration = s.lazily(() => timeFrom(1, maxDuration));

/** In bytes of UTF-8. */
const maxDataLength = 1024 * 1024;

function isDataLength(text: string): boolean {
  // A code unit takes at most 3 bytes, so most texts need no encoding.
  if (text.length * 3 <= maxDataLength) return true;
  return text.length <= maxDataLength && new TextEncoder().encode(text).length <= maxDataLength;
}

const dataExpectation = `${storable}, at most 1 MiB in UTF-8`;
const data = s.lazily(() => storableText(dataExpectation).check(s.refine(isDataLength, dataExpectation)));

// Each store checks the client itself.
const keyFields = () => ({ client: unchecked(), data: s.optional(data) });
const transactionOptions = optionsOf<TransactionOptions<unknown>>(() => ({ client: unchecked() }));
const recordOptions = optionsOf<RecordOptions<unknown>>(() => ({
  client: unchecked(),
  lease: s.optional(timeFrom(1, maxTimer)),
}));
const keyOptions = optionsOf<KeyOptions<unknown>>(keyFields);
const claimOptions = optionsOf<ClaimOptions<unknown>>(() => ({ ...keyFields(), token: s.optional(key) }));
const releaseOptions = optionsOf<ReleaseOptions<unknown>>(() => ({
  ...keyFields(),
  retention: s.optional(duration),
}));

const claimArguments = s.lazily(() => s.object({ key, lease: duration }));
const completeArguments = s.lazily(() => s.object({ key, token: key, retention: duration }));
const renewArguments = s.lazily(() => s.object({ key, token: key, lease: duration }));
const releaseArguments = s.lazily(() => s.object({ key, token: key }));
const recordArguments = s.lazily(() => s.object({ key, retention: duration }));
const advanceArguments = s.lazily(() =>
  s.object({ key, version: integerFrom(Number.MIN_SAFE_INTEGER), data }),
);

const openArguments = optionsOf<OpenQuery>(() => ({
  prefix: textFrom(0),
  after: s.optional(key),
  limit: integerFrom(1, 1000),
}));

const passId = 'pass the id of the event as the key.';
const passOptions = (names: string) => `pass { ${names} }, each of them optional.`;

function checkArguments(method: string, schema: s.Schema<unknown>, given: unknown, advice: string): void {
  checkOptions(method, schema, given, `Nothing was recorded: ${advice}`);
}

/** @throws ConfigurationError when an argument of `claim` is wrong. */
export function checkClaim(
  given: { readonly key: string; readonly lease: number },
  claimed: ClaimOptions<unknown> = {},
): void {
  checkArguments('claim', claimOptions, claimed, passOptions('client, data, token'));
  checkArguments('claim', claimArguments, given, passId);
}

/** @throws ConfigurationError when an argument of `complete` is wrong. */
export function checkComplete(
  given: { readonly key: string; readonly token: string; readonly retention: number },
  completed: KeyOptions<unknown> = {},
): void {
  checkArguments('complete', keyOptions, completed, passOptions('client, data'));
  checkArguments('complete', completeArguments, given, passId);
}

/** @throws ConfigurationError when an argument of `renew` is wrong. */
export function checkRenew(
  given: { readonly key: string; readonly token: string; readonly lease: number },
  renewed: KeyOptions<unknown> = {},
): void {
  checkArguments('renew', keyOptions, renewed, passOptions('client, data'));
  checkArguments('renew', renewArguments, given, passId);
}

/** @throws ConfigurationError when an argument of `release` is wrong. */
export function checkRelease(
  given: { readonly key: string; readonly token: string },
  released: ReleaseOptions<unknown> = {},
): void {
  checkArguments('release', releaseOptions, released, passOptions('client, data, retention'));
  checkArguments('release', releaseArguments, given, passId);
}

/** @throws ConfigurationError when an argument of `record` is wrong. */
export function checkRecord(
  given: { readonly key: string; readonly retention: number },
  recorded: RecordOptions<unknown>,
): void {
  checkArguments(
    'record',
    recordOptions,
    recorded,
    'pass { client, lease } with the connection of your transaction; lease is optional.',
  );
  checkArguments('record', recordArguments, given, passId);
}

/** @throws ConfigurationError when an argument of `advance` is wrong. */
export function checkAdvance(
  given: { readonly key: string; readonly version: number; readonly data: string },
  advanced: TransactionOptions<unknown> = {},
): void {
  checkArguments('advance', transactionOptions, advanced, passOptions('client'));
  checkArguments('advance', advanceArguments, given, 'pass a key, its version and its data.');
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

const noClient = s.lazily(() => s.absent('nothing, since this store has no transactions'));

/**
 * Refuses a connection passed to a store without transactions. Ignoring it would let the caller assume that effect and
 * record commit together.
 *
 * @throws ConfigurationError when there is a client.
 */
export function checkNoClient(given: TransactionOptions<unknown> | undefined): void {
  checkArguments('client', noClient, given?.client, 'omit the client, or use postgresStore.');
}
