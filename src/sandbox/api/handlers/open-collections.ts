import { defaults } from '../../domain/object-defaults.ts';
import { objectNotFound } from '../../domain/problem.ts';
import type { SandboxKind, SandboxObjects, SandboxOpenObject } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import { openBody, readParameters } from '../request/parameters.ts';
import { type Call, type Handler, named } from './handler.ts';

/** The kinds whose fields the interface does not show. */
export type OpenKind = {
  [Kind in SandboxKind]: SandboxOpenObject extends SandboxObjects[Kind] ? Kind : never;
}[SandboxKind];

/** The write methods of kinds whose fields the interface does not show. */
export interface OpenWriting {
  /** Stores any fields. */
  readonly create: Handler;
  /** Merges any fields. */
  readonly update: Handler;
  /** Removes an object from its list. */
  readonly delete: Handler;
}

const parameters = openBody();

function create(state: State, kind: OpenKind, { body }: Call): SandboxOpenObject {
  // The sandbox's own fields come last, so that a body cannot override them.
  return state.objects[kind].add({ ...readParameters(parameters, body), ...defaults[kind](state) });
}

function update(state: State, kind: OpenKind, call: Call): SandboxOpenObject {
  const before = named(state.objects[kind], call);
  const { id, object, livemode, created_at } = before;
  const own = { id, object, livemode, created_at, updated_at: state.clock.seconds() };
  return state.objects[kind].replace({ ...before, ...readParameters(parameters, call.body), ...own });
}

/** A repeated deletion returns the same response, so that retries are harmless. */
function remove(state: State, kind: OpenKind, { id }: Call): object {
  const collection = state.objects[kind];
  if (!collection.knows(id)) throw objectNotFound(collection.label, id);
  collection.remove(id);
  return { id, object: kind, deleted: true };
}

/** Creates the write methods of an open kind. A route that does not exist uses none of them. */
export function openWriting(state: State, kind: OpenKind): OpenWriting {
  return {
    create: (call) => create(state, kind, call),
    update: (call) => update(state, kind, call),
    delete: (call) => remove(state, kind, call),
  };
}
