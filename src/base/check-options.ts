import { describeValue } from './describe.ts';
import { configurationError, invalidRequest } from './errors.ts';
import { type Issue, issueWithin } from './issue.ts';
import { isRecord } from './json.ts';
import type { Schema } from './schema.ts';
import { conforms, issuesOf } from './validation.ts';

/** Returns the issues of a function's options; each path starts with its name. */
export function optionIssues(name: string, schema: Schema<unknown>, options: unknown): Issue[] {
  return issuesOf(schema, options).map((issue) => issueWithin(name, issue));
}

/** @throws ConfigurationError unless there are no issues. */
export function refuse(issues: readonly Issue[], advice: string): void {
  if (issues.length > 0) throw configurationError(issues, advice);
}

/** @throws InvalidRequestError unless there are no issues of the arguments of a function that never sends anything. */
export function refuseArguments(name: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidRequest(name, issues, '');
}

/** @throws ConfigurationError with everything that is wrong with the options of a function. */
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
  throw configurationError([{ path: 'options', expected: 'an object', received }], `Write ${example}.`);
}
