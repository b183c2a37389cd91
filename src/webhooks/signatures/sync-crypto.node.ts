import type * as NodeCrypto from 'node:crypto';
import { toBase64 } from '../../base/bytes.ts';
import { once } from '../../base/functions.ts';
import { builtinModule } from '../../base/runtime/runtime.ts';
import {
  type Cryptography,
  decodeBase64,
  join,
  type PreparedKey,
  pkcs8,
  type SignatureEncoding,
} from './cryptography.ts';

type SyncCrypto = typeof NodeCrypto;

/** The first test case of RFC 4231: a key, a text and the signature of that text. */
const sample = {
  key: new Uint8Array(20).fill(0x0b),
  text: 'Hi There',
  signature: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
};

/** Returns whether it signs and verifies. Some runtimes have the module with functions that throw or return nothing. */
function works(crypto: SyncCrypto): boolean {
  const { sign, verify } = hmac(crypto, sample.key, 'hex');
  const { text, signature } = sample;
  return (
    sign('', text) === signature &&
    verify('', text, [signature]) === true &&
    verify('', text, [signature.replace('b0', 'b1')]) === false
  );
}

/** Returns the synchronous cryptography of Node, Bun, Deno and other runtimes that have it; `undefined` elsewhere. */
export function findSyncCrypto(): Cryptography | undefined {
  const crypto = builtinModule('node:crypto', works);
  return (
    crypto && {
      hmac: (secret, encoding) => hmac(crypto, secret, encoding),
      ed25519: (seed) => ed25519(crypto, seed),
      ed25519Verifier: (publicKey) =>
        verifierOf(crypto, crypto.createPublicKey(pem('PUBLIC KEY', spkiHeader + toBase64(publicKey)))),
    }
  );
}

const encoder = /* @__PURE__ */ once(() => new TextEncoder());
const encodedLength: Readonly<Record<SignatureEncoding, number>> = { hex: 64, base64: 44 };

function hmac(crypto: SyncCrypto, secret: Uint8Array, encoding: SignatureEncoding): PreparedKey {
  const { createHmac, timingSafeEqual } = crypto;
  // A key object signs in a third of the time that raw bytes take.
  const key = crypto.createSecretKey(secret);
  const length = encodedLength[encoding];
  // Reused for each delivery. This is safe: nothing awaits between filling and comparing it.
  const expected = new Uint8Array(length);
  const given = new Uint8Array(length);

  const sign = (prefix: string, body: string | Uint8Array): string => {
    const signing = createHmac('sha256', key);
    if (typeof body === 'string') return signing.update(prefix + body).digest(encoding);
    if (prefix !== '') signing.update(prefix);
    return signing.update(body).digest(encoding);
  };
  const isExpected = (signature: string): boolean => {
    if (signature.length !== length) return false;
    const text = encoding === 'hex' ? signature.toLowerCase() : signature;
    // Fewer bytes would leave part of the previous signature.
    return encoder().encodeInto(text, given).written === length && timingSafeEqual(given, expected);
  };
  return {
    sign,
    verify(prefix, body, signatures) {
      encoder().encodeInto(sign(prefix, body), expected);
      return signatures.some(isExpected);
    },
  };
}

/** The DER header of an Ed25519 public key, in base64. Its length is a multiple of three, so a key can follow. */
const spkiHeader = 'MCowBQYDK2VwAyEA';

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----`;
}

function verifierOf(crypto: SyncCrypto, key: NodeCrypto.KeyObject): PreparedKey['verify'] {
  return (prefix, body, signatures) => {
    const text = join(prefix, body);
    return signatures.some((signature) => {
      const bytes = decodeBase64(signature);
      return bytes !== undefined && crypto.verify(null, text, key, bytes);
    });
  };
}

function ed25519(crypto: SyncCrypto, seed: Uint8Array): PreparedKey {
  const key = crypto.createPrivateKey(pem('PRIVATE KEY', toBase64(pkcs8(seed))));
  return {
    verify: verifierOf(crypto, crypto.createPublicKey(key)),
    sign: (prefix, body) => toBase64(crypto.sign(null, join(prefix, body), key)),
  };
}
