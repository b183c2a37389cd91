import { ConfigurationError } from '../../core/errors.ts';
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

/** The keys of secrets that are used as text, as they stand. */
export function textKeys(encoding: Encoding): (secret: string) => PreparedKey {
  const sync = findSyncCrypto();
  return keyCache((secret) => {
    const problem = blankProblem(secret);
    if (problem !== undefined) throw refusedSecret(problem);
    const bytes = utf8(secret);
    return sync === undefined ? webHmac(bytes, encoding) : syncHmac(sync, bytes, encoding);
  });
}
