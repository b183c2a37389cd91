import { bytesToHex } from '@noble/hashes/utils.js';
import type { SecretEncoding } from '../base/interface-types.ts';
import type { State } from '../domain/state.ts';

/** Returns 32 hexadecimal digits from a secure random source. */
export function randomText(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** Returns a random text as a signing secret in an encoding. */
export function encodeSecret(text: string, encoding: SecretEncoding): string {
  switch (encoding) {
    case 'hex':
      return bytesToHex(new TextEncoder().encode(text));
    case 'base64':
      return text;
    default:
      // Standard Webhooks reads base64 after this prefix; other schemes take all of it as text.
      return `whsec_${text}`;
  }
}

/** Returns a new signing secret. It is random even with a seed: a known secret would let anyone sign a delivery. */
export function newSecret({ settings }: State): string {
  return encodeSecret(randomText(), settings.secretEncoding);
}
