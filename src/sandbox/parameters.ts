import * as z from 'zod/mini';
import { type IdKind, idPrefixes } from '../resources/ids.ts';
import { invalidParameter } from './problem.ts';

/** A string that is not empty. */
export const text = () => {
  const message = 'expected a non-empty string';
  return z.string(message).check(z.minLength(1, message));
};

/** A parameter that may be left out or null. */
export const optional = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** An integer from `min`. */
export const integerFrom = (min: number) => {
  const message = `expected an integer from ${min}`;
  return z.int(message).check(z.minimum(min, message));
};

/** A currency, in either case, as responses carry it. */
export const currency = () =>
  z.pipe(
    z
      .string('expected a 3-letter currency code')
      .check(z.regex(/^[A-Za-z]{3}$/, 'expected a 3-letter currency code')),
    z.transform((code: string) => code.toUpperCase()),
  );

/** An id of one kind. Whether there is such an object is another question. */
export const idOf = <Kind extends IdKind>(kind: Kind) => {
  const prefix = idPrefixes[kind];
  return z.templateLiteral([prefix, z.string()], `expected an id that starts with '${prefix}'`);
};

/** True or false. */
export const flag = () => z.boolean('expected true or false');

/** Any JSON object. */
export const openBody = () => z.record(z.string(), z.unknown(), 'expected a JSON object');

/** String keys to string values. */
export const metadata = () =>
  optional(z.record(z.string(), z.string('expected a string'), 'expected an object of strings'));

/** An object whose fields are not known. */
export const anyObject = () => optional(z.record(z.string(), z.unknown(), 'expected an object'));

/** A path as messages write it, for example `line_items[0].amount`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/**
 * The parameters of a request, once they are known to be right. Unknown ones are left out.
 *
 * @throws Problem that names the first parameter which is wrong.
 */
export function readParameters<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = formatPath(issue?.path ?? []) || 'body';
  throw invalidParameter(path, `${path}: ${issue?.message ?? 'not valid'}.`);
}
