import { ConfigurationError } from '../../base/errors.ts';
import { utf8 } from './bytes.ts';
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

/** Describes the problem of a secret that is used as text; `undefined` if it has none. */
export function textProblem(secret: string, options: SecretLengthOptions): string | undefined {
  return blankProblem(secret) ?? shortProblem(utf8(secret).length, options);
}

/** The keys of secrets that are used as text, as they stand. */
export function textKeys(encoding: Encoding, options: SecretLengthOptions): (secret: string) => PreparedKey {
  const sync = findSyncCrypto();
  return keyCache((secret) => {
    const problem = textProblem(secret, options);
    if (problem !== undefined) throw refusedSecret(problem);
    const bytes = utf8(secret);
    return sync === undefined ? webHmac(bytes, encoding) : syncHmac(sync, bytes, encoding);
  });
}
