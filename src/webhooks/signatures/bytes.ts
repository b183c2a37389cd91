import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../../base/base64.ts';
import type { Encoding } from './prepared-key.ts';
import type { RawBody } from './scheme.ts';

/** Bytes with their own buffer, which Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Returns the UTF-8 bytes of a text. */
export function utf8(text: string): Bytes {
  return new Uint8Array(encoder.encode(text));
}

/** Concatenates bytes. */
export function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Joins the signed text, for cryptography that accepts no parts. */
export function join(prefix: string, body: RawBody): Bytes {
  return typeof body === 'string' ? utf8(prefix + body) : concat(encoder.encode(prefix), body);
}

/** Decodes base64. Returns `undefined` for any text but the canonical encoding, so that each signature has one spelling. */
export function decodeBase64(text: string): Bytes | undefined {
  // `atob` accepts white space, missing padding and idle bits. The comparison below refuses them.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = fromBase64(text);
  return toBase64(bytes) === text ? bytes : undefined;
}

function decodeHex(text: string): Bytes | undefined {
  return /^(?:[0-9a-f]{2})*$/i.test(text) ? hexToBytes(text) : undefined;
}

/** Encodes bytes for a header. */
export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'hex' ? bytesToHex(bytes) : toBase64(bytes);
}

/** Decodes bytes from a header; hex in either case. `undefined` for invalid text. */
export function decode(text: string, encoding: Encoding): Bytes | undefined {
  return encoding === 'hex' ? decodeHex(text) : decodeBase64(text);
}
