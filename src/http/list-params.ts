import { describeValue } from '../base/describe.ts';
import type { Issue } from '../base/errors.ts';
import { integerIssues } from '../base/integer.ts';
import type { ListOptions } from './options.ts';
import type { ListParams } from './page.ts';

const maxOffsetLimit = 100;

/** What is wrong with the parameters of a list. */
export function listParamIssues(params: ListParams): readonly Issue[] {
  const { limit, offset, starting_after: cursor } = params;
  const issues = [
    ...integerIssues('limit', limit, 1, offset === undefined ? undefined : maxOffsetLimit),
    ...integerIssues('offset', offset, 0),
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

/** What is wrong with the option that only lists take. */
export function prefetchIssues(options: ListOptions | undefined): readonly Issue[] {
  const prefetch: unknown = options?.prefetch;
  if (prefetch === undefined || typeof prefetch === 'boolean') return [];
  return [{ path: 'options.prefetch', expected: 'true or false', received: describeValue(prefetch, '') }];
}
