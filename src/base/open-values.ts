import { type Schema, string } from './schema.ts';

/**
 * A value that this version of the SDK does not know: the string that the service sent, or one that `unlisted` made. It is a `string`
 * wherever you use it; next to known values, the compiler tells it apart.
 */
// An enum, because the compiler distinguishes it from every known value and still treats it as a string. It does not exist at run time.
export declare enum UnlistedValue {
  /** Stands for any such value. No value is this text. */
  any = '(a value that this version does not know)',
}

/**
 * One of these values, or one that the service adds later: a new value never breaks your program. A misspelt value does not
 * compile, neither as a parameter nor in a comparison. Use `unlisted` for a value that the SDK does not know yet.
 */
export type OrUnlisted<Known extends string> = Known | UnlistedValue;

/**
 * Makes a value compile that the service knows and this version of the SDK does not, as a parameter or in a comparison.
 *
 * @example
 * if (intent.status === unlisted('requires_review')) await hold(order);
 */
export function unlisted(value: string): UnlistedValue {
  return value as UnlistedValue;
}

/** The schema of an open enumeration: any string passes, so that a new value is no error. */
export function openEnum<Value extends string>(
  schema: Schema<string> = string(),
): Schema<Value | UnlistedValue> {
  // The compiler has no type of all strings but the misspelt ones.
  return schema as Schema<Value | UnlistedValue>;
}
