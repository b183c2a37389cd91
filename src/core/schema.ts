import type * as z from 'zod/mini';
import { surelyConforms } from './conforms.ts';
import { describeValue, formatPath } from './describe.ts';
import type { Issue } from './errors.ts';

/**
 * The shape of a value. Schemas here only check: they never change a value, so what passed is what came, unknown
 * fields included.
 */
export type Schema<T> = z.ZodMiniType<T>;

/** The value, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Checks a value, and gives it with its type. */
export type Check<T> = (value: unknown) => Checked<T>;

type ZodIssue = z.core.$ZodIssue;

/** zod/mini's text for an issue whose schema gave none of its own. */
const noMessage = 'Invalid input';

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The bounds of a size or a number, such as `at least 1 character`. */
function describeBound(word: 'at least' | 'at most', bound: number | bigint, origin: string): string {
  if (origin === 'string') return `${word} ${bound} character${bound === 1 ? '' : 's'}`;
  if (origin === 'array') return `${word} ${bound} item${bound === 1 ? '' : 's'}`;
  return `a number of ${word} ${bound}`;
}

function describeExpected(issue: ZodIssue): string {
  if (issue.message !== noMessage) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'too_small':
      return describeBound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return describeBound('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      return issue.values.map((value) => `'${String(value)}'`).join(' or ');
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(describeExpected))].join(' or ');
    default:
      return `a valid value (${issue.code})`;
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

function toIssue(root: unknown, issue: ZodIssue, sensitive?: boolean): Issue {
  const path = formatPath(issue.path);
  return {
    path,
    expected: describeExpected(issue),
    received: describeValue(valueAt(root, issue.path), path, sensitive),
  };
}

/**
 * The check that a schema makes.
 *
 * @param sensitive Whether no value is to be repeated, whatever its field is called. Default: by the field's name.
 */
export function checkBy<T>(schema: Schema<T>, sensitive?: boolean): Check<T> {
  return (value) => {
    if (surelyConforms(schema, value)) return { value };
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data };
    return { issues: result.error.issues.map((issue) => toIssue(value, issue, sensitive)) };
  };
}

/** What is wrong with a value; empty where it conforms. */
export function findIssues(schema: Schema<unknown>, value: unknown, sensitive?: boolean): readonly Issue[] {
  const checked = checkBy(schema, sensitive)(value);
  return 'issues' in checked ? checked.issues : [];
}
