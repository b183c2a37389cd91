import type { SandboxKind, SandboxObjects } from './records/records.ts';
import type { State } from './state.ts';

/** The fields that a state implies, by kind. */
type StateFields = {
  readonly [Kind in SandboxKind]?: (
    object: Partial<SandboxObjects[Kind]>,
    state: State,
  ) => Partial<SandboxObjects[Kind]>;
};

/** Fields that the service sets in a state and that new objects lack. */
const broughtBy: StateFields = {
  checkout_session: ({ payment_status }, { ids }) =>
    payment_status === 'paid' ? { payment_intent_id: ids.next('pi') } : {},
  payment_intent: ({ status }, { ids }) =>
    status === 'succeeded' ? { latest_charge_id: ids.next('ch') } : {},
  refund: ({ status }) => (status === 'failed' ? { failure_message: 'already_refunded' } : {}),
  invoice: ({ status }, { ids }) => (status === 'paid' ? { payment_intent: ids.next('pi') } : {}),
  subscription: ({ status }, { clock }) =>
    status === 'canceled' ? { canceled_at: clock.seconds(), ended_at: clock.seconds() } : {},
  credit_note: ({ status }, { clock }) => (status === 'void' ? { voided_at: clock.seconds() } : {}),
};

/** Returns the missing fields that the state of an object implies, so that a test can set the state alone. */
export function lackingInState<Kind extends SandboxKind>(
  kind: Kind,
  object: Partial<SandboxObjects[Kind]>,
  state: State,
): object {
  const brought = Object.entries(broughtBy[kind]?.(object, state) ?? {});
  return Object.fromEntries(brought.filter(([name]) => (Reflect.get(object, name) ?? null) === null));
}
