/** How the store has records: as JSON with a seal, in which parameters and results may be encrypted. */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, sha256Hex, toBase64 } from '../base/bytes.ts';
import { parseJson } from '../base/json.ts';
import { conforms } from '../base/schema/validation.ts';
import { type OperationRecord, recordSchema } from './record.ts';

/** Protects the texts of a store. */
interface Cipher {
  /** @param context What the text belongs to: it can be decrypted only with the same context. */
  encrypt(text: string, context: string): Promise<string>;
  /** Returns `undefined` for a text that was encrypted with another key or another context, or changed. */
  decrypt(encrypted: string, context: string): Promise<string | undefined>;
  /** Returns a hash that only an unchanged text has. */
  seal(text: string): string;
}

/** Stores texts in plain. Anybody can make its seal, so it finds damage, and no forgery. */
const noCipher: Cipher = {
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
function aesCipher(key: string): Cipher {
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

/** What a row of the store holds. */
export interface Row {
  /** `undefined` if there is none, or it cannot be read. */
  readonly record: OperationRecord | undefined;
  /** Whether it is not what a journal with this `encryptionKey` wrote under this key. It must not be acted on. */
  readonly isDamaged: boolean;
}

/** The row of a key that the store does not know, or that has no data. */
export const noRow: Row = { record: undefined, isDamaged: false };

/** Returns what the encryption of a record's texts is bound to. */
function contextOf(key: string, { origin, method, path }: Place): string {
  return JSON.stringify([key, origin, method, path]);
}

/** Where a request goes. */
type Place = Pick<OperationRecord, 'origin' | 'method' | 'path'>;

/** Writes and reads the texts of the store. Each ends with a seal over its key and everything before it. */
export class RecordFormat {
  readonly #cipher: Cipher;

  /** @param encryptionKey Base64 of 32 bytes. Default: nothing is encrypted. */
  constructor(encryptionKey: string | undefined) {
    this.#cipher = encryptionKey === undefined ? noCipher : aesCipher(encryptionKey);
  }

  /** Returns the text for the store. */
  encode(key: string, record: OperationRecord): string {
    const json = JSON.stringify(record);
    return `${json.slice(0, -1)},"seal":"${this.#sealOf(key, json)}"}`;
  }

  /** Returns the text of a closed record. Drops a result that is too long for a store. */
  encodeEnd(key: string, record: OperationRecord): string {
    const text = this.encode(key, record);
    return text.length <= maxLength ? text : this.encode(key, { ...record, result: undefined });
  }

  /** Reads the text of a key. A text of another version is damaged too. */
  decode(key: string, text: string | undefined): Row {
    if (text === undefined) return noRow;
    const [, start = '', seal] = sealedPattern.exec(text) ?? [];
    const json = `${start}}`;
    const value = parseJson(json);
    const record = conforms(recordSchema, value) ? value : undefined;
    return { record, isDamaged: record === undefined || seal !== this.#sealOf(key, json) };
  }

  /** Encrypts a text for one record, if there is a key. */
  encrypt(key: string, place: Place, text: string): Promise<string> {
    return this.#cipher.encrypt(text, contextOf(key, place));
  }

  /** Decrypts a text of a record; `undefined` if it has none, or one that was encrypted with another key or for another record. */
  async decrypt(key: string, place: Place, kept: string | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.#cipher.decrypt(kept, contextOf(key, place));
  }

  #sealOf(key: string, json: string): string {
    return this.#cipher.seal(`${key}\n${json}`);
  }
}

const sealedPattern = /^(.*),"seal":"([\da-f]{64})"\}$/s;

/** The longest record, below the limit of every store. */
const maxLength = 900_000;
