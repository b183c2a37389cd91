import { describeValue, rootPath } from './describe.ts';

/** One value that is not what it should be. */
export interface Issue {
  /** Where the value is, for example `line_items[0].amount`; `(root)` for the whole value. */
  readonly path: string;
  /** What was expected there, in words. */
  readonly expected: string;
  /** What came, in words. A value that may be secret is described, never repeated. */
  readonly received: string;
}

export function issueAt(path: string, expected: string, value: unknown): Issue {
  return { path, expected, received: describeValue(value, path) };
}

/** Returns an issue of a part as one of the whole: its path starts with the name of the whole. */
export function issueWithin<Part extends Issue>(whole: string, issue: Part): Part {
  const { path } = issue;
  if (path === rootPath) return { ...issue, path: whole };
  return { ...issue, path: path.startsWith('[') ? whole + path : `${whole}.${path}` };
}

/** Returns the issue of a missing option that an environment variable can give as well. */
export function missingOption(path: string, expected: string, variable: string): Issue {
  return { path, expected, received: `nothing (pass it, or set ${variable})` };
}

/** Returns `path: expected …, got …`, without the path for the whole value. */
export function formatIssue({ path, expected, received }: Issue): string {
  return `${path === rootPath ? '' : `${path}: `}expected ${expected}, got ${received}`;
}
