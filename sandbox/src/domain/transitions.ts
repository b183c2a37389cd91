import type { StatefulObject, Transition } from '../base/interface-types.ts';
import { transitions } from '../sdk.ts';
import { Problem } from './problem.ts';

/** The allowed initial states of a transition. */
type From = readonly string[] | 'any';

interface Allowed {
  /** The field that holds the state. */
  readonly field: string;
  readonly from: From;
}

/**
 * The state of an intent that is authorized for manual capture. The interface mentions manual capture but shows no
 * state for it, so this one is the sandbox's own.
 */
export const requiresCapture = 'requires_capture';

function originOf({ from }: Transition): From {
  return from === 'none' ? [] : from;
}

/** Returns a transition of the interface's table, by the event that it emits, with additional initial states. */
function shown(kind: StatefulObject, event: string, ...also: readonly string[]): Allowed {
  const { field, transitions: known } = transitions[kind];
  const rows: readonly Transition[] = known;
  const row = rows.find((candidate) => candidate.event === event);
  if (row === undefined) throw new Error(`There is no transition of a ${kind} with the event '${event}'.`);
  const from = originOf(row);
  return { field, from: from === 'any' ? from : [...from, ...also] };
}

/** Returns a transition that the table lacks although the operation exists. */
function own(kind: StatefulObject, ...from: readonly string[]): Allowed {
  return { field: transitions[kind].field, from };
}

/** The operations on resources, and their allowed states. */
const allowedTransitions = {
  'checkout_session.complete': shown('checkout_session', 'checkout.session.completed'),
  'checkout_session.expire': shown('checkout_session', 'checkout.session.expired'),
  'checkout_session.refund': own('checkout_session', 'complete'),
  'payment_intent.confirm': shown('payment_intent', 'payment_intent.succeeded'),
  'payment_intent.capture': own('payment_intent', requiresCapture),
  'payment_intent.cancel': shown('payment_intent', 'payment_intent.canceled', requiresCapture),
  'charge.refund': own('charge', 'succeeded'),
  'refund.retry': own('refund', 'failed'),
  'invoice.update_payment_method': shown('invoice', 'invoice.paid'),
  'subscription.update': shown('subscription', 'subscription.updated'),
  'subscription.cancel': shown('subscription', 'subscription.canceled'),
  'credit_note.void': shown('credit_note', 'credit_note.voided'),
  'customer.update': shown('customer', 'customer.updated'),
  'customer.delete': shown('customer', 'customer.deleted'),
  'customer.restore': shown('customer', 'customer.restored'),
} satisfies Readonly<Record<string, Allowed>>;

/** The name of an operation on a resource, for example `refund.retry`. */
export type TransitionName = keyof typeof allowedTransitions;

function stateOf(resource: object, { field }: Allowed): string {
  return String(Reflect.get(resource, field));
}

export function mayTransition(resource: object, name: TransitionName): boolean {
  const allowed: Allowed = allowedTransitions[name];
  return allowed.from === 'any' || allowed.from.includes(stateOf(resource, allowed));
}

/**
 * Requires that the state of a resource allows an operation.
 *
 * @throws Problem 409 that names the state and the operation.
 */
export function requireTransition(resource: { readonly id: string }, name: TransitionName): void {
  if (mayTransition(resource, name)) return;
  const { field } = allowedTransitions[name];
  const [kind = '', action = ''] = name.split('.');
  const message =
    `The ${kind.replaceAll('_', ' ')} '${resource.id}' does not allow '${action}': ` +
    `its ${field} is '${stateOf(resource, allowedTransitions[name])}'.`;
  throw new Problem(409, 'INVALID_STATE_TRANSITION', message, field);
}
