import { InvalidRequestError } from '../base/errors.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { conforms, issuesOf } from '../base/validation.ts';

/** Parameters of a list in the cursor form, which every list takes. */
export interface CursorParams {
  /**
   * How many items a page has at most; an integer from 1 (*inferred*). Default: the service's, which is *shown* for the offset form
   * alone. The lists of API keys and webhook endpoints are whole without it (*shown*).
   */
  readonly limit?: number | undefined;
  /** Start strictly after the object with this id. Lists go from the newest to the oldest. */
  readonly starting_after?: string | undefined;
  /** Left out: the two forms cannot be combined. */
  readonly offset?: undefined;
}

/** Parameters of a list in the offset form. Its pages shift when objects are created meanwhile. */
export interface OffsetParams {
  /** How many items a page has at most; an integer from 1 (*inferred*) to 100. Default: the service's, 20. */
  readonly limit?: number | undefined;
  /** How many items to skip; an integer from 0. Iteration goes on by cursor after the first page. */
  readonly offset: number;
  /** Left out: the two forms cannot be combined. */
  readonly starting_after?: undefined;
}

/** Parameters of a list: the cursor form or the offset form, never both. */
export type ListParams = CursorParams | OffsetParams;

const anId = 'an id';
const offsetText = 'an integer from 0';
const cursorLimit = 'an integer from 1';
const offsetLimit = 'an integer from 1 to 100';

const filterAdvice =
  'Nothing was sent. No filter is documented, and the service may ignore one: send it with payments.request({ method, path, query }).';

const cursorForm = optionsOf<CursorParams>({
  limit: s.optional(s.integer(cursorLimit).check(s.minimum(1, cursorLimit))),
  starting_after: s.optional(s.string(anId).check(s.filled(anId))),
  offset: s.absent('no offset'),
});

const offsetForm = optionsOf<OffsetParams>({
  limit: s.optional(s.integer(offsetLimit).check(s.minimum(1, offsetLimit), s.maximum(100, offsetLimit))),
  offset: s.integer(offsetText).check(s.minimum(0, offsetText)),
  // Refused together with `offset`.
  starting_after: unchecked(),
});

const parameterNames = ['limit', 'starting_after', 'offset'];

function checkParams(operation: string, params: ListParams, maxLimit: number | undefined): void {
  const { limit, offset, starting_after: cursor } = params;
  const form: s.Schema<unknown> = offset === undefined ? cursorForm : offsetForm;
  const isBoth = offset !== undefined && cursor !== undefined;
  const isTooMany = offset === undefined && maxLimit !== undefined && Number(limit) > maxLimit;
  if (!isBoth && !isTooMany && conforms(form, params)) return;
  const both = { path: 'offset', expected: 'either offset or starting_after', received: 'both' };
  const many = { path: 'limit', expected: `an integer from 1 to ${maxLimit}`, received: String(limit) };
  const issues = [...issuesOf(form, params), ...(isBoth ? [both] : []), ...(isTooMany ? [many] : [])];
  const isFilter = Object.keys(params).some((name) => !parameterNames.includes(name));
  throw new InvalidRequestError(operation, issues, isFilter ? filterAdvice : undefined);
}

/**
 * Returns the query of a list with its question mark, or an empty string without parameters.
 *
 * @param maxLimit The greatest `limit` that the service is known to take.
 * @throws InvalidRequestError when a parameter is wrong.
 */
export function listQuery(operation: string, params: ListParams, maxLimit?: number): string {
  checkParams(operation, params, maxLimit);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
