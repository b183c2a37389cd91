import { ConfigurationError } from './errors.ts';
import { type Issue, issueWithin } from './issue.ts';
import type { Schema } from './schema.ts';
import { conforms, issuesOf } from './validation.ts';

/** Returns what is wrong with the options of a function; each path starts with its name. */
export function optionIssues(name: string, schema: Schema<unknown>, options: unknown): readonly Issue[] {
  return issuesOf(schema, options).map((issue) => issueWithin(name, issue));
}

/** @throws ConfigurationError unless there are no issues. */
export function refuse(issues: readonly Issue[], advice: string): void {
  if (issues.length > 0) throw new ConfigurationError(issues, advice);
}

/** @throws ConfigurationError with everything that is wrong with the options of a function. */
export function checkOptions(
  name: string,
  schema: Schema<unknown>,
  options: unknown,
  advice = `Correct the options of ${name}.`,
): void {
  if (!conforms(schema, options)) refuse(optionIssues(name, schema, options), advice);
}
