import type { RouteName } from 'payments-client';
import type { Forms } from '../../domain/forms.ts';
import { objectNotFound } from '../../domain/problem.ts';
import type { Collection } from '../../store/collection.ts';
import { defaultLimit, readPage } from '../request/pagination.ts';

/** The parsed request that a handler gets. */
export interface Call {
  /** The `{id}` in the path; empty if the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The JSON body; an empty object if there is none. */
  readonly body: unknown;
}

/**
 * Executes one route, and returns the body of its 200 response. It is synchronous, so no other change can interleave.
 *
 * @throws Problem when it refuses the request; nothing has changed then. A declined card is not a refusal: the
 * attempt is recorded.
 */
export type Handler = (call: Call) => object;

type CollectionName = RouteName extends infer Name
  ? Name extends `${infer Collection}.${string}`
    ? Collection
    : never
  : never;

export type Methods<Name extends CollectionName> = {
  readonly [Route in RouteName as Route extends `${Name}.${infer Method}` ? Method : never]: Handler;
};

export type Handlers = { readonly [Name in CollectionName]: Methods<Name> };

/** Returns the object that the path names. */
export function named<T extends { readonly id: string }>(collection: Collection<T>, { id }: Call): T {
  const item = collection.get(id);
  if (item === undefined) throw objectNotFound(collection.label, id);
  return item;
}

export interface Reading {
  readonly retrieve: Handler;
  readonly list: Handler;
}

/** Creates the read methods of a collection; `size` is the page size without a `limit`. */
type ReadingOf = <T extends { readonly id: string }>(collection: Collection<T>, size?: number) => Reading;

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
