import { rootPath } from '../../../base/describe.ts';
import * as s from '../../../base/schema.ts';
import { strip } from '../../../base/validation.ts';
import { type IdKind, idPrefixes } from '../../../resources/ids.ts';
import { invalidParameter } from '../../domain/problem.ts';
import { noticeIgnored } from './ignored-parameters.ts';

/** A string that is not empty. */
export const text = () => s.filled();

/** A parameter that may be missing or null. */
export const optional = <Inner extends s.Schema<unknown>>(schema: Inner) => s.optional(s.nullable(schema));

/** An integer from `min`. */
export const integerFrom = (min: number) => {
  const expected = `an integer from ${min}`;
  return s.integer(expected).check(s.minimum(min, expected));
};

/** A currency in upper or lower case. Responses have upper case. */
export const currency = () => {
  const expected = 'a 3-letter currency code';
  return s.string(expected).check(s.regex(/^[A-Za-z]{3}$/, expected));
};

/** An id of one kind. It does not check that the object exists. */
export const idOf = <Kind extends IdKind>(kind: Kind) => {
  const prefix = idPrefixes[kind];
  return s.prefixed(prefix, `an id that starts with '${prefix}'`);
};

/** One of these texts. */
export const oneOf = <const Text extends string>(texts: readonly Text[], expected: string) =>
  s.literal(texts, expected);

/** A text or a number. */
export const textOrNumber = (expected: string) => s.union([s.string(), s.number()], expected);

/** A list with at least one item. */
export const several = <Item extends s.Schema<unknown>>(schema: Item, expected: string) =>
  s.array(schema).check(s.notEmpty(expected));

/** True or false. */
export const flag = s.boolean;

/** Any JSON object. */
export const openBody = () => s.record(s.unknown());

/** String keys to string values. */
export const metadata = () => optional(s.record(s.string()));

/** An object with unknown fields. */
export const anyObject = () => optional(s.record(s.unknown()));

/**
 * Validates the parameters of a request, and drops unknown ones with a notice.
 *
 * @throws Problem that names the first invalid parameter.
 */
export function readParameters<T>(schema: s.Schema<T>, body: unknown): T {
  const stripped = strip(schema, body);
  if ('value' in stripped) {
    noticeIgnored(schema, body, stripped.value);
    return stripped.value;
  }
  const [issue] = stripped.issues;
  const [path, expected] =
    issue === undefined || issue.path === rootPath ? ['body', 'a JSON object'] : [issue.path, issue.expected];
  throw invalidParameter(path, `${path}: expected ${expected}.`);
}
