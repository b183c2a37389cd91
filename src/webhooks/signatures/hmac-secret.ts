import { ConfigurationError } from '../../base/errors.ts';
import type { SecretEncoding } from '../../resources/webhook-form.ts';
import { type Bytes, decode, utf8 } from './bytes.ts';
import { keyCache } from './key-cache.ts';
import type { Encoding, PreparedKey } from './prepared-key.ts';
import { findSyncCrypto, syncHmac } from './sync-crypto.node.ts';
import { webHmac } from './web-crypto.ts';

/** That a secret cannot be used, in words that do not repeat it. */
export function refusedSecret(problem: string, expected = 'a signing secret'): ConfigurationError {
  return new ConfigurationError(
    [{ path: 'secret', expected, received: problem }],
    'Nothing was verified or signed.',
  );
}

/** What is wrong with a secret of either kind; blanks inside are only wrong in base64. */
export function blankProblem(secret: string): string | undefined {
  if (secret === '') return 'an empty one';
  return secret.trim() === secret ? undefined : 'one with white space at its ends: copy it without';
}

/** What Standard Webhooks asks for, and less than what services hand out. */
const leastBytes = 24;

/** What every scheme that signs with HMAC can be made with. */
export interface SecretLengthOptions {
  /**
   * Takes secrets of fewer than 24 bytes, which are refused otherwise: most are `null` as text, half a secret, or one to
   * guess. Default: false.
   */
  readonly allowShortSecrets?: boolean | undefined;
}

/** Describes a secret that is too short; `undefined` if its length in bytes will do. */
export function shortProblem(
  length: number,
  { allowShortSecrets = false }: SecretLengthOptions,
): string | undefined {
  if (length >= leastBytes || allowShortSecrets) return undefined;
  const bytes = length === 1 ? '1 byte' : `${length} bytes`;
  return `one of ${bytes}, where at least ${leastBytes} are needed (was it copied whole?); a scheme made with allowShortSecrets: true takes it`;
}

/** What the schemes can be made with whose secret need not be base64. */
export interface SecretOptions extends SecretLengthOptions {
  /**
   * How the secret is written: its bytes are the key. With `text` these are its UTF-8 bytes as it stands, prefix included. `base64` needs its
   * padding; `hex` may be in either case. Default: `text` (*inferred*).
   */
  readonly secretEncoding?: SecretEncoding | undefined;
}

/** Returns the bytes of a secret, or what is wrong with it in words that do not repeat it. */
function readSecret(secret: string, options: SecretOptions): Bytes | string {
  const { secretEncoding = 'text' } = options;
  const blank = blankProblem(secret);
  if (blank !== undefined) return blank;
  const bytes = secretEncoding === 'text' ? utf8(secret) : decode(secret, secretEncoding);
  if (bytes === undefined) {
    return `one that is not ${secretEncoding} (was it copied whole?), where secretEncoding says that it is`;
  }
  return shortProblem(bytes.length, options) ?? bytes;
}

/** Describes the problem of a secret; `undefined` if it has none. */
export function secretProblem(secret: string, options: SecretOptions): string | undefined {
  const read = readSecret(secret, options);
  return typeof read === 'string' ? read : undefined;
}

/** Returns the keys of secrets, each made once. */
export function hmacKeys(encoding: Encoding, options: SecretOptions): (secret: string) => PreparedKey {
  const sync = findSyncCrypto();
  return keyCache((secret) => {
    const bytes = readSecret(secret, options);
    if (typeof bytes === 'string') throw refusedSecret(bytes);
    return sync === undefined ? webHmac(bytes, encoding) : syncHmac(sync, bytes, encoding);
  });
}
