import { refuseValue } from '../../base/errors.ts';
import { checkOptions, headerName, optionsOf } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { malformed, requiredHeader, valuesIn } from './header.ts';
import type { SecretLengthOptions } from './hmac-secret.ts';
import {
  type Cryptography,
  type PreparedKey,
  preparedKeys,
  refuseSecret,
  whenKnown,
} from './prepared-key.ts';
import type { SignatureScheme, SignInput, VerifyInput } from './scheme.ts';
import { readStandardSecret, type StandardSecret } from './standard-secret.ts';
import { findSyncCrypto } from './sync-crypto.node.ts';
import { checkAge, readTimestamp } from './timestamp.ts';
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
  const { keyFor, checkSecret } = preparedKeys(
    (secret) => readStandardSecret(secret, options),
    (content) => toKey(content, cryptography),
  );
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
      return whenKnown(matches, (yes) => yes && checkAge(time, input));
    },
    sign({ body, id, timestamp, secret }: SignInput) {
      if (id === '') refuseValue('id', 'the id of a delivery', id, 'Nothing was signed.');
      const names = ownNames ?? webhookNames;
      const seconds = String(Math.floor(timestamp / 1000));
      const key = keyFor(secret);
      return whenKnown(key.sign(`${id}.${seconds}.`, body), (signature) => ({
        [names.id]: id,
        [names.timestamp]: seconds,
        [names.signature]: key.prefix + signature,
      }));
    },
    checkSecret,
  };
}
