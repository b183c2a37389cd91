import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, sha256Hex, toBase64 } from '../base/bytes.ts';
import type { Seal } from './record.ts';

/** Protects the texts of a store. */
export interface Cipher {
  /** @param context What the text belongs to: it can be decrypted only with the same context. */
  encrypt(text: string, context: string): Promise<string>;
  /** Returns `undefined` for a text that was encrypted with another key or another context, or changed. */
  decrypt(encrypted: string, context: string): Promise<string | undefined>;
  readonly seal: Seal;
}

/** Stores texts in plain. Anybody can make its seal, so it finds damage, and no forgery. */
export const noCipher: Cipher = {
  encrypt: async (text) => text,
  decrypt: async (text) => text,
  seal: sha256Hex,
};

const nonceLength = 12;

/** Returns whether a text is base64 of 32 bytes. */
export function isEncryptionKey(text: string): boolean {
  return /^[A-Za-z\d+/]{43}=$/.test(text);
}

/** Encrypts with AES-256-GCM, with a new nonce for each text. Seals with HMAC-SHA-256, by a key of its own. */
export function aesCipher(key: string): Cipher {
  const bytesOfKey = fromBase64(key);
  const imported = crypto.subtle.importKey('raw', bytesOfKey, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const sealKey = hmac(sha256, bytesOfKey, utf8ToBytes('payments-client: the seal of a journal'));
  const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: utf8ToBytes(context),
  });
  return {
    async encrypt(text, context) {
      const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
      const bytes = await crypto.subtle.encrypt(algorithm(iv, context), await imported, utf8ToBytes(text));
      return `${toBase64(iv)}.${toBase64(new Uint8Array(bytes))}`;
    },
    async decrypt(encrypted, context) {
      const [iv = '', bytes = ''] = encrypted.split('.');
      try {
        const opened = await crypto.subtle.decrypt(
          algorithm(fromBase64(iv), context),
          await imported,
          fromBase64(bytes),
        );
        return new TextDecoder().decode(opened);
      } catch {
        return undefined;
      }
    },
    seal: (text) => bytesToHex(hmac(sha256, sealKey, utf8ToBytes(text))),
  };
}
