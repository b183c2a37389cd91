import type { Issue } from '../base/errors.ts';
import { refuseArguments } from '../base/refuse.ts';

function integerIssue(path: string, value: number, min: number, max: number): Issue[] {
  if (Number.isInteger(value) && value >= min && value <= max) return [];
  // What came is part of a card, so it is not repeated.
  return [
    { path, expected: `an integer from ${min} to ${max}`, received: `another value of type ${typeof value}` },
  ];
}

/**
 * Returns a card's expiry in the format of the form endpoint, `MMYY` (*inferred*).
 *
 * @param month From 1 to 12.
 * @param year With four digits.
 * @throws ConfigurationError when one of them is invalid.
 *
 * @example
 * toCardExpiry(4, 2029); // '0429'
 */
export function toCardExpiry(month: number, year: number): string {
  const issues = [...integerIssue('month', month, 1, 12), ...integerIssue('year', year, 2000, 2099)];
  refuseArguments('toCardExpiry', issues);
  return String(month).padStart(2, '0') + String(year % 100).padStart(2, '0');
}
