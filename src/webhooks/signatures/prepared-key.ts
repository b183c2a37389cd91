import type { RawBody } from './scheme.ts';

/** How a signature is written in a header. */
export type Encoding = 'hex' | 'base64';

/**
 * A secret made ready, so that no delivery pays for it again. The signed text is a prefix and the body, apart from each
 * other, so that the body need not be copied.
 */
export interface PreparedKey {
  /** Whether one of the signatures is that of the text. Compares in constant time. */
  verify(prefix: string, body: RawBody, signatures: readonly string[]): boolean | Promise<boolean>;
  /** The signature of the text. */
  sign(prefix: string, body: RawBody): string | Promise<string>;
}

/** Goes on with a value at once, and with a promise when it is settled. */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
