import { environmentVariable } from '../base/runtime.ts';
import { beginsLikeKey } from '../base/secret-looks.ts';
import type { SandboxOptions } from '../sandbox/index.ts';
import { type Read, readText } from './options.ts';
import { UsageProblem } from './problems.ts';

/** What every test key begins with. */
export const testKeyPrefix = 'sk_v1_test_';

/** The keys of a sandbox, as the command line gives them. */
export interface KeyOptions {
  readonly secretKey?: string;
  readonly securityKey?: string;
  readonly publicKey?: string;
}

/** Reads a secret key. Any key but a test key belongs to real money: it is neither shown nor sent here. */
export const readSecretKey: Read<string> = (text, name) => {
  if (readText(text, name).startsWith(testKeyPrefix)) return text;
  // The whole prefix looks like a key, so the message would redact it.
  throw new UsageProblem(`expected ${name} to be a test key, with '_test_' in its prefix, got another one.`);
};

/** Reads another key. The interface shows no form for these, so only what is clearly of another kind is refused. */
export const readOtherKey: Read<string> = (text, name) => {
  if (!beginsLikeKey(readText(text, name)) && !/_live_/i.test(text)) return text;
  throw new UsageProblem(`expected ${name} to be neither a secret key nor a live one, got such a key.`);
};

/** The secret key of the environment, if it is a test key. */
export function environmentSecretKey(): string | undefined {
  const key = environmentVariable('PAYMENTS_SECRET_KEY');
  return key?.startsWith(testKeyPrefix) ? key : undefined;
}

/**
 * The keys that a sandbox starts with; it makes the missing ones. The environment's security key is not taken, since
 * nothing tells a live one from a test one, and the program prints it.
 */
export function localKeys(given: KeyOptions): Pick<SandboxOptions, keyof KeyOptions> {
  const { secretKey = environmentSecretKey(), securityKey, publicKey } = given;
  return { secretKey, securityKey, publicKey };
}

/** Where each key comes from when others can reach the sandbox. */
const sources = [
  ['secretKey', '--secret-key', 'PAYMENTS_SECRET_KEY', readSecretKey],
  ['securityKey', '--security-key', 'PAYMENTS_SECURITY_KEY', readOtherKey],
  ['publicKey', '--public-key', 'PAYMENTS_PUBLIC_KEY', readOtherKey],
] as const;

/**
 * The keys of a sandbox that others can reach: all of them chosen, so that nobody needs to look one up in a log.
 *
 * @throws UsageProblem when one is missing, or is no test key.
 */
export function remoteKeys(given: KeyOptions): Pick<SandboxOptions, keyof KeyOptions> {
  const keys = sources.map(([key, option, variable, read]) => {
    const fromEnvironment = environmentVariable(variable);
    const value = given[key] ?? (fromEnvironment === undefined ? undefined : read(fromEnvironment, variable));
    return { key, value, names: `${option} (${variable})` };
  });
  const missing = keys.filter(({ value }) => value === undefined).map(({ names }) => names);
  if (missing.length === 0) return Object.fromEntries(keys.map(({ key, value }) => [key, value]));
  throw new UsageProblem(`expected every key with --allow-remote, got no ${missing.join(', ')}.`);
}
