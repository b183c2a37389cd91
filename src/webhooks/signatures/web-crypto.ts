import { toBase64 } from '../../base/base64.ts';
import { configurationError } from '../../base/errors.ts';
import { type Bytes, concat, decode, decodeBase64, encode, join } from './bytes.ts';
import { pkcs8Header } from './ed25519.ts';
import type { Encoding, PreparedKey } from './prepared-key.ts';

type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Returns whether one signature matches. Sequential, since several signatures are rare. */
async function passesOne(
  signatures: readonly (Bytes | undefined)[],
  passes: (signature: Bytes) => Promise<boolean>,
): Promise<boolean> {
  for (const signature of signatures) {
    if (signature !== undefined && (await passes(signature))) return true;
  }
  return false;
}

/** HMAC-SHA256. */
export function webHmac(secret: Bytes, encoding: Encoding): PreparedKey {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify']);
  return {
    async sign(prefix, body) {
      const text = join(prefix, body);
      return encode(new Uint8Array(await crypto.subtle.sign('HMAC', await imported, text)), encoding);
    },
    async verify(prefix, body, signatures) {
      const text = join(prefix, body);
      const key = await imported;
      return passesOne(
        signatures.map((signature) => decode(signature, encoding)),
        (signature) => crypto.subtle.verify('HMAC', key, signature, text),
      );
    },
  };
}

const ed25519 = { name: 'Ed25519' };

/** Returns the key, or throws an error that names the cause. */
async function importing(key: Promise<WebKey>): Promise<WebKey> {
  try {
    return await key;
  } catch {
    // The runtime's error may contain the key.
    throw configurationError(
      [
        {
          path: 'secret',
          expected: "an Ed25519 key for the runtime's Web Crypto",
          received: 'one it refuses',
        },
      ],
      'Nothing was verified or signed. Check that the key is complete and that this runtime supports Ed25519.',
    );
  }
}

function verifierOf(imported: Promise<WebKey>): PreparedKey['verify'] {
  return async (prefix, body, signatures) => {
    const text = join(prefix, body);
    const key = await imported;
    return passesOne(signatures.map(decodeBase64), (signature) =>
      crypto.subtle.verify(ed25519, key, signature, text),
    );
  };
}

/** Returns a verifier for an Ed25519 public key. */
export function webEd25519Verifier(publicKey: Bytes): PreparedKey['verify'] {
  return verifierOf(importing(crypto.subtle.importKey('raw', publicKey, ed25519, false, ['verify'])));
}

/** Returns the public half of a key pair. Web Crypto exports it only as a JSON Web Key. */
async function publicKeyOf(privateKey: Promise<WebKey>): Promise<WebKey> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await privateKey);
  return crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, ed25519, false, ['verify']);
}

/** Returns an Ed25519 key pair from its seed of 32 bytes. */
export function webEd25519(seed: Bytes): PreparedKey {
  const pkcs8 = concat(pkcs8Header, seed);
  const imported = importing(crypto.subtle.importKey('pkcs8', pkcs8, ed25519, true, ['sign']));
  let verify: PreparedKey['verify'] | undefined;
  return {
    verify(prefix, body, signatures) {
      verify ??= verifierOf(importing(publicKeyOf(imported)));
      return verify(prefix, body, signatures);
    },
    async sign(prefix, body) {
      const text = join(prefix, body);
      return toBase64(new Uint8Array(await crypto.subtle.sign(ed25519, await imported, text)));
    },
  };
}
