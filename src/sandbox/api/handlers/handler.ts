import type { RouteName } from '../../../resources/routes.ts';
import { objectNotFound } from '../../domain/problem.ts';
import type { Collection } from '../../store/collection.ts';

/** What a handler needs to know of a request. */
export interface Call {
  /** The `{id}` of the path; empty where the path has none. */
  readonly id: string;
  /** The query of the address. */
  readonly query: URLSearchParams;
  /** The body as JSON; an empty object where there was none. */
  readonly body: unknown;
}

/**
 * Does what one route is for, and returns the body of its 200 reply. It is not asynchronous, so nothing can come
 * between the first and the last of its changes.
 *
 * @throws Problem when it refuses; nothing has changed then. A card that is declined is no refusal: the attempt
 * stays on record.
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

/** The object that the path names. */
export function named<T extends { readonly id: string }>(collection: Collection<T>, { id }: Call): T {
  const item = collection.get(id);
  if (item === undefined) throw objectNotFound(collection.label, id);
  return item;
}
