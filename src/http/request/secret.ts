import { configurationError, type Issue } from '../../base/errors.ts';
import { describeValue, lengthOf, missingOption } from '../../base/issue.ts';
import type { Redactor } from '../../base/redact.ts';
import { type Inline, isBrowser, type WebAbortSignal } from '../../base/runtime/runtime.ts';
import { bounded, Interrupted } from '../../base/time.ts';
import { type CallFacts, timeoutOf } from '../failure/call-errors.ts';

/**
 * A secret, or a function that returns the current secret. Use a function for keys that are rotated or come from a vault: it
 * is called before each call. If it fails, the call fails and nothing is sent.
 */
export type Secret = Inline<string | (() => string | Promise<string>)>;

/**
 * Refuses a secret key in a web page.
 *
 * @throws ConfigurationError unless this is a server, or `isAllowed` is true.
 */
export function refuseInBrowser(path: string, isAllowed: unknown): void {
  if (isAllowed === true || !isBrowser()) return;
  const received = 'a web page, where every visitor can read the key';
  throw configurationError(
    [{ path, expected: 'a program on your server', received }],
    'Call the service from your server, and use payments-client/browser in the page. In a page that nobody else can open, ' +
      'such as a test, give dangerouslyAllowBrowser: true.',
  );
}

/** Returns the issues of a secret. Repeats no more of it than the prefix of a key that belongs elsewhere. */
export function secretIssues(path: KeyOption, variable: string, secret: unknown): Issue[] {
  if (typeof secret === 'function') return [];
  const { expected, misplaced } = keyOptions[path];
  if (secret === undefined) return [missingOption(path, expected, variable)];
  if (typeof secret !== 'string' || secret === '') {
    const received = describeValue(secret, path, true);
    return [{ path, expected: `${expected}, or a function that returns it`, received }];
  }
  const issues = textIssues(path, secret);
  const [beginning] = misplaced.exec(secret) ?? [];
  if (issues.length > 0 || beginning === undefined) return issues;
  const received = `${beginning}…, another kind of key; if the service gave it to you, pass it as a function`;
  return [{ path, expected, received }];
}

/** What each option takes, and how keys begin that belong elsewhere. Any other form passes, since that of a live key is not shown. */
const keyOptions = {
  secretKey: {
    expected: 'a secret key of the service, such as sk_v1_test_…',
    misplaced: /^(?:whs(?:ec|k)_|rk_|AKIA|pk_|sk_test_)/,
  },
  securityKey: {
    expected: 'the security key of the form endpoint',
    misplaced: /^(?:whs(?:ec|k)_|rk_|AKIA|[sp]k_v1_)/,
  },
} as const;

type KeyOption = keyof typeof keyOptions;

function textIssues(path: string, secret: string): Issue[] {
  if (/^["'`].*["'`]$/s.test(secret)) {
    return [{ path, expected: 'the key alone', received: 'a string in quotes; remove them' }];
  }
  if (/^[!-~]+$/.test(secret)) return [];
  const expected = 'printable ASCII without blanks or line breaks';
  return [{ path, expected, received: `a string of ${lengthOf(secret)} with others; was it copied whole?` }];
}

/**
 * Returns the current value of a secret. A user's function may hang, so the wait has a bound.
 *
 * @param wait Its `totalTimeout` is in ms. The redactor learns the secret.
 * @throws ConfigurationError when the function throws, or returns something that cannot be a secret.
 * @throws TimeoutError when it takes too long.
 * @throws Interrupted when the signal is aborted.
 */
export async function currentSecret(
  path: string,
  secret: Secret,
  { redactor, ...wait }: { redactor: Redactor; signal?: WebAbortSignal | undefined; totalTimeout: number },
  facts: CallFacts,
): Promise<string> {
  if (typeof secret === 'string') return secret;
  try {
    const value = await bounded(askForSecret(path, secret), wait.signal, wait.totalTimeout);
    redactor.learn(value);
    return value;
  } catch (error) {
    if (!(error instanceof Interrupted) || error.reason === 'aborted') throw error;
    throw timeoutOf(facts, 'TOTAL_TIMEOUT', wait.totalTimeout, {}, `value from ${path}()`);
  }
}

async function askForSecret(path: string, provider: () => string | Promise<string>): Promise<string> {
  const expected = 'a function that gives a non-empty string';
  const refuse = (received: string) =>
    configurationError([{ path, expected, received }], 'Nothing was sent.');
  let value: unknown;
  try {
    value = await provider();
  } catch {
    // Its error may hold the secret, so it does not become the cause.
    throw refuse('a failure');
  }
  if (typeof value !== 'string' || value === '') throw refuse('something else');
  const issues = textIssues(path, value);
  if (issues.length > 0) throw configurationError(issues, 'Nothing was sent.');
  return value;
}
