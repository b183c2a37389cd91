import type { Forms } from '../../domain/forms.ts';
import type { Collection } from '../../store/collection.ts';
import { defaultLimit, readPage } from '../request/pagination.ts';
import { type Handler, named } from './handler.ts';

/** What every collection can do. */
export interface Reading {
  /** Gives one object. */
  readonly retrieve: Handler;
  /** Gives a page of them. */
  readonly list: Handler;
}

/** Makes the handlers that read a collection; `size` is that of a page whose `limit` was not given. */
export type ReadingOf = <T extends { readonly id: string }>(
  collection: Collection<T>,
  size?: number,
) => Reading;

/** Handlers that read, with the pages of the service. */
export function readingHandlers({ itemsField, maxLimit }: Forms): ReadingOf {
  return (collection, size = Math.min(defaultLimit, maxLimit)) => ({
    retrieve: (call) => named(collection, call),
    list: ({ query }) => {
      const { items, hasMore, nextCursor } = readPage(collection, query, { size, maxLimit });
      return { [itemsField]: items, has_more: hasMore, next_cursor: nextCursor };
    },
  });
}
