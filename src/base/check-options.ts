import { describeValue } from './describe.ts';
import { type Issue, issueWithin } from './issue.ts';
import { isRecord } from './json.ts';
import { refuse } from './refuse.ts';
import type { Schema } from './schema.ts';
import { conforms, type IssueOptions, issuesOf } from './validation.ts';

/** Returns the issues of an option or an argument; each path starts with its name. */
export function optionIssues(
  name: string,
  schema: Schema<unknown>,
  value: unknown,
  options?: IssueOptions,
): Issue[] {
  return issuesOf(schema, value, options).map((issue) => issueWithin(name, issue));
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

/**
 * Returns the options of a constructor as an object. Untyped code may omit them; the check of the options then names each missing one.
 *
 * @param example The right form, such as `new Transact({ baseUrl, securityKey })`.
 * @throws ConfigurationError when they are not an object. It never repeats them, since they may be a key.
 */
export function optionsObject<Options extends object>(
  options: Options | null | undefined,
  example: string,
): Options {
  if (options === undefined || options === null) return Object(options);
  if (isRecord(options)) return options;
  const received = describeValue(options, 'options', true);
  return refuse([{ path: 'options', expected: 'an object', received }], `Write ${example}.`);
}
