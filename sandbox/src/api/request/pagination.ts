import { invalidParameter } from '../../domain/problem.ts';
import { isPlainName, meantBy } from '../../sdk.ts';
import type { Collection, Identified } from '../../store/collection.ts';

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  /** The id of the last object, if there are older ones. */
  readonly nextCursor: string | undefined;
}

export const defaultLimit = 20;
const maxOffsetLimit = 100;
const names = ['limit', 'offset', 'starting_after'];

/** Reads an integer query parameter; `undefined` if it is missing. */
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

function readCursor<T extends Identified>(
  collection: Collection<T>,
  query: URLSearchParams,
): string | undefined {
  const cursor = query.get('starting_after') ?? undefined;
  if (cursor === undefined || collection.knows(cursor)) return cursor;
  throw invalidParameter('starting_after', `starting_after: there is no ${collection.label} '${cursor}'.`);
}

/** Rejects a name that probably stands for one of pagination: without it, the list would begin anew. Any other name passes. */
function checkQueryNames(query: URLSearchParams): void {
  for (const name of query.keys()) {
    const hint = names.includes(name) ? '' : meantBy(name, names);
    if (hint === '' || !isPlainName(name)) continue;
    throw invalidParameter(
      name,
      `${name}: expected a parameter of a list, got an unknown one${hint}. Correct it.`,
    );
  }
}

export interface PageSizes {
  /** The default page size. */
  readonly size: number;
  /** The maximum `limit` of cursor pagination. Default: none. */
  readonly maxLimit?: number;
}

/**
 * Returns the page that a query asks for. A cursor is an object, so objects that are created meanwhile neither shift
 * the pages nor appear in them.
 *
 * @throws Problem when a parameter is invalid, or both kinds of pagination are mixed.
 */
export function readPage<T extends Identified>(
  collection: Collection<T>,
  query: URLSearchParams,
  { size, maxLimit = Number.MAX_SAFE_INTEGER }: PageSizes,
): Page<T> {
  checkQueryNames(query);
  if (query.has('offset') && query.has('starting_after')) {
    throw invalidParameter('offset', 'offset and starting_after cannot be combined.');
  }
  // The interface limits offset pagination only.
  const limit = readCount(query, 'limit', 1, query.has('offset') ? maxOffsetLimit : maxLimit) ?? size;
  const offset = readCount(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  // One more object tells whether there are older ones.
  const found = collection.page({ olderThan: readCursor(collection, query), skip: offset, limit: limit + 1 });
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { items, hasMore, nextCursor: hasMore ? items.at(-1)?.id : undefined };
}
