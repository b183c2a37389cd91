import { readCount } from '../api/request/pagination.ts';
import { invalidParameter } from '../domain/problem.ts';
import type { Collection, Identified } from '../store/collection.ts';

/** The position and the size of a page. */
interface PageRequest {
  /** The query, with `limit` and a cursor. */
  readonly query: URLSearchParams;
  /** The name of the cursor parameter. Its value is the id of the oldest object that the caller has. */
  readonly cursor: 'before' | 'starting_after';
  /** The default page size. */
  readonly size: number;
}

/** Matching objects, newest first, and whether there are older ones. */
export interface MatchingPage<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** How many objects are scanned at a time. */
const step = 200;

/**
 * Returns a page of matching objects.
 *
 * @throws Problem when the limit or the cursor is invalid.
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
      // One more match tells whether there are older ones.
      if (found.length === limit) return { items: found, hasMore: true };
      found.push(item);
    }
    if (items.length < step) return { items: found, hasMore: false };
    olderThan = items.at(-1)?.id;
  }
}
