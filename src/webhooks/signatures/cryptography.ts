import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../../base/bytes.ts';
import type { RawBody } from './scheme.ts';

/** The encoding of a signature in a header. */
export type SignatureEncoding = 'hex' | 'base64';

/** Bytes with their own buffer, which Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

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

/** Joins the signed text, for cryptography that accepts no parts. */
export function join(prefix: string, body: RawBody): Bytes {
  return typeof body === 'string' ? utf8ToBytes(prefix + body) : concatBytes(utf8ToBytes(prefix), body);
}

/** Decodes base64. Returns `undefined` for any text but the canonical encoding, so that each signature has one spelling. */
export function decodeBase64(text: string): Bytes | undefined {
  // `atob` accepts white space, missing padding and idle bits. The comparison below refuses them.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = fromBase64(text);
  return toBase64(bytes) === text ? bytes : undefined;
}

/** Encodes bytes for a header. */
export function encode(bytes: Uint8Array, encoding: SignatureEncoding): string {
  return encoding === 'hex' ? bytesToHex(bytes) : toBase64(bytes);
}

/** Decodes bytes from a header; hex in either case. `undefined` for invalid text. */
export function decode(text: string, encoding: SignatureEncoding): Bytes | undefined {
  if (encoding === 'base64') return decodeBase64(text);
  return /^(?:[0-9a-f]{2})*$/i.test(text) ? hexToBytes(text) : undefined;
}

/** Returns an Ed25519 private key in DER from its seed of 32 bytes (RFC 8410). */
export function pkcs8(seed: Uint8Array): Bytes {
  return concatBytes(hexToBytes('302e020100300506032b657004220420'), seed);
}
