import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import type { SecretEncoding } from '../../resources/webhook-form.ts';
import { type Bytes, decode, utf8 } from './bytes.ts';
import { keyCache } from './key-cache.ts';
import type { Encoding, PreparedKey } from './prepared-key.ts';
import { findSyncCrypto, syncHmac } from './sync-crypto.node.ts';
import { webHmac } from './web-crypto.ts';

/** Creates the error for an unusable secret, without quoting it. */
export function refusedSecret(problem: string, expected = 'a signing secret'): ConfigurationError {
  return configurationError(
    [{ path: 'secret', expected, received: problem }],
    'Nothing was verified or signed.',
  );
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

/** Returns the bytes of a secret, or a description of its problem without quoting it. */
function readSecret(secret: string, options: SecretOptions): Bytes | string {
  const { secretEncoding = 'text' } = options;
  const blank = blankProblem(secret);
  if (blank !== undefined) return blank;
  const bytes = secretEncoding === 'text' ? utf8(secret) : decode(secret, secretEncoding);
  if (bytes === undefined) {
    return `one that is not ${secretEncoding}, as secretEncoding declares (check that the copy is complete)`;
  }
  return shortProblem(bytes.length, options) ?? bytes;
}

/** Describes the problem of a secret; `undefined` if it has none. */
export function secretProblem(secret: string, options: SecretOptions): string | undefined {
  const read = readSecret(secret, options);
  return typeof read === 'string' ? read : undefined;
}

/** Returns the keys of secrets, each derived once. */
export function hmacKeys(encoding: Encoding, options: SecretOptions): (secret: string) => PreparedKey {
  const sync = findSyncCrypto();
  return keyCache((secret) => {
    const bytes = readSecret(secret, options);
    if (typeof bytes === 'string') throw refusedSecret(bytes);
    return sync === undefined ? webHmac(bytes, encoding) : syncHmac(sync, bytes, encoding);
  });
}
