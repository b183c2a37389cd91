import { describeValue } from './describe.ts';
import type { Issue } from './errors.ts';
import type { ListParams } from './page.ts';

const maxOffsetLimit = 100;

function integerIssue(path: string, value: unknown, min: number, max: number): Issue[] {
  if (value === undefined) return [];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return [];
  const bounds =
    max === Number.MAX_SAFE_INTEGER ? `an integer from ${min}` : `an integer from ${min} to ${max}`;
  return [{ path, expected: bounds, received: describeValue(value, path) }];
}

/** What is wrong with the parameters of a list. */
export function listParamIssues(params: ListParams): readonly Issue[] {
  const { limit, offset, starting_after: cursor } = params;
  const issues = [
    ...integerIssue('limit', limit, 1, offset === undefined ? Number.MAX_SAFE_INTEGER : maxOffsetLimit),
    ...integerIssue('offset', offset, 0, Number.MAX_SAFE_INTEGER),
  ];
  if (cursor !== undefined && (typeof cursor !== 'string' || cursor === '')) {
    issues.push({
      path: 'starting_after',
      expected: 'an id',
      received: describeValue(cursor, 'starting_after'),
    });
  }
  if (offset !== undefined && cursor !== undefined) {
    issues.push({ path: 'offset', expected: 'either offset or starting_after', received: 'both' });
  }
  return issues;
}
