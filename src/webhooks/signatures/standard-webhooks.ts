import { refuseValue } from '../../base/errors.ts';
import { checkOptions, headerName, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { type Bytes, type Cryptography, decodeBase64, type PreparedKey } from './cryptography.ts';
import {
  malformed,
  matchesInTime,
  readTimestamp,
  requiredHeader,
  signedHeaders,
  valuesIn,
} from './header.ts';
import type { SignatureScheme, SignInput, VerifyInput } from './scheme.ts';
import {
  blankProblem,
  contentOf,
  keepKey,
  problemOf,
  type ReadSecret,
  refuseSecret,
  type SecretLengthOptions,
  shortProblem,
} from './secret.ts';
import { findSyncCrypto } from './sync-crypto.node.ts';
import { webCrypto } from './web-crypto.ts';

/** Options of {@link standardWebhooks}. */
type StandardWebhooksOptions = SecretLengthOptions & {
  /**
   * The prefix of the three header names, without the hyphen before `id`, `timestamp` and `signature`. Default:
   * `webhook`, or `svix` if there is no `webhook-signature` (*inferred*).
   */
  readonly headerPrefix?: string | undefined;
};

const optionsSchema = /* @__PURE__ */ optionsOf<StandardWebhooksOptions>(() => ({
  headerPrefix: s.optional(headerName()),
  allowShortSecrets: s.optional(s.boolean()),
}));

/** The names of the three headers. */
interface HeaderNames {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** A key, and the signature entries that it applies to. */
interface StandardKey extends PreparedKey {
  /** The version prefix of its signatures, with the comma. */
  readonly prefix: 'v1,' | 'v1a,';
}

function namesAfter(prefix: string): HeaderNames {
  return { id: `${prefix}-id`, timestamp: `${prefix}-timestamp`, signature: `${prefix}-signature` };
}

const webhookNames = /* @__PURE__ */ namesAfter('webhook');
const svixNames = /* @__PURE__ */ namesAfter('svix');

/** Returns the names of a delivery's headers: those of Svix if only they have a signature. */
function namesIn(input: VerifyInput): HeaderNames {
  if (input.header(webhookNames.signature) !== undefined) return webhookNames;
  return input.header(svixNames.signature) === undefined ? webhookNames : svixNames;
}

/** A Standard Webhooks secret: for HMAC, for verifying Ed25519, or for signing and verifying Ed25519. */
interface StandardSecret {
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

function readSecret(secret: string, options: SecretLengthOptions): ReadSecret<StandardSecret> {
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

function publicKeyCannotSign(): never {
  return refuseSecret(
    'a public key (whpk_…), which only verifies',
    'a secret that can sign, whsec_ or whsk_',
  );
}

function toKey({ use, bytes }: StandardSecret, cryptography: Cryptography): StandardKey {
  switch (use) {
    case 'hmac':
      return { prefix: 'v1,', ...cryptography.hmac(bytes, 'base64') };
    case 'sign':
      return { prefix: 'v1a,', ...cryptography.ed25519(bytes) };
    case 'verify':
      return { prefix: 'v1a,', verify: cryptography.ed25519Verifier(bytes), sign: publicKeyCannotSign };
  }
}

/** Returns the signatures for a key. Ignores other versions, so that the service may add some. */
function signaturesFor(key: StandardKey, name: string, list: string): string[] {
  if (!/[^ ,],/.test(list)) throw malformed(name, 'signatures such as v1,<base64>', 'none in that form');
  const signatures = valuesIn(name, list, ' ', key.prefix);
  // A runtime joins the values of a repeated header with a comma and a blank.
  return list.includes(', ') ? signatures.map((signature) => signature.replace(/,$/, '')) : signatures;
}

/**
 * Creates the scheme of Standard Webhooks (https://www.standardwebhooks.com), which Svix uses too: `webhook-id`,
 * `webhook-timestamp` in seconds, and `webhook-signature`, a list of `v1,<base64>` (HMAC-SHA256) or `v1a,<base64>`
 * (Ed25519) over `id.timestamp.body` (*inferred*: the service's interface does not show its scheme).
 *
 * Secrets: `whsec_` and base64 of at least 24 bytes, or base64 alone, for `v1`; `whpk_` and the base64 of a public key
 * of 32 bytes to verify `v1a`; `whsk_` and the base64 of a private key (a seed of 32 bytes, or 64 bytes with the public
 * half) to sign and verify `v1a`.
 *
 * A header of more than 8192 characters, or with more than 16 signatures of the secret's version, is malformed. A
 * header with signatures of other versions only does not match.
 *
 * @throws ConfigurationError for a `headerPrefix` that is not a valid start of a header name.
 */
export function standardWebhooks(options: StandardWebhooksOptions = {}): SignatureScheme {
  checkOptions('standardWebhooks', optionsSchema, options);
  const { headerPrefix } = options;
  const cryptography = findSyncCrypto() ?? webCrypto;
  const keys = new Map<string, StandardKey>();
  const keyFor = (secret: string): StandardKey =>
    keys.get(secret) ?? keepKey(keys, secret, toKey(contentOf(readSecret(secret, options)), cryptography));
  const ownNames = headerPrefix === undefined ? undefined : namesAfter(headerPrefix.toLowerCase());

  return {
    verify(input: VerifyInput) {
      const names = ownNames ?? namesIn(input);
      const id = requiredHeader(input, names.id, names.signature);
      const timestamp = requiredHeader(input, names.timestamp, names.signature);
      const list = requiredHeader(input, names.signature);
      const time = readTimestamp(names.timestamp, timestamp);
      const key = keyFor(input.secret);
      const signatures = signaturesFor(key, names.signature, list);
      const matches = key.verify(`${id}.${timestamp}.`, input.body, signatures);
      return matchesInTime(matches, time, input);
    },
    sign({ body, id, timestamp, secret }: SignInput) {
      if (id === '') refuseValue('id', 'the id of a delivery', id, 'Nothing was signed.');
      const names = ownNames ?? webhookNames;
      const seconds = String(Math.floor(timestamp / 1000));
      const key = keyFor(secret);
      const others = { [names.id]: id, [names.timestamp]: seconds };
      return signedHeaders(others, names.signature, key.prefix, key.sign(`${id}.${seconds}.`, body));
    },
    checkSecret: (secret) => problemOf(readSecret(secret, options)),
  };
}
