import { fieldOf } from '../frames/field.ts';

/** The sandbox prepends it to the script. */
declare const sandboxPublicKey: string;

function checkKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw new TypeError(
      "Gateway.create: expected apiKey to be the sandbox's public key, got none. Pass sandbox.publicKey.",
    );
  }
  if (apiKey.startsWith('sk_')) {
    throw new TypeError(
      'Gateway.create: expected apiKey to be a public key, got a secret key. Remove it from the page, where everyone can read it.',
    );
  }
  if (apiKey !== sandboxPublicKey) {
    throw new TypeError(
      "Gateway.create: expected apiKey to be this sandbox's public key, got another one. Pass sandbox.publicKey.",
    );
  }
  return apiKey;
}

function checkEnvironment(environment: unknown): void {
  if (environment === 'sandbox') return;
  const got = environment === undefined ? 'none' : environment === 'live' ? "'live'" : 'another one';
  throw new TypeError(
    `Gateway.create: expected environment to be 'sandbox', got ${got}. Pass environment: 'sandbox'.`,
  );
}

/**
 * Returns the public key of the options of `create`.
 *
 * @throws TypeError for invalid options, since no callback could report them.
 */
export function readOptions(options: unknown): string {
  const apiKey = checkKey(fieldOf(options, 'apiKey'));
  checkEnvironment(fieldOf(options, 'environment'));
  return apiKey;
}
