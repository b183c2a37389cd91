import type { Issue } from 'payments-client';
import { describeValue } from '../sdk.ts';

/** The path of the whole value. */
export const rootPath = '(root)';

/** Formats a path, such as `line_items[0].amount`. Names may come from outside: an error redacts them. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text === '' ? rootPath : text;
}

export function issueAt(path: string, expected: string, value: unknown): Issue {
  return { path, expected, received: describeValue(value, path) };
}

/** Returns an issue of a part as one of the whole: its path starts with the name of the whole. */
export function issueWithin(whole: string, issue: Issue): Issue {
  const { path } = issue;
  if (path === rootPath) return { ...issue, path: whole };
  return { ...issue, path: path.startsWith('[') ? whole + path : `${whole}.${path}` };
}
