import type { RouteName } from 'payments-client';
import { collectionObjects, routes } from '../sdk.ts';
import type { CollectionName } from './interface-types.ts';

/** Whether a text is the name of a method in the client, such as `refunds.create`. */
export function isRouteName(name: string): name is RouteName {
  return Object.hasOwn(routes, name);
}

/** Whether a text is the name of a collection in the client, such as `refunds`. */
export function isCollectionName(name: string): name is CollectionName {
  return Object.hasOwn(collectionObjects, name);
}

/** The names of all collections. */
export const collectionNames: readonly CollectionName[] =
  Object.keys(collectionObjects).filter(isCollectionName);
