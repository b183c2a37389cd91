import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Encrypts the texts of a store. */
export interface Cipher {
  encrypt(text: string): Promise<string>;
  /** Returns `undefined` for a text that was encrypted with another key, or changed. */
  decrypt(encrypted: string): Promise<string | undefined>;
}

/** Stores texts in plain. */
export const noCipher: Cipher = { encrypt: async (text) => text, decrypt: async (text) => text };

const nonceLength = 12;

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Returns whether a text is base64 of 32 bytes. */
export function isEncryptionKey(text: string): boolean {
  return /^[A-Za-z\d+/]{43}=$/.test(text);
}

/** Encrypts with AES-256-GCM, with a new nonce for each text. */
export function aesCipher(key: string): Cipher {
  const imported = crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    async encrypt(text) {
      const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
      const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await imported, utf8ToBytes(text));
      return `${toBase64(iv)}.${toBase64(new Uint8Array(bytes))}`;
    },
    async decrypt(encrypted) {
      const [iv = '', bytes = ''] = encrypted.split('.');
      try {
        const opened = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: fromBase64(iv) },
          await imported,
          fromBase64(bytes),
        );
        return new TextDecoder().decode(opened);
      } catch {
        return undefined;
      }
    },
  };
}
