import { environmentVariable } from '../base/runtime.ts';
import type { Arguments } from './arguments.ts';

const testKeyPrefix = 'sk_v1_test_';

/**
 * The secret key of a sandbox, as the command line or the environment has it. A key of the environment that is no test key
 * belongs to real money: it is neither shown nor sent here.
 */
export function secretKeyOf(given: Arguments): string | undefined {
  const own = given.text('secret-key');
  if (own !== undefined) return own;
  const shared = environmentVariable('PAYMENTS_SECRET_KEY');
  return shared?.startsWith(testKeyPrefix) ? shared : undefined;
}
