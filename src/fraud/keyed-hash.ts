import { toHex } from '../base/hex.ts';
import { problem, refuseType } from './refuse.ts';

/** Makes a text that nobody without the secret can make, or turn back. */
export type KeyedHash = (text: string) => Promise<string>;

const minBytes = 16;

/**
 * HMAC-SHA-256 in hexadecimal digits. Without a key, the few card numbers that exist could all be hashed and compared.
 *
 * @throws TypeError for a secret that is neither text nor bytes.
 * @throws RangeError for one that is too short.
 */
export function keyedHash(path: string, secret: unknown): KeyedHash {
  const key = lazily(importer(secretBytes(path, secret)));
  return async (text) => {
    const signature = await crypto.subtle.sign('HMAC', await key(), new TextEncoder().encode(text));
    return toHex(new Uint8Array(signature));
  };
}

function importer(bytes: Uint8Array<ArrayBuffer>) {
  return () => crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Some runtimes allow no work while a program loads, so the key is made when it is first needed. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function secretBytes(path: string, secret: unknown): Uint8Array<ArrayBuffer> {
  const expected = `a secret of at least ${minBytes} bytes`;
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) {
    return refuseType(path, expected, secret);
  }
  // Bytes are copied, so that wiping the caller's array later does not change the key.
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : Uint8Array.from(secret);
  if (bytes.length >= minBytes) return bytes;
  throw new RangeError(problem(path, expected, `one of ${bytes.length}`));
}
