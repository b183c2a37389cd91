import { isIntegerFrom, maxTimer } from '../base/numbers.ts';
import { isLoopbackHost } from '../base/runtime/runtime.ts';
import { BrowserError, refuseOption, refuseOptionValue } from './error.ts';

/**
 * Test-mode secret keys start with `sk_v1_test_`; the form of live keys is not shown, so every key with the same start
 * counts as secret. So do the secrets of webhooks.
 */
const secretKey = /(?:^|[^a-z0-9])(?:sk|whsec)_/i;

/** An element references the whole page, so only plain objects and arrays are searched. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/**
 * Refuses a value that contains a secret key at any depth.
 *
 * @throws BrowserError `secret_key`, without the key.
 */
export function refuseSecretKeys(path: string, value: unknown, seen = new Set<unknown>()): void {
  if (typeof value === 'string' && secretKey.test(value)) {
    throw new BrowserError(
      `${path}: expected no secret, got one. Anyone who opens the page can read it: replace it, and pass the public key.`,
      { code: 'secret_key' },
    );
  }
  if (!isPlain(value) || seen.has(value)) return;
  seen.add(value);
  for (const [name, part] of Object.entries(value)) refuseSecretKeys(`${path}.${name}`, part, seen);
}

/** Otherwise a misspelt option would be ignored silently. */
export function refuseUnknown(call: string, options: object, known: readonly string[]): void {
  const name = Object.keys(options).find((one) => !known.includes(one));
  if (name !== undefined) refuseOption(`${call}.${name}`, `one of ${known.join(', ')}`, 'another name');
}

/** Checks for a non-empty string. */
export function expectText(path: string, value: unknown, expected = 'a non-empty string'): string {
  return typeof value === 'string' && value !== '' ? value : refuseOptionValue(path, expected, value);
}

/** Checks for an integer within the range of timers, if present. */
export function expectInteger(path: string, value: unknown, least: number, usual: number): number {
  if (value === undefined) return usual;
  return isIntegerFrom(value, least, maxTimer)
    ? value
    : refuseOptionValue(path, `an integer from ${least}`, value);
}

/** Checks the URL of a script: with https nobody can replace the script on the way. */
export function expectAddress(path: string, value: unknown, base?: string): URL {
  const expected = 'an https URL (http is for loopback hosts)';
  const text = expectText(path, value, expected);
  if (!URL.canParse(text, base)) refuseOptionValue(path, expected, value);
  const url = new URL(text, base);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isSafe ? url : refuseOptionValue(path, expected, value);
}

/** Returns whether a value has a method of a name. */
export function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, (...values: unknown[]) => unknown> {
  return typeof Object(value)[name] === 'function';
}
