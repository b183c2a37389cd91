import { environmentVariable } from '../base/runtime.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import type { Arguments } from './arguments.ts';

const testKeyPrefix = 'sk_v1_test_';

/**
 * The secret key of the command line. A key that is no test key belongs to real money: it is neither shown nor sent here.
 *
 * @throws UsageProblem for such a key.
 */
export function givenSecretKey(given: Arguments): string | undefined {
  const key = given.text('secret-key');
  if (key === undefined || key.startsWith(testKeyPrefix)) return key;
  throw given.problem(`expected --secret-key to be a test key, which begins with '${testKeyPrefix}'.`);
}

/** The secret key of the environment, where it is a test key. */
export function environmentSecretKey(): string | undefined {
  const key = environmentVariable('PAYMENTS_SECRET_KEY');
  return key?.startsWith(testKeyPrefix) ? key : undefined;
}

/** The interface shows no form for the other keys, so only what is clearly another key is refused. */
function otherKey(given: Arguments, name: string): string | undefined {
  const key = given.text(name);
  if (key === undefined || !/^sk_|_live_/.test(key)) return key;
  throw given.problem(`expected --${name} to be neither a secret key nor a live one.`);
}

/**
 * The keys that a sandbox is started with; it makes those that are left out. The environment's security key is not taken,
 * since nothing tells a live one from a test one, and the program prints it.
 */
export function givenKeys(given: Arguments): Pick<SandboxOptions, 'secretKey' | 'securityKey' | 'publicKey'> {
  return {
    secretKey: givenSecretKey(given) ?? environmentSecretKey(),
    securityKey: otherKey(given, 'security-key'),
    publicKey: otherKey(given, 'public-key'),
  };
}
