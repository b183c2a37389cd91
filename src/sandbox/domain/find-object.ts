import type { Id } from '../../resources/ids.ts';
import { unknownReference } from './problem.ts';
import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';

/** The object that a parameter names. A customer who was deleted is still known. */
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

/** The id of the customer that a parameter names; null where it names none. */
export function findCustomerId(state: State, id: string | null | undefined): Id<'customer'> | null {
  return id === null || id === undefined ? null : findObject(state, 'customer', id, 'customer').id;
}
