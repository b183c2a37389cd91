import { formatIssue, issueWithin } from '../../base/issue.ts';
import type { Schema } from '../../base/schema.ts';
import { firstFlaw } from '../../base/validation.ts';

/**
 * Checks the options of a function.
 *
 * @throws RangeError that names the first that is wrong or not known, and for a misspelt one the one that was probably meant.
 */
export function checkOptions(name: string, schema: Schema<unknown>, options: unknown): void {
  const flaw = firstFlaw(schema, options);
  if (flaw !== undefined) throw new RangeError(`${formatIssue(issueWithin(name, flaw))}.`);
}
