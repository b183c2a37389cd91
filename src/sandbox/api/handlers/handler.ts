import type { RouteName } from '../../../resources/routes.ts';
import { objectNotFound } from '../../domain/problem.ts';
import type { Collection } from '../../store/collection.ts';

/** The parsed request that a handler gets. */
export interface Call {
  /** The `{id}` in the path; empty if the path has none. */
  readonly id: string;
  /** The query. */
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

/** The name of a collection. */
type CollectionName = RouteName extends infer Name
  ? Name extends `${infer Collection}.${string}`
    ? Collection
    : never
  : never;

/** A handler for each method of a collection. */
export type Methods<Name extends CollectionName> = {
  readonly [Route in RouteName as Route extends `${Name}.${infer Method}` ? Method : never]: Handler;
};

/** A handler for each method of every collection. */
export type Handlers = { readonly [Name in CollectionName]: Methods<Name> };

/** Returns the object that the path names. */
export function named<T extends { readonly id: string }>(collection: Collection<T>, { id }: Call): T {
  const item = collection.get(id);
  if (item === undefined) throw objectNotFound(collection.label, id);
  return item;
}
