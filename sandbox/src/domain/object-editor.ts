import type { Charge, Refund } from 'payments-client';
import { optionIssues } from '../base/check-options.ts';
import { isRecord } from '../base/json.ts';
import { refuse, refuseId, refuseValue } from '../base/refuse.ts';
import { fieldNamesOf, meantBy, resourceSchemas, unknownNames } from '../sdk.ts';
import type { Collection } from '../store/collection.ts';
import { updateSubscriptionStatus } from './billing/invoice.ts';
import { followDefaultMethod, requireBillable } from './billing/subscription.ts';
import { defaults } from './object-defaults.ts';
import { updateRefundedAmount } from './payments/refund.ts';
import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';

/** The fields that a state implies, by kind. */
type StateFields = {
  readonly [Kind in SandboxKind]?: (
    object: Partial<SandboxObjects[Kind]>,
    state: State,
  ) => Partial<SandboxObjects[Kind]>;
};

/** The batch of a charge or a refund that is settled. */
function settlement({ settled_at = null }: Partial<Charge> | Partial<Refund>, { ids }: State) {
  return settled_at === null ? {} : { settlement_batch_id: ids.next('tmb') };
}

/** Fields that the service sets in a state and that new objects lack. */
const broughtBy: StateFields = {
  checkout_session: ({ payment_status }, { ids }) =>
    payment_status === 'paid' ? { payment_intent_id: ids.next('pi') } : {},
  payment_intent: ({ status }, { ids }) =>
    status === 'succeeded' ? { latest_charge_id: ids.next('ch') } : {},
  charge: settlement,
  refund: (refund, state) => ({
    ...(refund.status === 'failed' && { failure_message: 'already_refunded' }),
    ...settlement(refund, state),
  }),
  invoice: ({ status, collection_method }, { ids, clock }) => {
    if (status !== 'paid') return {};
    const paid = { payment_intent: ids.next('pi'), paid_at: clock.seconds() };
    return collection_method === 'charge_automatically'
      ? { ...paid, collection_payment_method_id: ids.next('pm') }
      : paid;
  },
  subscription: ({ status }, { clock }) =>
    status === 'canceled' ? { canceled_at: clock.seconds(), ended_at: clock.seconds() } : {},
  credit_note: ({ status }, { clock }) => (status === 'void' ? { voided_at: clock.seconds() } : {}),
};

/** Returns the missing fields that the state of an object implies, so that a test can set the state alone. */
function lackingInState<Kind extends SandboxKind>(
  kind: Kind,
  object: Partial<SandboxObjects[Kind]>,
  state: State,
): object {
  const brought = Object.entries(broughtBy[kind]?.(object, state) ?? {});
  return Object.fromEntries(brought.filter(([name]) => (Reflect.get(object, name) ?? null) === null));
}

type Fields<Kind extends SandboxKind> = Partial<SandboxObjects[Kind]>;

/** The side effects of an update by kind. */
type Consequences = {
  readonly [Kind in SandboxKind]?: (
    state: State,
    before: SandboxObjects[Kind],
    after: SandboxObjects[Kind],
  ) => void;
};

const consequences: Consequences = {
  refund: updateRefundedAmount,
  invoice: updateSubscriptionStatus,
  customer: followDefaultMethod,
  price: (state, _, { id }) => requireBillable(state, id),
};

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
    const initial = defaults[kind](this.#state);
    refuseUnknownFields(kind, fields, initial);
    const object = this.#withFields(kind, initial, fields);
    if (collection.knows(object.id)) {
      refuseId(`${kind}.id`, 'a new id', object.id, 'which is taken', 'Leave out the id, or pass another.');
    }
    this.#state.unit(() => collection.add(object));
    return object;
  }

  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#collection('get', kind).get(id);
  }

  update<Kind extends SandboxKind>(kind: Kind, id: string, fields: Fields<Kind>): SandboxObjects[Kind] {
    const collection = this.#collection('update', kind);
    const before = collection.get(id);
    refuseUnknownFields(kind, fields, before);
    if (before === undefined) return refuseId('sandbox.update.id', `the id of a ${collection.label}`, id);
    const touched = Object.hasOwn(before, 'updated_at') ? { updated_at: this.#state.clock.seconds() } : {};
    const after = this.#withFields(kind, { ...before, ...touched }, fields);
    if (after.id !== id) {
      const expected = `'${id}', since an id cannot be changed`;
      return refuseValue(`${kind}.id`, expected, after.id, 'Leave out the id.');
    }
    return this.#state.unit(() => {
      collection.replace(after);
      consequences[kind]?.(this.#state, before, after);
      return after;
    });
  }

  /** Returns the object with the given fields, and with the fields that its state implies. */
  #withFields<Kind extends SandboxKind>(
    kind: Kind,
    before: SandboxObjects[Kind],
    fields: Fields<Kind> | undefined,
  ): SandboxObjects[Kind] {
    const given = copyFields(kind, fields);
    const lacking = lackingInState(kind, { ...before, ...given }, this.#state);
    return conform(kind, { ...before, ...lacking, ...given });
  }

  #collection<Kind extends SandboxKind>(method: string, kind: Kind): Collection<SandboxObjects[Kind]> {
    if (Object.hasOwn(resourceSchemas, kind)) return this.#state.objects[kind];
    const known = Object.keys(resourceSchemas).join(', ');
    return refuseValue(`sandbox.${method}.kind`, `one of ${known}`, kind, 'Pass a kind of object.');
  }
}

/**
 * Copies the fields of an object of this kind, or of an event's object.
 *
 * @throws ConfigurationError when they cannot be copied, such as a function.
 */
export function copyFields<Given>(name: string, fields: Given): Given {
  try {
    return structuredClone(fields);
  } catch {
    return refuseValue(
      name,
      'fields with values that JSON can hold',
      fields,
      `Correct the fields of ${name}.`,
    );
  }
}

/** Fields that the sandbox reads, and that no new object has. The interface shows no field of these kinds. */
const readFields: { readonly [Kind in SandboxKind]?: readonly string[] } = {
  product: ['name'],
  price: ['name', 'product', 'unit_amount', 'currency'],
  webhook_endpoint: ['url', 'enabled_events', 'secret', 'status'],
};

/** Returns an issue for each field of an open kind whose name probably stands for another one. Other names pass. */
function misspeltFields(kind: SandboxKind, fields: Readonly<Record<string, unknown>>, object: object) {
  const known = [...Object.keys(object), ...(readFields[kind] ?? [])];
  const absent = known.filter((name) => fields[name] === undefined);
  return Object.keys(fields).flatMap((name) => {
    const hint = known.includes(name) ? '' : meantBy(name, absent);
    if (hint === '') return [];
    const received = `an unknown one${hint}`;
    return { path: `${kind}.${name}`, expected: 'another name', received };
  });
}

/** Rejects unknown fields: a misspelt one would silently leave the intended field unchanged. */
export function refuseUnknownFields(kind: SandboxKind, fields: unknown, object: object = {}): void {
  if (fields === undefined) return;
  if (!isRecord(fields)) refuseValue(kind, 'an object', fields, `Correct the fields of the ${kind}.`);
  const known = fieldNamesOf(kind);
  const issues =
    known === undefined ? misspeltFields(kind, fields, object) : unknownNames(kind, fields, known);
  if (issues.length > 0) refuse(issues, `Correct the fields of the ${kind}.`);
}

/** Validates an object by the schema of its kind. */
function conform<T extends { readonly object?: unknown }>(kind: SandboxKind, object: T): T {
  const advice = `Correct the fields of the ${kind}.`;
  const issues = optionIssues(kind, resourceSchemas[kind], object);
  if (issues.length > 0) refuse(issues, advice);
  return object.object === kind ? object : refuseValue(`${kind}.object`, `'${kind}'`, object.object, advice);
}
