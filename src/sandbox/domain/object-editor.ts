import { unknownNameProblem } from '../../base/unknown-names.ts';
import { issuesOf } from '../../base/validation.ts';
import { fieldNamesOf, resourceSchemas } from '../../resources/schemas.ts';
import type { Collection } from '../store/collection.ts';
import { updateSubscriptionStatus } from './billing/subscription-status.ts';
import { defaults } from './object-defaults.ts';
import { updateRefundedAmount } from './payments/refunded-amount.ts';
import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';
import { lackingInState } from './state-defaults.ts';

type Fields<Kind extends SandboxKind> = Partial<SandboxObjects[Kind]>;

/** The side effects of an update by kind. */
type Consequences = {
  readonly [Kind in SandboxKind]?: (
    state: State,
    before: SandboxObjects[Kind],
    after: SandboxObjects[Kind],
  ) => void;
};

const consequences: Consequences = { refund: updateRefundedAmount, invoice: updateSubscriptionStatus };

/**
 * Adds, reads and updates objects without a request. It accepts any fields that keep the object valid by its schema.
 */
export class ObjectEditor {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Adds an object as the newest. */
  add<Kind extends SandboxKind>(kind: Kind, fields: Fields<Kind> | undefined): SandboxObjects[Kind] {
    const collection = this.#collection('add', kind);
    refuseUnknownFields('add', kind, fields);
    const object = this.#withFields('add', kind, defaults[kind](this.#state), fields);
    if (collection.knows(object.id)) {
      throw new Error(`sandbox.add: expected a new id, but '${object.id}' is taken.`);
    }
    this.#state.unit(() => collection.add(object));
    return object;
  }

  /** Returns one object, or `undefined`. */
  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#collection('get', kind).get(id);
  }

  /** Updates fields of an object. */
  update<Kind extends SandboxKind>(kind: Kind, id: string, fields: Fields<Kind>): SandboxObjects[Kind] {
    const collection = this.#collection('update', kind);
    refuseUnknownFields('update', kind, fields);
    const before = collection.get(id);
    if (before === undefined) throw new Error(`sandbox.update: there is no ${collection.label} '${id}'.`);
    const touched = Object.hasOwn(before, 'updated_at') ? { updated_at: this.#state.clock.seconds() } : {};
    const after = this.#withFields('update', kind, { ...before, ...touched }, fields);
    if (after.id !== id) throw new Error(`sandbox.update: the id '${id}' cannot be changed.`);
    return this.#state.unit(() => {
      collection.replace(after);
      consequences[kind]?.(this.#state, before, after);
      return after;
    });
  }

  /** Returns the object with the given fields, and with the fields that its state implies. */
  #withFields<Kind extends SandboxKind>(
    method: string,
    kind: Kind,
    before: SandboxObjects[Kind],
    fields: Fields<Kind> | undefined,
  ): SandboxObjects[Kind] {
    const given = structuredClone(fields);
    const lacking = lackingInState(kind, { ...before, ...given }, this.#state);
    return conform(method, kind, { ...before, ...lacking, ...given });
  }

  #collection<Kind extends SandboxKind>(method: string, kind: Kind): Collection<SandboxObjects[Kind]> {
    if (Object.hasOwn(resourceSchemas, kind)) return this.#state.objects[kind];
    const known = Object.keys(resourceSchemas).join(', ');
    throw new Error(`sandbox.${method}: expected one of the kinds ${known}; got '${kind}'.`);
  }
}

/** Rejects unknown fields: a misspelt one would silently leave the intended field unchanged. */
function refuseUnknownFields(method: string, kind: SandboxKind, fields: object | undefined): void {
  const known = fieldNamesOf(kind);
  if (known === undefined || fields === undefined) return;
  const problem = unknownNameProblem(kind, fields, known);
  if (problem !== undefined) throw new Error(`sandbox.${method}: ${problem}.`);
}

/** Validates an object by the schema of its kind. */
function conform<T extends { readonly object?: unknown }>(method: string, kind: SandboxKind, object: T): T {
  const [issue] = issuesOf(resourceSchemas[kind], object);
  if (issue === undefined && object.object === kind) return object;
  const { path, expected, received } = issue ?? {
    path: 'object',
    expected: `'${kind}'`,
    received: 'another',
  };
  const wrong = `${path}: expected ${expected}, got ${received}`;
  throw new Error(`sandbox.${method}: the fields do not make a ${kind}: ${wrong}.`);
}
