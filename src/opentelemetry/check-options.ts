import { formatIssue, issueWithin } from '../base/issue.ts';
import type { Schema } from '../base/schema.ts';
import { firstFlaw } from '../base/validation.ts';

/** @throws TypeError for a wrong or unknown option. */
export function checkOptions(caller: string, schema: Schema<unknown>, options: unknown): void {
  const flaw = firstFlaw(schema, options);
  if (flaw !== undefined) throw new TypeError(`${formatIssue(issueWithin(caller, flaw))}.`);
}
