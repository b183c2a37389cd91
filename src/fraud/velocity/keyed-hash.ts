import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { refuse, refuseValue } from '../../base/errors.ts';

/** Hashes a text: without the secret, nobody can compute or reverse the hash. */
export type KeyedHash = (text: string) => string;

const minBytes = 16;
const advice = 'Create one with openssl rand -hex 32, and give it to each process.';

/**
 * HMAC-SHA-256 in hexadecimal digits. Without a key, all existing card numbers could be hashed and compared. Web Crypto
 * would take three times as long for such short texts.
 *
 * @throws ConfigurationError for a secret that is neither text nor bytes, or too short.
 */
export function keyedHash(path: string, secret: unknown): KeyedHash {
  const keyed = hmac.create(sha256, secretBytes(path, secret));
  return (text) => bytesToHex(keyed.clone().update(utf8ToBytes(text)).digest());
}

function secretBytes(path: string, secret: unknown): Uint8Array {
  const expected = `a secret of at least ${minBytes} bytes`;
  if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) {
    return refuseValue(path, expected, secret, advice);
  }
  const bytes = typeof secret === 'string' ? utf8ToBytes(secret) : secret;
  if (bytes.length < minBytes) refuse([{ path, expected, received: `one of ${bytes.length}` }], advice);
  return bytes;
}
