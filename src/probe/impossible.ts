/** Names that no service has: what is asked about them can change nothing. */

import { idPrefixes } from '../resources/ids.ts';

const mark = 'payments_client_probe';

/** A collection that does not exist. */
export const noCollection = `no_such_collection_${mark}`;

/** An operation that does not exist. */
export const noOperation = `no_such_operation_${mark}`;

const prefixes: Readonly<Record<string, string>> = idPrefixes;

/** An id of a kind of object that no object has. */
export function noIdOf(kind: string): string {
  return `${prefixes[kind] ?? ''}no_such_object_${mark}`;
}

/** Whether a path names an object or a collection that does not exist. */
export function isImpossible(path: string): boolean {
  return path.includes(mark);
}
