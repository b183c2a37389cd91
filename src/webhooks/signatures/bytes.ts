import { toHex } from '../../base/hex.ts';
import type { Encoding } from './prepared-key.ts';
import type { RawBody } from './scheme.ts';

/** Bytes in memory of their own, which Web Crypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Bytes {
  return new Uint8Array(encoder.encode(text));
}

/** All bytes, one after the other. */
export function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** The signed text in one piece, for cryptography that takes no parts. */
export function join(prefix: string, body: RawBody): Bytes {
  return typeof body === 'string' ? utf8(prefix + body) : concat(encoder.encode(prefix), body);
}

/** Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The bytes of base64; `undefined` for any text but the one that encodes them, so that no two texts are one signature. */
export function decodeBase64(text: string): Bytes | undefined {
  // `atob` takes white space, missing padding and idle bits, which the comparison below refuses.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
}

function decodeHex(text: string): Bytes | undefined {
  if (!/^[0-9a-f]*$/i.test(text) || text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (const index of bytes.keys()) bytes[index] = Number.parseInt(text.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}

/** Bytes as they stand in a header. */
export function encode(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'hex' ? toHex(bytes) : encodeBase64(bytes);
}

/** Bytes from a header; hex in either case. `undefined` where they are none. */
export function decode(text: string, encoding: Encoding): Bytes | undefined {
  return encoding === 'hex' ? decodeHex(text) : decodeBase64(text);
}
