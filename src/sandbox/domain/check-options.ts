import { formatIssue, issueWithin } from '../../base/issue.ts';
import type { Schema } from '../../base/schema.ts';
import { firstFlaw } from '../../base/validation.ts';

/**
 * Validates the options of a function.
 *
 * @throws RangeError that names the first invalid or unknown option, with a suggestion for a misspelt one.
 */
export function checkOptions(name: string, schema: Schema<unknown>, options: unknown): void {
  const flaw = firstFlaw(schema, options);
  if (flaw !== undefined) throw new RangeError(`${formatIssue(issueWithin(name, flaw))}.`);
}
