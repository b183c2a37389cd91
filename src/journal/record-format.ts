/**
 * How the store has records: as JSON with a seal, in which parameters and results may be encrypted. All texts of a record are written with
 * one member of a ring: a key, or `plain`. Neither keys nor digests of the store depend on it, so a rotation loses no record.
 */

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
const plainCipher: Cipher = {
  encrypt: async (text) => text,
  decrypt: async (text) => text,
  seal: sha256Hex,
};

const nonceLength = 12;

/** The member of a ring that writes and reads records in plain. */
const plain = 'plain';

/** Returns whether a text is a member of a ring: base64 of 32 bytes, or `plain`. */
export function isRingMember(text: string): boolean {
  return text === plain || /^[A-Za-z\d+/]{43}=$/.test(text);
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
  /** `undefined` if there is none, or it cannot be read. Its texts are as the first member of the ring writes them. */
  readonly record: OperationRecord | undefined;
  /**
   * Why it must not be acted on: no member of the ring wrote it under this key, or it is in plain, which anybody can write, and the ring
   * has no `plain`. `undefined` for an intact one.
   */
  readonly damage: 'damaged' | 'in plain' | undefined;
}

/** The row of a key that the store does not know, or that has no data. */
export const noRow: Row = { record: undefined, damage: undefined };

/** Returns what the encryption of a record's texts is bound to. */
function contextOf(key: string, { origin, method, path }: Place): string {
  return JSON.stringify([key, origin, method, path]);
}

/** Where a request goes. */
type Place = Pick<OperationRecord, 'origin' | 'method' | 'path'>;

/** The texts of a record that are encrypted. */
const encryptedTexts = ['query', 'content', 'result'] as const;

/** Writes and reads the texts of the store. Each ends with a seal over its key and everything before it. */
export class RecordFormat {
  readonly #first: Cipher;
  readonly #ring: readonly Cipher[];

  /** @param ring Its first member writes, and all read. An empty one is `plain` alone. */
  constructor([first = plain, ...others]: readonly string[]) {
    const cipherOf = (member: string) => (member === plain ? plainCipher : aesCipher(member));
    this.#first = cipherOf(first);
    this.#ring = [this.#first, ...others.map(cipherOf)];
  }

  /** Returns the text for the store. */
  encode(key: string, record: OperationRecord): string {
    const json = JSON.stringify(record);
    return `${json.slice(0, -1)},"seal":"${this.#first.seal(sealed(key, json))}"}`;
  }

  /** Returns the text of a closed record. Drops a result that is too long for a store. */
  encodeEnd(key: string, record: OperationRecord): string {
    const text = this.encode(key, record);
    return text.length <= maxLength ? text : this.encode(key, { ...record, result: undefined });
  }

  /** Reads the text of a key. A text of another version is damaged too. */
  async decode(key: string, text: string | undefined): Promise<Row> {
    if (text === undefined) return noRow;
    const [, start = '', seal] = sealedPattern.exec(text) ?? [];
    const json = `${start}}`;
    const value = parseJson(json);
    if (!conforms(recordSchema, value)) return { record: undefined, damage: 'damaged' };
    const isSealedBy = (cipher: Cipher) => cipher.seal(sealed(key, json)) === seal;
    const writer = this.#ring.find(isSealedBy);
    if (writer === undefined)
      return { record: value, damage: isSealedBy(plainCipher) ? 'in plain' : 'damaged' };
    const record = writer === this.#first ? value : await this.#rewritten(key, value, writer);
    return record === undefined ? { record: value, damage: 'damaged' } : { record, damage: undefined };
  }

  /** Encrypts a text for one record, if there is a key. */
  encrypt(key: string, place: Place, text: string): Promise<string> {
    return this.#first.encrypt(text, contextOf(key, place));
  }

  /** Decrypts a text of a record; `undefined` if it has none, or one that was encrypted with another key or for another record. */
  async decrypt(key: string, place: Place, kept: string | undefined): Promise<string | undefined> {
    return kept === undefined ? undefined : this.#first.decrypt(kept, contextOf(key, place));
  }

  /** Returns a record with the texts as the first member writes them, so that each write rotates its key; `undefined` if one cannot be read. */
  async #rewritten(
    key: string,
    record: OperationRecord,
    writer: Cipher,
  ): Promise<OperationRecord | undefined> {
    const rewritten = { ...record };
    for (const name of encryptedTexts) {
      const kept = record[name];
      if (kept === undefined) continue;
      const text = await writer.decrypt(kept, contextOf(key, record));
      if (text === undefined) return undefined;
      rewritten[name] = await this.encrypt(key, record, text);
    }
    return rewritten;
  }
}

/** Returns what a seal is over. */
function sealed(key: string, json: string): string {
  return `${key}\n${json}`;
}

const sealedPattern = /^(.*),"seal":"([\da-f]{64})"\}$/s;

/** The longest record, below the limit of every store. */
const maxLength = 900_000;
