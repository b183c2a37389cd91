/** Refuses a wrong option or argument of the sandbox. */

import { ConfigurationError, type Issue } from 'payments-client';
import { describeValue, enumerateIssues, Redactor } from '../sdk.ts';
import { issueAt } from './issue.ts';

const redactor = new Redactor();

/** @throws ConfigurationError always. `advice` says what to do. */
export function refuse(found: readonly Issue[], advice: string): never {
  // A name may come from outside, and be a card number.
  const issues = redactor.issues(found);
  throw new ConfigurationError(`${enumerateIssues(issues)}. ${advice}`, { issues });
}

/** @throws ConfigurationError always: one option or argument is not what was expected. */
export function refuseValue(path: string, expected: string, value: unknown, advice: string): never {
  return refuse([issueAt(path, expected, value)], advice);
}

/**
 * Refuses an id. Shows it, since the ids of a sandbox are not secret.
 *
 * @param path The argument, for example `sandbox.update.id`.
 * @param problem Why the object with this id cannot be used.
 * @throws ConfigurationError always.
 */
export function refuseId(
  path: string,
  expected: string,
  id: unknown,
  problem = 'which does not exist',
  advice = 'Pass the id of another object.',
): never {
  // Plain JavaScript may pass the object, or a promise of one.
  const received = typeof id === 'string' ? `'${id}', ${problem}` : describeValue(id, path);
  return refuse([{ path, expected, received }], advice);
}
