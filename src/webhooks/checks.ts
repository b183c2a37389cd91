import { ConfigurationError, type Issue } from '../base/errors.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';

/** From here on a number may be the number of a card. */
const isLong = (value: number) => Number.isFinite(value) && Math.abs(value) >= 1e11;

/** A value in words. Texts are counted, never repeated: what stands in the wrong place may be a secret. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return isLong(value) ? 'a number' : `the number ${value}`;
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** One wrong value. */
export function issue(path: string, expected: string, value: unknown): Issue {
  return { path, expected, received: describe(value) };
}

/** Throws where anything is wrong. */
export function refuse(issues: readonly Issue[], advice: string): void {
  if (issues.length > 0) throw new ConfigurationError(issues, advice);
}

/** Whether a value is an object, so that its properties may be looked at. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What is wrong with a value that must be an integer within bounds. */
export function integerIssues(path: string, value: unknown, max: number): Issue[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return [];
  return [issue(path, `an integer from 1 to ${max}`, value)];
}

/** The issues of an options object: it is not an object, or it has unknown names. */
export function optionIssues(path: string, options: unknown, known: readonly string[]): Issue[] {
  if (!isObject(options)) return [issue(path, 'an object', options)];
  return unknownNameIssues(`${path}.`, options, known);
}
