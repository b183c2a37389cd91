import type { SandboxKeys } from '../keys.ts';
import { checkoutPath } from '../pages/checkout/path.ts';
import { Failure } from './problems.ts';

/** The environment variables of an app that uses a sandbox. */
export type Variables = Readonly<Record<string, string>>;

/** Returns the variables of an app, which the SDK and the program read. */
export function variablesOf(url: string, keys: SandboxKeys): Variables {
  return {
    PAYMENTS_BASE_URL: url,
    PAYMENTS_SECRET_KEY: keys.secretKey,
    PAYMENTS_SECURITY_KEY: keys.securityKey,
    PAYMENTS_PUBLIC_KEY: keys.publicKey,
    PAYMENTS_WEBHOOK_SECRET: keys.webhookSecret,
    PAYMENTS_CHECKOUT_PAGE: url + checkoutPath('{id}'),
  };
}

/** Needs no quotes in any reader of `.env` files, nor in a shell. */
const plain = /^[\w.:/@%+=,-]+$/;

/** The same between single quotes for all: readers differ about a backslash before the last one, and about line breaks. */
const singleQuoted = /^[^'\\\p{Cc}]*$/u;

/** The same between double quotes for all: a shell replaces the other characters. */
const doubleQuoted = /^[^"\\$`!\p{Cc}]*$/u;

/**
 * Formats a variable so that a shell and readers of `.env` files, such as `node --env-file` and dotenv, read the same value.
 *
 * @throws Failure when no form has this meaning for all of them.
 */
export function lineOf(name: string, value: string): string {
  if (plain.test(value)) return `${name}=${value}`;
  if (singleQuoted.test(value)) return `${name}='${value}'`;
  if (doubleQuoted.test(value)) return `${name}="${value}"`;
  throw new Failure(
    'VALUE_NOT_USABLE',
    `expected ${name} to have a value that a shell and a .env file read alike, got one with quotes, a backslash or a line break. Choose a key of letters and digits.`,
  );
}
