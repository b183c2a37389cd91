import type { Issue } from '../errors.ts';
import { formatPath, rootPath } from '../issue.ts';
import type { Checked } from './validation.ts';

/** One problem that a user's schema reports; its path consists of keys, or of objects that contain a key. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A schema of any library that follows Standard Schema, such as zod, valibot or arktype. It must be synchronous. */
export interface StandardSchema<T> {
  /** The part that the libraries share. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    /** The input and output types, for the compiler only. */
    readonly types?:
      | {
          /** The input type. */
          readonly input: unknown;
          /** The output type. */
          readonly output: T;
        }
      | undefined;
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

/** Runs the schema. One that throws must not hide that a call took effect. */
function validate<T>(schema: StandardSchema<T>, value: unknown) {
  try {
    return schema['~standard'].validate(value);
  } catch {
    return { issues: [{ message: 'it threw' }] };
  }
}

export function checkByStandard<T>(schema: StandardSchema<T>, value: unknown): Checked<T> {
  const result = validate(schema, value);
  if (result instanceof Promise) {
    const received = 'one that returns a promise';
    return { issues: [{ path: rootPath, expected: 'a synchronous schema', received }] };
  }
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(toIssue) };
}
