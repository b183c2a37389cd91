import { describeValue } from '../base/describe.ts';
import { InvalidRequestError, type Issue } from '../base/errors.ts';
import { integerIssues } from '../base/integer.ts';
import type { ListOptions } from './options.ts';

/** Parameters of a list in the cursor form, which every list takes. */
export interface CursorParams {
  /** How many items a page has at most; an integer from 1. Default: the service's, 20. */
  readonly limit?: number | undefined;
  /** Start strictly after the object with this id. Lists go from the newest to the oldest. */
  readonly starting_after?: string | undefined;
  /** Left out: the two forms cannot be combined. */
  readonly offset?: undefined;
}

/** Parameters of a list in the offset form. Its pages shift when objects are created meanwhile. */
export interface OffsetParams {
  /** How many items a page has at most; an integer from 1 to 100. Default: the service's, 20. */
  readonly limit?: number | undefined;
  /** How many items to skip; an integer from 0. Iteration goes on by cursor after the first page. */
  readonly offset: number;
  /** Left out: the two forms cannot be combined. */
  readonly starting_after?: undefined;
}

/** Parameters of a list: the cursor form or the offset form, never both. */
export type ListParams = CursorParams | OffsetParams;

const maxOffsetLimit = 100;

/** What is wrong with the parameters of a list. */
function listParamIssues(params: ListParams): readonly Issue[] {
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
function prefetchIssues(options: ListOptions | undefined): readonly Issue[] {
  const prefetch: unknown = options?.prefetch;
  if (prefetch === undefined || typeof prefetch === 'boolean') return [];
  return [{ path: 'options.prefetch', expected: 'true or false', received: describeValue(prefetch, '') }];
}

/** @throws InvalidRequestError when a list cannot be asked for in this way. */
export function checkListParams(
  operation: string,
  params: ListParams,
  options: ListOptions | undefined,
): void {
  const issues = [...listParamIssues(params), ...prefetchIssues(options)];
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
}
