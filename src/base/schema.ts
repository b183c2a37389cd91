import { describeValue, formatPath } from './describe.ts';
import type { Issue } from './errors.ts';
import { explain } from './explain.ts';

/** A rule beside the type, such as a bound. */
export interface Rule<T> {
  /** The rule in words, for an error. */
  readonly expected: string;
  readonly holds: (value: T) => boolean;
  /** Whether the rules after this one make no sense where it is broken. */
  readonly isLast?: boolean;
  /** The rule as JSON Schema has it, for the generated references; absent where it has no such rule. */
  readonly keyword?: Readonly<Record<string, unknown>>;
}

/** What a schema is made of: how its parts are found, for whatever explains or describes it. */
export type Definition =
  | { readonly type: 'string' | 'integer' | 'boolean' | 'unknown' | 'undefined' }
  | { readonly type: 'literal'; readonly value: string }
  | { readonly type: 'prefixed'; readonly prefix: string }
  | { readonly type: 'optional' | 'nullable'; readonly inner: Schema<unknown> }
  | { readonly type: 'array'; readonly element: Schema<unknown> }
  | { readonly type: 'record'; readonly values: Schema<unknown> }
  | {
      readonly type: 'object';
      readonly fields: Readonly<Record<string, Schema<unknown>>>;
      /** What fields that are not named must be. */
      readonly others: Schema<unknown>;
    };

declare const typeOfValue: unique symbol;

/**
 * The shape of a value. A schema only checks: it never changes a value, so what passed is what came, unknown fields included.
 */
export interface Schema<out T> {
  /** There for the compiler only. */
  readonly [typeOfValue]?: T;
  readonly definition: Definition;
  /** The type in words, for an error. */
  readonly expected: string;
  readonly rules: readonly Rule<never>[];
  /** Whether a value conforms but for the rules. */
  readonly isOfType: (value: unknown) => boolean;
  /** Whether a value conforms. It makes nothing, and no code at run time, which Workers and strict pages forbid. */
  readonly accepts: (value: unknown) => boolean;
}

/** The type of what conforms to a schema. */
export type TypeOf<S> = S extends Schema<infer T> ? T : never;

/** The value, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly issues: readonly Issue[] };

/** Checks a value, and gives it with its type. */
export type Check<T> = (value: unknown) => Checked<T>;

/** Whether a value conforms. */
export function conforms<T>(schema: Schema<T>, value: unknown): value is T {
  return schema.accepts(value);
}

/**
 * What is wrong with a value; empty where it conforms.
 *
 * @param sensitive Whether no value is to be repeated, whatever its field is called. Default: by the field's name.
 */
export function findIssues(schema: Schema<unknown>, value: unknown, sensitive?: boolean): readonly Issue[] {
  return explain(schema, value).map(({ path, expected, value: found }) => {
    const at = formatPath(path);
    return { path: at, expected, received: describeValue(found, at, sensitive) };
  });
}

/** The check that a schema makes. */
export function checkBy<T>(schema: Schema<T>): Check<T> {
  return (value) => (conforms(schema, value) ? { value } : { issues: findIssues(schema, value) });
}
