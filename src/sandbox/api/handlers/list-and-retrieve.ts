import type { Forms } from '../../domain/forms.ts';
import type { Collection } from '../../store/collection.ts';
import { defaultLimit, readPage } from '../request/pagination.ts';
import { type Handler, named } from './handler.ts';

/** The read methods of a collection. */
export interface Reading {
  /** Returns one object. */
  readonly retrieve: Handler;
  /** Returns a page of objects. */
  readonly list: Handler;
}

/** Creates the read methods of a collection; `size` is the page size without a `limit`. */
export type ReadingOf = <T extends { readonly id: string }>(
  collection: Collection<T>,
  size?: number,
) => Reading;

/** Returns read methods with the service's pagination. */
export function readingHandlers({ itemsField, maxLimit }: Forms): ReadingOf {
  return (collection, size = Math.min(defaultLimit, maxLimit)) => ({
    retrieve: (call) => named(collection, call),
    list: ({ query }) => {
      const { items, hasMore, nextCursor } = readPage(collection, query, { size, maxLimit });
      return { [itemsField]: items, has_more: hasMore, next_cursor: nextCursor };
    },
  });
}
