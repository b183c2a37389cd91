import { formatIssue, issueAt, issueWithin } from '../base/issue.ts';
import type { Schema } from '../base/schema.ts';
import { firstFlaw } from '../base/validation.ts';

/** Returns `path: expected …, got …`. */
export function problem(path: string, expected: string, received: string): string {
  return formatIssue({ path, expected, received });
}

/** @throws TypeError always: the value is of the wrong kind. */
export function refuseType(path: string, expected: string, value: unknown): never {
  throw new TypeError(formatIssue(issueAt(path, expected, value)));
}

/** @throws RangeError always: the value is of the right kind and out of bounds. */
export function refuseRange(path: string, expected: string, value: unknown): never {
  throw new RangeError(formatIssue(issueAt(path, expected, value)));
}

/**
 * Checks a value and throws for the first invalid part.
 *
 * @throws TypeError for a part of the wrong kind or an unknown name.
 * @throws RangeError for a number out of bounds.
 */
export function checkShape(path: string, schema: Schema<unknown>, value: unknown): void {
  // No field of a rule, an option or a record contains card data, whatever its name.
  const flaw = firstFlaw(schema, value, { sensitive: false });
  if (flaw === undefined) return;
  throw new (flaw.kind === 'bound' ? RangeError : TypeError)(formatIssue(issueWithin(path, flaw)));
}
