/** Names that no service has: requests for them cannot change anything. */

import { idPrefixes } from '../sdk.ts';

const mark = 'payments_client_probe';

/** A collection that does not exist. */
export const noCollection = `no_such_collection_${mark}`;

/** An operation that does not exist. */
export const noOperation = `no_such_operation_${mark}`;

const prefixes: Readonly<Record<string, string>> = idPrefixes;

/** Returns an id of a kind of object that no object has. */
export function noIdOf(kind: string): string {
  return `${prefixes[kind] ?? ''}no_such_object_${mark}`;
}

/** Returns whether a path names an object or a collection that does not exist. */
export function isImpossible(path: string): boolean {
  return path.includes(mark);
}
