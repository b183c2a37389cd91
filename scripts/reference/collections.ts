/** The contents of each collection, for the generated references. */

import {
  type CollectionName,
  collectionObjects,
  isCollectionName,
} from '../../src/resources/collection-objects.ts';
import type { ResourceName } from '../../src/resources/resource-types.ts';
import type { RouteName } from '../../src/resources/routes.ts';
import { isRouteName, routes } from '../../src/resources/routes.ts';

export interface Operation {
  readonly name: RouteName;
  readonly collection: CollectionName;
  readonly method: string;
  /** The result: an object of this kind, a page of them, or the confirmation of a deletion. */
  readonly returns: { readonly object: ResourceName; readonly as: 'object' | 'page' | 'deletion' };
}

function returnsOf(collection: CollectionName, method: string): Operation['returns'] {
  if (method === 'list') return { object: collectionObjects[collection], as: 'page' };
  if (method === 'delete') return { object: collectionObjects[collection], as: 'deletion' };
  return { object: method === 'refund' ? 'refund' : collectionObjects[collection], as: 'object' };
}

function toOperation(name: RouteName): Operation {
  const [collection = '', method = ''] = name.split('.');
  if (!isCollectionName(collection))
    throw new Error(`Expected the name of a collection, got '${collection}'.`);
  return { name, collection, method, returns: returnsOf(collection, method) };
}

/** Returns the name of an object kind in words, with its article: `an account link`. */
export function kindInWords(object: ResourceName): string {
  const words = object.replaceAll('_', ' ').replace('api', 'API');
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Returns the plural name of a collection's objects: `account links`. */
export const pluralOf = (collection: string): string =>
  collection.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api', 'API');

/** Every method of the client with a route, in the order of the route table. */
export const operations: readonly Operation[] = Object.keys(routes).filter(isRouteName).map(toOperation);
