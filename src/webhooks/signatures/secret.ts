import { utf8ToBytes } from '@noble/hashes/utils.js';
import { refuse } from '../../base/errors.ts';
import * as s from '../../base/schema/schema.ts';
import { type SecretEncoding, secretEncodings } from '../../resources/service/webhook-form.ts';
import { type Bytes, decode, type PreparedKey, type SignatureEncoding } from './cryptography.ts';
import { findSyncCrypto } from './sync-crypto.node.ts';
import { webCrypto } from './web-crypto.ts';

/** The content of a secret, or a description of its problem that does not quote it. */
export type ReadSecret<Content extends object> = Content | string;

/** Returns the problem of a secret; `undefined` if there is none. */
export function problemOf(read: ReadSecret<object>): string | undefined {
  return typeof read === 'string' ? read : undefined;
}

/** Returns the content of a secret. @throws ConfigurationError when it has a problem. */
export function contentOf<Content extends object>(read: ReadSecret<Content>): Content {
  return typeof read === 'string' ? refuseSecret(read) : read;
}

/** @throws ConfigurationError always. Does not quote the secret. */
export function refuseSecret(problem: string, expected = 'a signing secret'): never {
  return refuse([{ path: 'secret', expected, received: problem }], 'Nothing was verified or signed.');
}

/** Enough for every endpoint of a large platform; more secrets only cost time. */
const maxKeys = 256;

/** Adds a prepared key to those of a scheme, and returns it. Above 256 they start anew, so that rotation does not grow the process. */
export function keepKey<Key>(keys: Map<string, Key>, secret: string, key: Key): Key {
  if (keys.size >= maxKeys) keys.clear();
  keys.set(secret, key);
  return key;
}

/** Describes a problem with white space. Blanks inside a secret are an error only in base64. */
export function blankProblem(secret: string): string | undefined {
  if (secret === '') return 'an empty one';
  return secret.trim() === secret ? undefined : 'one with leading or trailing white space: copy it without';
}

/** The minimum of Standard Webhooks, less than services issue. */
const leastBytes = 24;

/** Options of every HMAC scheme. */
export type SecretLengthOptions = {
  /**
   * Accepts secrets of fewer than 24 bytes. Such a secret is usually `null` as text, a truncated copy, or easy to
   * guess. Default: false.
   */
  readonly allowShortSecrets?: boolean | undefined;
};

/** Describes a secret that is too short; `undefined` if its length in bytes is sufficient. */
export function shortProblem(
  length: number,
  { allowShortSecrets = false }: SecretLengthOptions,
): string | undefined {
  if (length >= leastBytes || allowShortSecrets) return undefined;
  const bytes = length === 1 ? '1 byte' : `${length} bytes`;
  return `one of ${bytes}, but at least ${leastBytes} are required (check that the copy is complete); a scheme with allowShortSecrets: true accepts it`;
}

/** Options of the schemes whose secret need not be base64. */
export type SecretOptions = SecretLengthOptions & {
  /**
   * The encoding of the secret: the decoded bytes are the key. `text` uses the UTF-8 bytes of the whole text, prefix
   * included. `base64` requires padding; `hex` may be in either case. Default: `text` (*inferred*).
   */
  readonly secretEncoding?: SecretEncoding | undefined;
};

/** The schemas of {@link SecretOptions}. */
export const secretFields = () => ({
  secretEncoding: s.optional(s.literal(secretEncodings)),
  allowShortSecrets: s.optional(s.boolean()),
});

function readSecret(secret: string, options: SecretOptions): ReadSecret<Bytes> {
  const { secretEncoding = 'text' } = options;
  const blank = blankProblem(secret);
  if (blank !== undefined) return blank;
  const bytes = secretEncoding === 'text' ? utf8ToBytes(secret) : decode(secret, secretEncoding);
  if (bytes === undefined) {
    return `one that is not ${secretEncoding}, as secretEncoding declares (check that the copy is complete)`;
  }
  return shortProblem(bytes.length, options) ?? bytes;
}

/** Returns the check and the keys of a scheme's secrets. */
export function hmacKeys(encoding: SignatureEncoding, options: SecretOptions) {
  const { hmac } = findSyncCrypto() ?? webCrypto;
  const keys = new Map<string, PreparedKey>();
  return {
    checkSecret: (secret: string) => problemOf(readSecret(secret, options)),
    keyFor: (secret: string) =>
      keys.get(secret) ?? keepKey(keys, secret, hmac(contentOf(readSecret(secret, options)), encoding)),
  };
}
