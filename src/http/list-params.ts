import { invalidRequest } from '../base/errors.ts';
import { issueAt } from '../base/issue.ts';
import { integerFrom, optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { conforms, issuesOf } from '../base/validation.ts';
import { accept, noBody, withinParams } from './arguments.ts';
import type { Encoding } from './call.ts';

/** Parameters of a list that is paged by cursor. Every list accepts them. */
interface CursorParams {
  /**
   * The maximum number of items on a page; an integer from 1 (*inferred*). Default: the service chooses; the interface shows
   * its default only for lists that are paged by offset. Without a `limit`, the lists of API keys and webhook endpoints are
   * one complete page (*shown*).
   */
  limit?: number | undefined;
  /** The id of the object after which the page starts, without that object. Lists go from the newest to the oldest. */
  starting_after?: string | undefined;
  /** Must be absent: `offset` and `starting_after` cannot be combined. */
  offset?: undefined;
}

/** Parameters of a list that is paged by offset. Its pages shift if objects are created meanwhile. */
interface OffsetParams {
  /** The maximum number of items on a page; an integer from 1 (*inferred*) to 100. Default: the service's default, 20. */
  limit?: number | undefined;
  /** How many items to skip; an integer from 0. After the first page, iteration continues by cursor. */
  offset: number;
  /** Must be absent: `offset` and `starting_after` cannot be combined. */
  starting_after?: undefined;
}

/** Parameters of a list: paged by cursor or by offset, never by both. */
export type ListParams = CursorParams | OffsetParams;

const filterAdvice =
  'Nothing was sent. No filter is documented, and the service may ignore one: send it with payments.request({ method, path, query }).';

const cursorForm = /* @__PURE__ */ optionsOf<CursorParams>(() => ({
  limit: s.optional(integerFrom(1)),
  starting_after: s.optional(s.filled('an id')),
  offset: s.absent('no offset'),
}));

const offsetForm = /* @__PURE__ */ optionsOf<OffsetParams>(() => ({
  limit: s.optional(integerFrom(1, 100)),
  offset: integerFrom(0),
  // Refused together with `offset`.
  starting_after: unchecked(),
}));

const parameterNames = ['limit', 'starting_after', 'offset'];

/**
 * Returns the parameters of a list.
 *
 * @param maxLimit The greatest `limit` that the service is known to take.
 * @throws InvalidRequestError when a parameter is wrong.
 */
function checkListParams(operation: string, given: unknown, maxLimit?: number): ListParams {
  const params: ListParams = Object(given);
  const { limit, offset, starting_after: cursor } = params;
  const form: s.Schema<unknown> = offset === undefined ? cursorForm : offsetForm;
  const isBoth = offset !== undefined && cursor !== undefined;
  const isTooMany = offset === undefined && typeof limit === 'number' && limit > (maxLimit ?? limit);
  if (!isBoth && !isTooMany && conforms(form, given)) return params;
  const both = { path: 'offset', expected: 'either offset or starting_after', received: 'both' };
  const many = issueAt('limit', `an integer from 1 to ${maxLimit}`, limit);
  const issues = [...issuesOf(form, given), ...(isBoth ? [both] : []), ...(isTooMany ? [many] : [])];
  const isFilter = Object.keys(params).some((name) => !parameterNames.includes(name));
  throw invalidRequest(operation, issues, isFilter ? filterAdvice : undefined);
}

/**
 * The query of a list.
 *
 * @param cursor Where a page after the first begins.
 */
export function listEncoding(path: string, cursor: string | undefined): Encoding<unknown> {
  return {
    isKeyed: false,
    encode(copied, call) {
      const { operation, connection } = call;
      const given = accept(call, copied, withinParams);
      const params = checkListParams(operation, given, connection.forms.maxLimit);
      return { path, query: listQuery(params, cursor), body: noBody };
    },
  };
}

/**
 * Returns the query of a list with its question mark, or an empty string without parameters. Iteration that starts from an offset goes
 * on by cursor.
 */
function listQuery({ limit, offset, starting_after: start }: ListParams, cursor = start): string {
  const place = cursor === undefined ? { offset } : { starting_after: cursor };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ limit, ...place }))
    if (value !== undefined) query.append(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
