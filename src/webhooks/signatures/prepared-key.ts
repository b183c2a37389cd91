import type { RawBody } from './scheme.ts';

/** The encoding of a signature in a header. */
export type Encoding = 'hex' | 'base64';

/**
 * A secret prepared once, so that no delivery repeats the work. The signed text is a prefix and the body, kept separate
 * so that the body need not be copied.
 */
export interface PreparedKey {
  /** Returns whether one of the signatures matches the text. Compares in constant time. */
  verify(prefix: string, body: RawBody, signatures: readonly string[]): boolean | Promise<boolean>;
  /** Signs the text. */
  sign(prefix: string, body: RawBody): string | Promise<string>;
}

/** Calls the function immediately for a value, and after settlement for a promise. */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
