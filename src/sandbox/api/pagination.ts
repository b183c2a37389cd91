import { invalidParameter } from '../domain/problem.ts';
import type { Collection } from '../store/collection.ts';

/** A page of a list, newest first. */
export interface Page<T> {
  /** The objects on it. */
  readonly items: readonly T[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
  /** The id of the last object, where older ones follow. */
  readonly nextCursor: string | undefined;
}

/** How many objects a page has unless its size is asked for. */
export const defaultLimit = 20;
const maxOffsetLimit = 100;

/** A query parameter that counts something, or `undefined` where it was not given. */
function readCount(query: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw invalidParameter(name, `${name}: expected an integer ${bounds}.`);
}

/** How many of the oldest objects the page is taken from. */
function countRemaining<T extends { readonly id: string }>(
  collection: Collection<T>,
  query: URLSearchParams,
  offset: number,
): number {
  const cursor = query.get('starting_after');
  if (cursor === null) return collection.size - offset;
  const older = collection.countOlder(cursor);
  if (older !== undefined) return older;
  throw invalidParameter('starting_after', `starting_after: there is no ${collection.type} '${cursor}'.`);
}

/**
 * The page that a query asks for, with `size` objects where it does not say how many. A cursor counts from the oldest object, so that objects which are created during
 * a walk neither shift it nor show in it.
 *
 * @throws Problem when a parameter is wrong, or both forms of pagination are mixed.
 */
export function readPage<T extends { readonly id: string }>(
  collection: Collection<T>,
  query: URLSearchParams,
  size: number,
): Page<T> {
  if (query.has('offset') && query.has('starting_after')) {
    throw invalidParameter('offset', 'offset and starting_after cannot be combined.');
  }
  // The interface bounds the limit for offsets only.
  const maxLimit = query.has('offset') ? maxOffsetLimit : Number.MAX_SAFE_INTEGER;
  const limit = readCount(query, 'limit', 1, maxLimit) ?? size;
  const offset = readCount(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const remaining = countRemaining(collection, query, offset);
  const items = collection.newestOf(remaining, limit);
  const hasMore = remaining > limit;
  return { items, hasMore, nextCursor: hasMore ? items.at(-1)?.id : undefined };
}
