import { readCount } from '../api/request/pagination.ts';
import { invalidParameter } from '../domain/problem.ts';
import type { Collection, Identified } from '../store/collection.ts';

/** Where a page of matching objects begins, and how long it is. */
interface PageRequest {
  /** The query of the address, with `limit` and a cursor. */
  readonly query: URLSearchParams;
  /** The name of the cursor: the id of the oldest object that the caller has. */
  readonly cursor: 'before' | 'starting_after';
  /** How many objects a page has where the query does not say it. */
  readonly size: number;
}

/** Matching objects, newest first, and whether there are older ones. */
export interface MatchingPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** How many objects are looked at in one step. */
const step = 200;

/**
 * Returns a page of the objects that match.
 *
 * @throws Problem when the limit or the cursor is wrong.
 */
export function matchingPage<T extends Identified>(
  collection: Collection<T>,
  { query, cursor, size }: PageRequest,
  matches: (item: T) => boolean,
): MatchingPage<T> {
  const limit = readCount(query, 'limit', 1, Number.MAX_SAFE_INTEGER) ?? size;
  let olderThan = query.get(cursor) ?? undefined;
  if (olderThan !== undefined && !collection.knows(olderThan)) {
    throw invalidParameter(cursor, `${cursor}: there is no ${collection.label} '${olderThan}'.`);
  }
  const found: T[] = [];
  for (;;) {
    const items = collection.page({ olderThan, limit: step });
    for (const item of items.filter(matches)) {
      // One more tells whether older ones follow.
      if (found.length === limit) return { items: found, hasMore: true };
      found.push(item);
    }
    if (items.length < step) return { items: found, hasMore: false };
    olderThan = items.at(-1)?.id;
  }
}
