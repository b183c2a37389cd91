import { type Bytes, decodeBase64 } from './bytes.ts';
import { blankProblem, type SecretLengthOptions, shortProblem } from './hmac-secret.ts';

/** A secret of Standard Webhooks: for HMAC, to verify Ed25519, or to sign and verify Ed25519. */
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
  const place = 'the signing secret is shown with the webhook endpoint, and begins with whsec_ or whpk_';
  return /^(sk|pk|rk)_/.test(prefix)
    ? `an API key, as its prefix tells: ${place}`
    : `one with an unknown prefix: ${place}`;
}

function toBytes(base64: string): Bytes | undefined {
  // Padding is what tools drop.
  return decodeBase64(base64.padEnd(4 * Math.ceil(base64.length / 4), '='));
}

function hmacProblem(length: number, options: SecretLengthOptions): string | undefined {
  return length === 0
    ? 'a prefix with nothing after it (was it copied whole?)'
    : shortProblem(length, options);
}

function ed25519Problem(use: 'verify' | 'sign', length: number): string | undefined {
  if (length === seedLength || (use === 'sign' && length === 2 * seedLength)) return undefined;
  const expected = use === 'sign' ? '32 or 64' : '32';
  return `an Ed25519 key of ${length} bytes, where ${expected} make one (was it copied whole?)`;
}

/** The secret, or what is wrong with it in words that do not repeat it. */
export function readStandardSecret(
  secret: string,
  options: SecretLengthOptions = {},
): StandardSecret | string {
  const blank = blankProblem(secret);
  if (blank !== undefined) return blank;
  if (/\s/.test(secret)) return 'one with white space inside (is it in two lines, or two secrets?)';
  const prefix = secret.slice(0, secret.indexOf('_') + 1);
  if (prefix !== '' && !isPrefix(prefix)) return prefixProblem(prefix);
  const use = prefix === '' ? 'hmac' : uses[prefix];
  const bytes = toBytes(secret.slice(prefix.length));
  if (bytes === undefined) {
    return 'one that is not base64 (was it copied whole?); where secrets are plain text, the scheme is another';
  }
  const { length } = bytes;
  const problem = use === 'hmac' ? hmacProblem(length, options) : ed25519Problem(use, length);
  if (problem !== undefined) return problem;
  // The second half of a private key of 64 bytes is its public one, which follows from the first.
  return { use, bytes: use === 'hmac' ? bytes : bytes.slice(0, seedLength) };
}
