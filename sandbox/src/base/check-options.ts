import type { Issue } from 'payments-client';
import { issuesOf } from '../sdk.ts';
import { issueWithin } from './issue.ts';
import { refuse } from './refuse.ts';
import { conforms, type Schema } from './schema.ts';

/** Returns the issues of an option or an argument; each path starts with its name. */
export function optionIssues(name: string, schema: Schema<unknown>, value: unknown): Issue[] {
  return issuesOf(schema, value).map((issue) => issueWithin(name, issue));
}

/** @throws ConfigurationError with everything that is wrong with the options or an argument of a function. */
export function checkOptions<Options>(
  name: string,
  schema: Schema<Options>,
  options: unknown,
  advice = `Correct the options of ${name}.`,
): asserts options is Options {
  if (!conforms(schema, options)) refuse(optionIssues(name, schema, options), advice);
}
