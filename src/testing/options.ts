import { ConfigurationError } from '../base/errors.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';

/** @throws ConfigurationError for options with a name that is not known, which would be ignored otherwise. */
export function refuseUnknownOptions(call: string, options: object, known: readonly string[]): void {
  const issues = unknownNameIssues(`${call}.`, options, known);
  if (issues.length > 0) throw new ConfigurationError(issues, `Correct the options of ${call}.`);
}
