import type { Id, RouteName } from 'payments-client';
import type { IdKind } from '../../base/interface-types.ts';
import { rootPath } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import * as s from '../../base/schema.ts';
import { isWebAddress } from '../../base/web-address.ts';
import { describeValue, idPrefixes, type requestSchema } from '../../sdk.ts';
import { noticeIgnored } from './parameter-names.ts';
import { rejected } from './rejected.ts';

/** The parameters of a method of the client. */
export type ParametersOf<Name extends RouteName> = s.TypeOf<ReturnType<typeof requestSchema<Name>>>;

export const text = () => s.filled();

export const openBody = () => s.anyFields();

/**
 * Validates the parameters of a request, and drops unknown ones with a notice.
 *
 * @throws Problem that names the first invalid parameter.
 */
export function readParameters<T>(schema: s.Schema<T>, body: unknown): T {
  const stripped = s.strip(schema, body);
  if ('value' in stripped) {
    noticeIgnored(schema, body, stripped.value);
    return stripped.value;
  }
  const [first] = stripped.issues;
  throw rejected(first ?? { path: rootPath, expected: 'a JSON object', received: 'another value' });
}

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/**
 * Validates the parameters of a method of the client, by the schema of the client. A field of the body, or of an item in one of its
 * lists, may be null, which the client does not send: it means that the field is missing.
 *
 * @throws Problem that names the first invalid parameter.
 */
export function readClientParameters<T>(schema: s.Schema<T>, body: unknown): T {
  const given = withoutNulls(body);
  if (!isRecord(given)) return readParameters(schema, given);
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(withoutNulls) : value,
  ]);
  return readParameters(schema, Object.fromEntries(entries));
}

/**
 * Returns the value of an enumeration that is open for the client, and must be known to the sandbox.
 *
 * @throws Problem for any other value.
 */
export function requireKnown<Value extends string>(
  param: string,
  value: string,
  known: readonly Value[],
): Value {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const expected = known.map((one) => `'${one}'`).join(' or ');
  throw rejected({ path: param, expected, received: describeValue(value, param) });
}

function isIdOf<Kind extends IdKind>(kind: Kind, value: string): value is Id<Kind> {
  return value.startsWith(idPrefixes[kind]);
}

/**
 * Returns an id with the prefix of its kind. It does not check that the object exists.
 *
 * @throws Problem for any other text.
 */
export function requireId<Kind extends IdKind>(param: string, value: string, kind: Kind): Id<Kind> {
  if (isIdOf(kind, value)) return value;
  const expected = `an id that starts with '${idPrefixes[kind]}'`;
  throw rejected({ path: param, expected, received: describeValue(value, param) });
}

/**
 * Returns an address that a browser can be sent to from any page; null if it is missing.
 *
 * @throws Problem for a relative one, or another scheme than http and https.
 */
export function requireWebAddress(param: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (isWebAddress(value)) return value;
  const expected = "an absolute URL, such as 'https://shop.example/thanks'";
  throw rejected({ path: param, expected, received: describeValue(value, param) });
}

/** Returns fields with the given ones in place of theirs. */
export function withGiven<Config extends object>(
  fields: Config,
  given: { readonly [Name in keyof Config]?: Config[Name] | undefined },
): Config {
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
