import { environmentVariable } from '../base/environment.ts';
import type { SandboxOptions } from '../index.ts';
import { redact } from '../sdk.ts';
import { type Read, readText } from './options.ts';
import { UsageProblem } from './problems.ts';

/** The prefix of every test key. */
export const testKeyPrefix = 'sk_v1_test_';

/** The keys of a sandbox on the command line. */
export interface KeyOptions {
  readonly secretKey?: string;
  readonly securityKey?: string;
  readonly publicKey?: string;
  readonly webhookSecret?: string;
}

/** Reads a secret key. Any key but a test key belongs to real money: it is neither shown nor sent. */
export const readSecretKey: Read<string> = (text, name) => {
  if (readText(text, name).startsWith(testKeyPrefix)) return text;
  // The message would redact the whole prefix as a key.
  throw new UsageProblem(`expected ${name} to be a test key, with '_test_' in its prefix, got another key.`);
};

/** Reads a signing secret. The sandbox checks its form, which the signature scheme decides. */
export const readWebhookSecret: Read<string> = (text, name) => {
  if (!/_live_/i.test(readText(text, name))) return text;
  throw new UsageProblem(`expected ${name} to be no live key, but it is one.`);
};

/** Reads another key. The interface shows no form for these keys, so only secret and live keys are refused. */
export const readOtherKey: Read<string> = (text, name) => {
  if (redact(readText(text, name)) === text && !/_live_/i.test(text)) return text;
  throw new UsageProblem(`expected ${name} to be neither a secret key nor a live key, but it is one.`);
};

/** Returns the secret key of the environment, if it is a test key. */
export function environmentSecretKey(): string | undefined {
  const key = environmentVariable('PAYMENTS_SECRET_KEY');
  return key?.startsWith(testKeyPrefix) ? key : undefined;
}

/**
 * Returns the chosen keys of a local sandbox. Ignores the security key and the webhook secret of the environment: a live one
 * cannot be distinguished from one for tests, and the program prints it.
 */
export function localKeys(given: KeyOptions): Pick<SandboxOptions, keyof KeyOptions> {
  const { secretKey = environmentSecretKey(), securityKey, publicKey, webhookSecret } = given;
  return { secretKey, securityKey, publicKey, webhookSecret };
}

/** The sources of each key for a sandbox that is reachable from other machines. */
const sources = [
  ['secretKey', '--secret-key', 'PAYMENTS_SECRET_KEY', readSecretKey],
  ['securityKey', '--security-key', 'PAYMENTS_SECURITY_KEY', readOtherKey],
  ['publicKey', '--public-key', 'PAYMENTS_PUBLIC_KEY', readOtherKey],
  ['webhookSecret', '--webhook-secret', 'PAYMENTS_WEBHOOK_SECRET', readWebhookSecret],
] as const;

/**
 * Returns the keys of a sandbox that is reachable from other machines. All must be chosen, so that nobody needs to read
 * one from a log; the webhook secret only if there are deliveries.
 *
 * @throws UsageProblem when one is missing, or is not a test key.
 */
export function remoteKeys(given: KeyOptions, delivers: boolean): Pick<SandboxOptions, keyof KeyOptions> {
  const keys = sources.map(([key, option, variable, read]) => {
    const fromEnvironment = environmentVariable(variable);
    const value = given[key] ?? (fromEnvironment === undefined ? undefined : read(fromEnvironment, variable));
    return { key, value, names: `${option} (${variable})` };
  });
  const isMissing = ({ key, value }: (typeof keys)[number]) =>
    value === undefined && (delivers || key !== 'webhookSecret');
  const missing = keys.filter(isMissing).map(({ names }) => names);
  if (missing.length === 0) return Object.fromEntries(keys.map(({ key, value }) => [key, value]));
  throw new UsageProblem(`expected every key with --allow-remote, got no ${missing.join(', ')}.`);
}
