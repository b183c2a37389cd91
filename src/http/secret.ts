import { ConfigurationError, type Issue } from '../base/errors.ts';
import { isBrowser } from '../base/runtime.ts';

/**
 * A secret, or a function that gives the current one before each call, for keys that are rotated or come from a
 * vault. When the function fails, so does the call, and nothing is sent.
 */
export type Secret = string | (() => string | Promise<string>);

/**
 * Refuses a secret key in a web page.
 *
 * @throws ConfigurationError unless this is a server, or `isAllowed` is true.
 */
export function refuseInBrowser(path: string, isAllowed: unknown): void {
  if (isAllowed === true || !isBrowser()) return;
  throw new ConfigurationError(
    [
      {
        path,
        expected: 'a program on your server',
        received: 'a web page, where every visitor can read the key',
      },
    ],
    'Call the service from your server, and use payments-client/browser in the page. In a page that nobody else can open, ' +
      'such as a test, give dangerouslyAllowBrowser: true.',
  );
}

/** Returns what is wrong with a secret. Never repeats it. */
export function secretIssues(path: string, variable: string, secret: unknown): Issue[] {
  if (typeof secret === 'function') return [];
  const received = secret === undefined ? 'nothing' : `a value of type ${typeof secret}`;
  if (typeof secret !== 'string' || secret === '') {
    const expected = `a non-empty string or a function that gives one, as an option or in ${variable}`;
    return [{ path, expected, received: secret === '' ? 'an empty string' : received }];
  }
  return textIssues(path, secret);
}

function textIssues(path: string, secret: string): Issue[] {
  if (/^[!-~]+$/.test(secret)) return [];
  const expected = 'printable ASCII without blanks or line breaks';
  return [
    { path, expected, received: `a string of ${secret.length} characters with others; was it copied whole?` },
  ];
}

/**
 * Calls a user's function for the current secret.
 *
 * @throws ConfigurationError when it throws, or returns something that cannot be a secret.
 */
export async function askForSecret(path: string, secret: () => string | Promise<string>): Promise<string> {
  const value = await callProvider(path, secret);
  const issues =
    typeof value === 'string' && value !== '' ? textIssues(path, value) : [unusable(path, 'something else')];
  if (issues.length > 0) throw new ConfigurationError(issues, 'Nothing was sent.');
  return value;
}

async function callProvider(path: string, provider: () => string | Promise<string>): Promise<string> {
  try {
    return await provider();
  } catch {
    // Its error may hold the secret, so it does not become the cause.
    throw new ConfigurationError([unusable(path, 'a failure')], 'Nothing was sent.');
  }
}

function unusable(path: string, received: string): Issue {
  return { path, expected: 'a function that gives a non-empty string', received };
}
