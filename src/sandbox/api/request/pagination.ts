import { invalidParameter } from '../../domain/problem.ts';
import type { Collection, Identified } from '../../store/collection.ts';

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
export function readCount(
  query: URLSearchParams,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw invalidParameter(name, `${name}: expected an integer ${bounds}.`);
}

/** Where a page begins. */
function readCursor<T extends Identified>(
  collection: Collection<T>,
  query: URLSearchParams,
): string | undefined {
  const cursor = query.get('starting_after') ?? undefined;
  if (cursor === undefined || collection.knows(cursor)) return cursor;
  throw invalidParameter('starting_after', `starting_after: there is no ${collection.label} '${cursor}'.`);
}

/** How long pages are. */
export interface PageSizes {
  /** How many objects a page has where the query does not say it. */
  readonly size: number;
  /** The greatest `limit` in the cursor form. Default: none. */
  readonly maxLimit?: number;
}

/**
 * The page that a query asks for. A cursor is an object, so objects that are created during a walk
 * neither shift it nor show in it.
 *
 * @throws Problem when a parameter is wrong, or both forms of pagination are mixed.
 */
export function readPage<T extends Identified>(
  collection: Collection<T>,
  query: URLSearchParams,
  { size, maxLimit = Number.MAX_SAFE_INTEGER }: PageSizes,
): Page<T> {
  if (query.has('offset') && query.has('starting_after')) {
    throw invalidParameter('offset', 'offset and starting_after cannot be combined.');
  }
  // The interface bounds the limit for offsets only.
  const limit = readCount(query, 'limit', 1, query.has('offset') ? maxOffsetLimit : maxLimit) ?? size;
  const offset = readCount(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  // One more tells whether older ones follow.
  const found = collection.page({ olderThan: readCursor(collection, query), skip: offset, limit: limit + 1 });
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { items, hasMore, nextCursor: hasMore ? items.at(-1)?.id : undefined };
}
