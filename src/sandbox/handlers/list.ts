import type { Collection } from '../collection.ts';
import { readPage } from '../pagination.ts';
import type { Handler } from './handler.ts';

/** A handler that lists a collection. The name of the field with the items is not shown, so it can be chosen. */
export function list<T extends { readonly id: string }>(
  collection: Collection<T>,
  itemsField: string,
): Handler {
  return ({ query }) => {
    const { items, hasMore, nextCursor } = readPage(collection, query);
    return { [itemsField]: items, has_more: hasMore, next_cursor: nextCursor };
  };
}
