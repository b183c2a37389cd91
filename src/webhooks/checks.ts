import { ConfigurationError } from '../base/errors.ts';
import { type Issue, issueAt } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';

/** Throws where anything is wrong. */
export function refuse(issues: readonly Issue[], advice: string): void {
  if (issues.length > 0) throw new ConfigurationError(issues, advice);
}

/** The issues of an options object: it is not an object, or it has unknown names. */
export function optionIssues(path: string, options: unknown, known: readonly string[]): Issue[] {
  if (!isRecord(options)) return [issueAt(path, 'an object', options)];
  return unknownNameIssues(`${path}.`, options, known);
}
