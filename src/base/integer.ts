import { type Issue, issueAt } from './issue.ts';

/** The longest wait that a timer can hold, in ms. */
export const maxTimer = 2 ** 31 - 1;

/** Whether a value is an integer within bounds that a number holds exactly. */
export function isIntegerFrom(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

/** What is wrong with a value that must be an integer within bounds, or left out. */
export function integerIssues(
  path: string,
  value: unknown,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): Issue[] {
  if (value === undefined || isIntegerFrom(value, min, max)) return [];
  const bounds =
    max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  return [issueAt(path, bounds, value)];
}
