import { formatIssue, issueWithin } from './issue.ts';
import { isPlainName } from './unknown-names.ts';
import type { Flaw } from './validation.ts';

/** `path: expected …, got …` for a flaw in what is named, for errors of the language. They do not clean their messages. */
export function flawMessage(name: string, flaw: Flaw): string {
  const issue = issueWithin(name, flaw);
  if (flaw.kind !== 'name') return formatIssue(issue);
  const [, holder = name, last = ''] = /^(.+)\.([^.]*)$/.exec(issue.path) ?? [];
  return formatIssue(isPlainName(last) ? issue : { ...issue, path: holder });
}
