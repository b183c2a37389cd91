import { isRecord } from '../base/json.ts';
import { maxTimer } from '../base/numbers.ts';
import {
  checkOptions,
  type FieldsOf,
  integerFrom,
  optionsOf,
  timeFrom,
  unchecked,
} from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import type {
  ClaimOptions,
  DocumentIndex,
  DueQuery,
  KeyedOptions,
  OpenQuery,
  RecordOptions,
  ReleaseOptions,
  ScanQuery,
  TransactionOptions,
} from './store.ts';

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

function textWith(isRight: (text: string) => boolean, expected: string) {
  return storableText(expected).check(s.refine(isRight, expected));
}

const isKey = ({ length }: string) => length >= 1 && length <= maxTextLength;
const key = /* @__PURE__ */ s.lazily(() =>
  textWith(isKey, `1 to ${maxTextLength} characters of ${storable}`),
);
const isSpace = (text: string) => text.length <= maxTextLength && !text.includes('/');
const space = /* @__PURE__ */ s.lazily(() =>
  textWith(isSpace, `at most ${maxTextLength} characters of ${storable} or /`),
);
const duration = /* @__PURE__ */ s.lazily(() => timeFrom(1, maxDuration));

/** In bytes of UTF-8. A webhook delivery of 1 MiB fits, escaped as JSON. */
const maxDataLength = 4 * 1024 * 1024;

function isDataLength(text: string): boolean {
  // A code unit takes at most 3 bytes, so most texts need no encoding.
  if (text.length * 3 <= maxDataLength) return true;
  return text.length <= maxDataLength && new TextEncoder().encode(text).length <= maxDataLength;
}

const data = /* @__PURE__ */ s.lazily(() => textWith(isDataLength, `${storable}, at most 4 MiB in UTF-8`));

/** Each store with transactions checks the client itself. */
const transactionFields = () => ({ client: unchecked<unknown>() });
const keyFields = () => ({ ...transactionFields(), data: s.optional(data) });

/** How many references one call may add to a document. */
const maxReferences = 100;
const references = /* @__PURE__ */ s.lazily(() => {
  const expected = `at most ${maxReferences} references`;
  return s.array(key).check(s.refine((all) => all.length <= maxReferences, expected));
});
const wakeTime = /* @__PURE__ */ s.lazily(() => timeFrom(Number.MIN_SAFE_INTEGER));
const documentIndex = /* @__PURE__ */ optionsOf<DocumentIndex>(() => ({
  references: s.optional(references),
  wakeAt: s.nullable(wakeTime),
}));

const recordFields = () => ({ ...transactionFields(), lease: s.optional(timeFrom(1, maxTimer)) });

/** The schemas of a method's arguments and of its options, and what to do about a wrong argument. */
function methodOf<Options>(
  fields: () => Parameters<typeof s.object>[0],
  options: () => FieldsOf<Options>,
  advice = 'pass the id of the event as the key.',
) {
  return {
    given: s.lazily(() => s.object(fields())),
    options: s.lazily(() => s.optional(optionsOf<Options>(options))),
    advice,
  };
}

const methods = {
  claim: /* @__PURE__ */ methodOf<ClaimOptions<unknown>>(
    () => ({ key, lease: duration }),
    () => ({ ...keyFields(), token: s.optional(key), takeOver: s.optional(s.boolean()) }),
  ),
  renew: /* @__PURE__ */ methodOf<KeyedOptions<unknown>>(
    () => ({ key, token: key, lease: duration }),
    keyFields,
  ),
  complete: /* @__PURE__ */ methodOf<KeyedOptions<unknown>>(
    () => ({ key, token: key, retention: duration }),
    keyFields,
  ),
  release: /* @__PURE__ */ methodOf<ReleaseOptions<unknown>>(
    () => ({ key, token: key }),
    () => ({ ...keyFields(), retention: s.optional(duration) }),
  ),
  find: /* @__PURE__ */ methodOf<TransactionOptions<unknown>>(() => ({ key }), transactionFields),
  replace: /* @__PURE__ */ methodOf<Record<never, never>>(
    () => ({ key, data, replacement: data }),
    () => ({}),
    'pass a key, its data and new data.',
  ),
  advance: /* @__PURE__ */ methodOf<TransactionOptions<unknown>>(
    () => ({ key, version: integerFrom(Number.MIN_SAFE_INTEGER), data }),
    transactionFields,
    'pass a key, its version and its data.',
  ),
  load: /* @__PURE__ */ methodOf<Record<never, never>>(
    () => ({ key }),
    () => ({}),
    'pass the key of a document.',
  ),
  save: /* @__PURE__ */ methodOf<Record<never, never>>(
    () => ({ key, version: integerFrom(0), data, index: documentIndex }),
    () => ({}),
    'pass a key, the version that load returned or 0, the data, and { references, wakeAt }.',
  ),
  lookUp: /* @__PURE__ */ methodOf<Record<never, never>>(
    () => ({ reference: key }),
    () => ({}),
    'pass a reference of a document.',
  ),
  record: /* @__PURE__ */ (() => ({
    ...methodOf<RecordOptions<unknown>>(() => ({ key, retention: duration }), recordFields),
    options: optionsOf<RecordOptions<unknown>>(recordFields),
  }))(),
};

/**
 * Checks the arguments of a method, and its options.
 *
 * @throws ConfigurationError when one is wrong.
 */
export function checkCall(
  method: keyof typeof methods,
  given: Readonly<Record<string, unknown>>,
  options: unknown,
): void {
  const { options: optionsSchema, given: schema, advice } = methods[method];
  const nothing = 'Nothing was recorded:';
  checkOptions(method, optionsSchema, options, `${nothing} correct the options.`);
  checkOptions(method, schema, given, `${nothing} ${advice}`);
}

const noClient = /* @__PURE__ */ s.lazily(() => s.absent('nothing, since this store has no transactions'));

/**
 * Refuses a connection passed to a store without transactions. Ignoring it would let the caller assume that effect and
 * record commit together.
 *
 * @throws ConfigurationError when there is a client.
 */
export function refuseClient(_method: string, client: unknown): void {
  const advice = 'Nothing was recorded: omit the client, or use postgresStore.';
  checkOptions('client', noClient, client, advice);
}

const pageQuery = /* @__PURE__ */ optionsOf<Extract<OpenQuery, { space: string }>>(() => ({
  space,
  after: s.optional(s.object({ since: integerFrom(Number.MIN_SAFE_INTEGER), key })),
  limit: integerFrom(1, 1000),
  counts: s.optional(s.boolean()),
}));
const keyQuery = /* @__PURE__ */ optionsOf<Extract<OpenQuery, { key: string }>>(() => ({ key }));

/** @throws ConfigurationError when an argument of `open` is wrong. */
export function checkOpen(query: OpenQuery): void {
  const schema = isRecord(query) && 'key' in query ? keyQuery : pageQuery;
  const advice =
    'Pass { space, after, limit, counts }, where after is the last claim of the previous page, or { key }.';
  checkOptions<OpenQuery>('open', schema, query, advice);
}

const scanQuery = /* @__PURE__ */ optionsOf<ScanQuery>(() => ({
  space,
  after: s.optional(key),
  limit: integerFrom(1, 1000),
}));

/** @throws ConfigurationError when an argument of `scan` is wrong. */
export function checkScan(query: ScanQuery): void {
  checkOptions('scan', scanQuery, query, 'Pass { space, after: page.next, limit }.');
}

const dueQuery = /* @__PURE__ */ optionsOf<DueQuery>(() => ({
  space,
  until: wakeTime,
  after: s.optional(s.object({ wakeAt: wakeTime, key })),
  limit: integerFrom(1, 1000),
}));

/** @throws ConfigurationError when an argument of `due` is wrong. */
export function checkDue(query: DueQuery): void {
  const advice =
    'Pass { space, until, after, limit }, where after is the last document of the previous page.';
  checkOptions('due', dueQuery, query, advice);
}

/** The option of a store that asks a server. */
export type TimeoutOptions = {
  /**
   * How long one call may take, in ms, from 1 to 5000. After that it rejects with a `PaymentsError` with the code
   * `STORE_TIMEOUT`, and may still take effect. Default: 3000.
   */
  readonly timeout?: number | undefined;
};

export const timeoutFields = () => ({ timeout: s.optional(timeFrom(1, 5000)) });

/** The default of `timeout`. */
export const defaultTimeout = 3000;
