import type { Id } from '../../resources/ids.ts';
import { unknownReference } from './problem.ts';
import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';

/** Returns the object that a parameter names, also a deleted customer. */
export function findObject<Kind extends SandboxKind>(
  { objects }: State,
  kind: Kind,
  id: string,
  param: string,
): SandboxObjects[Kind] {
  const collection = objects[kind];
  const object = collection.get(id);
  if (object === undefined) throw unknownReference(collection.label, id, param);
  return object;
}

/** Returns the customer id of a parameter; null if it is missing. */
export function findCustomerId(state: State, id: string | null | undefined): Id<'customer'> | null {
  return id === null || id === undefined ? null : findObject(state, 'customer', id, 'customer').id;
}
