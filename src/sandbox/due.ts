import { collectDue, invoiceDueAt } from './domain/billing/dunning.ts';
import { subscriptionDueAt, turnPeriod } from './domain/billing/renewal.ts';
import { endRefund, refundDueAt } from './domain/payments/refund-outcome.ts';
import { expire } from './domain/payments/session-expiry.ts';
import { deliveryDueAt } from './domain/records/delivery.ts';
import type { Kind, Kinds } from './domain/records/records.ts';
import { settle } from './domain/settlement/settle.ts';
import type { State } from './domain/state.ts';
import { mayMove } from './domain/transitions.ts';
import { matureTransaction, transactionDueAt } from './transact/transaction.ts';
import { deliver } from './webhooks/deliver.ts';

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
