import { collectDue, invoiceDueAt } from './billing/dunning.ts';
import { endRefund, refundDueAt } from './billing/refund-outcome.ts';
import { subscriptionDueAt, turnPeriod } from './billing/renewal.ts';
import { matureTransaction, transactionDueAt } from './form/transaction.ts';
import { mayMove } from './moves.ts';
import type { Kind, Kinds } from './objects.ts';
import { expire } from './session-expiry.ts';
import { settle } from './settlement/settle.ts';
import type { State } from './state.ts';
import { deliver } from './webhooks/deliver.ts';
import { deliveryDueAt } from './webhooks/delivery.ts';

/** When an object of a kind is to be looked at again, and what is to be done then. */
interface DueRule<T> {
  /** When, in milliseconds since 1970; `undefined` where nothing is planned. */
  readonly at: (object: T) => number | undefined;
  readonly act: (state: State, object: T) => void | Promise<void>;
}

type DueRules = { readonly [One in Kind]?: DueRule<Kinds[One]> };

/**
 * All that time does. When something is due stands in the object itself, so that whatever is kept of the objects is all
 * there is to keep.
 */
const rules: DueRules = {
  transaction: { at: transactionDueAt, act: matureTransaction },
  checkout_session: {
    at: (session) => (mayMove(session, 'checkout_session.expire') ? session.expires_at * 1000 : undefined),
    act: (state, session) => void expire(state, session),
  },
  refund: { at: refundDueAt, act: endRefund },
  invoice: { at: invoiceDueAt, act: collectDue },
  subscription: { at: subscriptionDueAt, act: turnPeriod },
  unsettled: {
    at: ({ due_at }) => due_at ?? undefined,
    act: (state) => void settle(state),
  },
  delivery: { at: deliveryDueAt, act: deliver },
};

/** An object belongs to the rule of its kind, which the compiler does not follow through the table. */
function ruleOf(kind: Kind): DueRule<never> | undefined {
  return rules[kind];
}

/** When an object is due. */
export function dueAt(kind: Kind, object: Kinds[Kind] | undefined): number | undefined {
  return object === undefined ? undefined : ruleOf(kind)?.at(object as never);
}

/** Does what an object is due for. */
export function actOn(state: State, kind: Kind, object: Kinds[Kind]): void | Promise<void> {
  return ruleOf(kind)?.act(state, object as never);
}
