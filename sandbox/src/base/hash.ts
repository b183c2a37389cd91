import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of a text in UTF-8, or of bytes, in 64 hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

/** Hashes a text: without the secret, nobody can compute or reverse the hash. */
export type KeyedHash = (text: string) => string;

/** HMAC-SHA-256 in hexadecimal digits. Without a key, all card numbers could be hashed and compared. */
export function keyedHash(secret: string): KeyedHash {
  const keyed = hmac.create(sha256, utf8ToBytes(secret));
  return (text) => bytesToHex(keyed.clone().update(utf8ToBytes(text)).digest());
}
