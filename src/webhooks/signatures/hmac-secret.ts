import { utf8ToBytes } from '@noble/hashes/utils.js';
import * as s from '../../base/schema/schema.ts';
import { type SecretEncoding, secretEncodings } from '../../resources/service/webhook-form.ts';
import { type Bytes, decode, type SignatureEncoding } from './bytes.ts';
import { preparedKeys } from './prepared-key.ts';
import { findSyncCrypto } from './sync-crypto.node.ts';
import { webCrypto } from './web-crypto.ts';

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

/** Returns the bytes of a secret, or a description of its problem without quoting it. */
function readSecret(secret: string, options: SecretOptions): Bytes | string {
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
  return preparedKeys(
    (secret) => readSecret(secret, options),
    (bytes) => hmac(bytes, encoding),
  );
}
