import { refuse } from '../../base/errors.ts';
import type { Bytes, SignatureEncoding } from './bytes.ts';
import type { RawBody } from './scheme.ts';

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

/** Prepares keys by the cryptography of a runtime. */
export interface Cryptography {
  /** HMAC-SHA256. */
  hmac(secret: Bytes, encoding: SignatureEncoding): PreparedKey;
  /** Returns an Ed25519 key pair from its seed of 32 bytes. */
  ed25519(seed: Bytes): PreparedKey;
  /** Returns a verifier for an Ed25519 public key. */
  ed25519Verifier(publicKey: Bytes): PreparedKey['verify'];
}

/** @throws ConfigurationError always. Does not quote the secret. */
export function refuseSecret(problem: string, expected = 'a signing secret'): never {
  return refuse([{ path: 'secret', expected, received: problem }], 'Nothing was verified or signed.');
}

/** Enough for every endpoint of a large platform; more secrets only cost time. */
const maxKeys = 256;

/**
 * Returns what a scheme does with secrets: check one, and prepare its key once. Clears the keys above 256 secrets, so that
 * rotation does not grow the process.
 *
 * @param read Returns the content of a secret, or a description of its problem without quoting it.
 */
export function preparedKeys<Content extends object, Key>(
  read: (secret: string) => Content | string,
  prepare: (content: Content) => Key,
) {
  const keys = new Map<string, Key>();
  return {
    checkSecret(secret: string): string | undefined {
      const content = read(secret);
      return typeof content === 'string' ? content : undefined;
    },
    keyFor(secret: string): Key {
      const known = keys.get(secret);
      if (known !== undefined) return known;
      const content = read(secret);
      if (typeof content === 'string') return refuseSecret(content);
      const key = prepare(content);
      if (keys.size >= maxKeys) keys.clear();
      keys.set(secret, key);
      return key;
    },
  };
}

/** Calls the function immediately for a value, and after settlement for a promise. */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
