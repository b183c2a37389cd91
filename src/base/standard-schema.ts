import { formatPath, rootPath } from './describe.ts';
import type { Issue } from './errors.ts';
import type { Checked } from './validation.ts';

/** One step of a path. */
export interface StandardPathSegment {
  /** The name of a field, or the index of an item. */
  readonly key: PropertyKey;
}

/** One problem that a user's schema reports. */
export interface StandardIssue {
  /** The issue in words. */
  readonly message: string;
  /** The path of the problem, as keys or as objects that contain a key; absent for the whole value. */
  readonly path?: readonly (PropertyKey | StandardPathSegment)[] | undefined;
}

/** The input and output types of a schema, for the compiler only. */
export interface StandardTypes<T> {
  /** The input type. */
  readonly input: unknown;
  /** The output type. */
  readonly output: T;
}

/** The result of a user's schema. */
export type StandardResult<T> = StandardSuccess<T> | StandardFailure;

/** A value that conforms. */
export interface StandardSuccess<T> {
  /** The schema's output. */
  readonly value: T;
  /** Absent if the value conforms. */
  readonly issues?: undefined;
}

/** A value that does not conform. */
export interface StandardFailure {
  /** The issues of the value. */
  readonly issues: readonly StandardIssue[];
}

/** A schema of any library that follows Standard Schema, such as zod, valibot or arktype. It must be synchronous. */
export interface StandardSchema<T> {
  /** The part that the libraries share. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    /** The input and output types. */
    readonly types?: StandardTypes<T> | undefined;
  };
}

function toIssue({ message, path = [] }: StandardIssue): Issue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return {
    path: formatPath(keys),
    expected: 'a value that your schema accepts',
    received: `a refusal: ${message}`,
  };
}

function refuse(expected: string, received: string): Checked<never> {
  return { issues: [{ path: rootPath, expected, received }] };
}

/** Runs the schema. One that throws must not hide that a call took effect. */
function validate<T>(schema: StandardSchema<T>, value: unknown) {
  try {
    return schema['~standard'].validate(value);
  } catch {
    return { issues: [{ message: 'it threw' }] };
  }
}

/** Checks a value by a user's schema, and returns the schema's output. */
export function checkByStandard<T>(schema: StandardSchema<T>, value: unknown): Checked<T> {
  const result = validate(schema, value);
  if (result instanceof Promise) return refuse('a synchronous schema', 'one that returns a promise');
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(toIssue) };
}
