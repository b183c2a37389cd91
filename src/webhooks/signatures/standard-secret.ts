import { type Bytes, decodeBase64 } from './bytes.ts';
import { blankProblem, type SecretLengthOptions, shortProblem } from './hmac-secret.ts';

/** A Standard Webhooks secret: for HMAC, for verifying Ed25519, or for signing and verifying Ed25519. */
export interface StandardSecret {
  readonly use: 'hmac' | 'verify' | 'sign';
  readonly bytes: Bytes;
}

const uses = { whsec_: 'hmac', whpk_: 'verify', whsk_: 'sign' } as const;
const seedLength = 32;

function isPrefix(text: string): text is keyof typeof uses {
  return Object.hasOwn(uses, text);
}

function prefixProblem(prefix: string): string {
  const place = 'pass that of the webhook endpoint, which starts with whsec_ or whpk_ in Standard Webhooks';
  return /^(sk|pk|rk)_/.test(prefix)
    ? `an API key, by its prefix: ${place}`
    : `one with an unknown prefix: ${place}`;
}

function hmacProblem(length: number, options: SecretLengthOptions): string | undefined {
  return length === 0 ? 'only a prefix (check that the copy is complete)' : shortProblem(length, options);
}

function ed25519Problem(use: 'verify' | 'sign', length: number): string | undefined {
  if (length === seedLength || (use === 'sign' && length === 2 * seedLength)) return undefined;
  const expected = use === 'sign' ? '32 or 64' : '32';
  return `an Ed25519 key of ${length} bytes instead of ${expected} (check that the copy is complete)`;
}

/** Returns the secret, or a description of its problem without quoting it. */
export function readStandardSecret(
  secret: string,
  options: SecretLengthOptions = {},
): StandardSecret | string {
  const blank = blankProblem(secret);
  if (blank !== undefined) return blank;
  if (/\s/.test(secret)) return 'one with white space inside (a line break, or two secrets)';
  const prefix = secret.slice(0, secret.indexOf('_') + 1);
  if (prefix !== '' && !isPrefix(prefix)) return prefixProblem(prefix);
  const use = prefix === '' ? 'hmac' : uses[prefix];
  const base64 = secret.slice(prefix.length);
  // Some tools drop the padding.
  const bytes = decodeBase64(base64.padEnd(4 * Math.ceil(base64.length / 4), '='));
  if (bytes === undefined) {
    return 'one that is not base64 (check that the copy is complete; for plain-text secrets, use another scheme)';
  }
  const { length } = bytes;
  const problem = use === 'hmac' ? hmacProblem(length, options) : ed25519Problem(use, length);
  if (problem !== undefined) return problem;
  // The second half of a 64-byte private key is the public key, which follows from the first half.
  return { use, bytes: use === 'hmac' ? bytes : bytes.slice(0, seedLength) };
}
