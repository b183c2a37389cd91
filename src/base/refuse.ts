/** Refuses what a caller got wrong outside a call. Without schemas, so that pages and small functions stay small. */

import { configurationError } from './errors.ts';
import { type Issue, issueAt, issueWithin } from './issue.ts';

/** @throws ConfigurationError always. */
export function refuse(issues: readonly Issue[], advice: string): never {
  throw configurationError(issues, advice);
}

/** @throws ConfigurationError always: one option or argument is not what was expected. */
export function refuseValue(path: string, expected: string, value: unknown, advice: string): never {
  return refuse([issueAt(path, expected, value)], advice);
}

/** @throws ConfigurationError unless there are no issues of the arguments of a function. */
export function refuseArguments(name: string, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const within = issues.map((issue) => issueWithin(name, issue));
  refuse(within, `Correct the arguments of ${name}.`);
}
