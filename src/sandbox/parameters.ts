import { type IdKind, idPrefixes } from '../resources/ids.ts';
import * as s from '../resources/shapes.ts';
import { invalidParameter } from './problem.ts';

/** A string that is not empty. */
export const text = () => {
  const expected = 'a non-empty string';
  return s.withRules(s.string(expected), s.filled(expected));
};

/** A parameter that may be left out or null. */
export const optional = <T>(schema: s.Schema<T>) => s.optional(s.nullable(schema));

/** An integer from `min`. */
export const integerFrom = (min: number) => {
  const expected = `an integer from ${min}`;
  return s.withRules(s.integer(expected), s.minimum(min, expected));
};

/** A currency, in either case. Responses carry it in upper case. */
export const currency = () => {
  const expected = 'a 3-letter currency code';
  return s.withRules(s.string(expected), s.pattern(/^[A-Za-z]{3}$/, expected));
};

/** An id of one kind. Whether there is such an object is another question. */
export const idOf = <Kind extends IdKind>(kind: Kind) => {
  const prefix = idPrefixes[kind];
  return s.prefixed(prefix, `an id that starts with '${prefix}'`);
};

/** One of these texts. */
export function oneOf<const Text extends string>(texts: readonly Text[], expected: string): s.Schema<Text> {
  const isOne = (text: string) => texts.some((one) => one === text);
  // The rule leaves no other text.
  return s.withRules(s.string(expected), { expected, holds: isOne }) as s.Schema<Text>;
}

/** A text or a number. */
export function textOrNumber(expected: string): s.Schema<string | number> {
  const holds = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  // The rule leaves nothing else.
  return s.withRules(s.unknown(), { expected, holds }) as s.Schema<string | number>;
}

/** A list with at least one item. */
export const several = <T>(schema: s.Schema<T>, expected: string) =>
  s.withRules(s.array(schema), { ...s.notEmpty, expected });

/** True or false. */
export const flag = s.boolean;

/** Any JSON object. */
export const openBody = () => s.record(s.unknown());

/** String keys to string values. */
export const metadata = () => optional(s.record(s.string()));

/** An object whose fields are not known. */
export const anyObject = () => optional(s.record(s.unknown()));

/** A value with the fields that its schema names. The service leaves out the others. */
function named({ definition }: s.Schema<unknown>, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if ('inner' in definition) return named(definition.inner, value);
  if (definition.type === 'array' && Array.isArray(value)) {
    return value.map((item) => named(definition.element, item));
  }
  if (definition.type !== 'object') return value;
  const fields = Object.entries(definition.fields).filter(([name]) => Object.hasOwn(Object(value), name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, named(field, Reflect.get(Object(value), name))]),
  );
}

/**
 * The parameters of a request, once they are known to be right. Unknown ones are left out.
 *
 * @throws Problem that names the first parameter which is wrong.
 */
export function readParameters<T>(schema: s.Schema<T>, body: unknown): T {
  const [issue] = s.findIssues(schema, body);
  // What conforms still does when fields that the schema does not name are gone.
  if (issue === undefined) return named(schema, body) as T;
  const [path, expected] = issue.path === '(root)' ? ['body', 'a JSON object'] : [issue.path, issue.expected];
  throw invalidParameter(path, `${path}: expected ${expected}.`);
}
