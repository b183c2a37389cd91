import { refuse } from '../../base/errors.ts';
import {
  type Bytes,
  type Cryptography,
  decode,
  encode,
  join,
  type PreparedKey,
  pkcs8,
  type SignatureEncoding,
} from './cryptography.ts';

type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

type Algorithm = 'HMAC' | 'Ed25519';

function signerOf(
  key: Promise<WebKey>,
  algorithm: Algorithm,
  encoding: SignatureEncoding,
): PreparedKey['sign'] {
  return async (prefix, body) => {
    const text = join(prefix, body);
    return encode(new Uint8Array(await crypto.subtle.sign(algorithm, await key, text)), encoding);
  };
}

/** Returns a verifier, which tries signatures in turn, since several are rare. */
function verifierOf(
  key: Promise<WebKey>,
  algorithm: Algorithm,
  encoding: SignatureEncoding,
): PreparedKey['verify'] {
  return async (prefix, body, signatures) => {
    const text = join(prefix, body);
    const imported = await key;
    for (const signature of signatures) {
      const bytes = decode(signature, encoding);
      if (bytes !== undefined && (await crypto.subtle.verify(algorithm, imported, bytes, text))) return true;
    }
    return false;
  };
}

function hmac(secret: Bytes, encoding: SignatureEncoding): PreparedKey {
  const sha256 = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey('raw', secret, sha256, false, ['sign', 'verify']);
  return { sign: signerOf(key, 'HMAC', encoding), verify: verifierOf(key, 'HMAC', encoding) };
}

const expectedKey = "an Ed25519 key for the runtime's Web Crypto";
const advice =
  'Nothing was verified or signed. Check that the key is complete and that this runtime supports Ed25519.';

/** Returns the key, or throws an error that names the cause. */
async function importing(key: Promise<WebKey>): Promise<WebKey> {
  try {
    return await key;
  } catch {
    // The runtime's error may contain the key.
    return refuse([{ path: 'secret', expected: expectedKey, received: 'one it refuses' }], advice);
  }
}

/** Returns the public half of a key pair. Web Crypto exports it only as a JSON Web Key. */
async function publicKeyOf(privateKey: Promise<WebKey>): Promise<WebKey> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await privateKey);
  return crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify']);
}

function ed25519(seed: Bytes): PreparedKey {
  const key = importing(crypto.subtle.importKey('pkcs8', pkcs8(seed), 'Ed25519', true, ['sign']));
  let verify: PreparedKey['verify'] | undefined;
  return {
    sign: signerOf(key, 'Ed25519', 'base64'),
    verify(prefix, body, signatures) {
      verify ??= verifierOf(importing(publicKeyOf(key)), 'Ed25519', 'base64');
      return verify(prefix, body, signatures);
    },
  };
}

function ed25519Verifier(publicKey: Bytes): PreparedKey['verify'] {
  const key = importing(crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']));
  return verifierOf(key, 'Ed25519', 'base64');
}

/** The cryptography of every runtime. Asynchronous. */
export const webCrypto: Cryptography = { hmac, ed25519, ed25519Verifier };
