import { collectDueInvoice, invoiceDueAt } from './domain/billing/dunning.ts';
import { renewSubscription, subscriptionDueAt } from './domain/billing/renew-subscription.ts';
import { checkLedger } from './domain/check-ledger.ts';
import { updateIndexes } from './domain/indexes.ts';
import { postChanges } from './domain/ledger/post-changes.ts';
import { completeRefund, refundDueAt } from './domain/payments/complete-refund.ts';
import { expireSession } from './domain/payments/expire-session.ts';
import { deliveryDueAt } from './domain/records/delivery.ts';
import type { Kind, Kinds } from './domain/records/records.ts';
import { settle } from './domain/settlement/settle.ts';
import { type MerchantSettings, State } from './domain/state.ts';
import { mayTransition } from './domain/transitions.ts';
import type { VirtualClock } from './store/clock.ts';
import { completeTransaction, transactionDueAt } from './transact/transaction-lifetime.ts';
import { checkTransactions } from './transact/transaction-sums.ts';
import { deliver } from './webhooks/deliver.ts';
import type { DeliverySender } from './webhooks/delivery-sender.ts';
import { emitEvents } from './webhooks/emit-events.ts';

/** When an object of a kind falls due, and the action then. */
interface DueRule<T> {
  /** The due time, in milliseconds since 1970; `undefined` if nothing is scheduled. */
  readonly at: (object: T) => number | undefined;
  readonly act: (state: State, object: T, sender: DeliverySender) => void | Promise<void>;
}

/**
 * The rules that run when time passes. Due times are derived from the objects, so saved objects are enough to restore
 * the schedule.
 */
const dueRules: { readonly [One in Kind]?: DueRule<Kinds[One]> } = {
  transaction: { at: transactionDueAt, act: completeTransaction },
  checkout_session: {
    at: (session) =>
      mayTransition(session, 'checkout_session.expire') ? session.expires_at * 1000 : undefined,
    act: (state, session) => void expireSession(state, session),
  },
  refund: { at: refundDueAt, act: completeRefund },
  invoice: { at: invoiceDueAt, act: collectDueInvoice },
  subscription: { at: subscriptionDueAt, act: renewSubscription },
  unsettled_amount: {
    at: ({ due_at }) => due_at ?? undefined,
    act: (state) => void settle(state),
  },
  delivery: { at: deliveryDueAt, act: deliver },
};

/** The cast to `never` holds since each rule gets objects of its own kind, which the compiler cannot follow. */
const ruleOf: ReadonlyMap<string, DueRule<never>> = new Map(Object.entries(dueRules));

/** Creates a state with the rules of the service: indexes, ledger, events and the schedule. */
export function createState(clock: VirtualClock, settings: MerchantSettings, sender: DeliverySender): State {
  const state: State = new State(clock, settings, {
    complete: (changes, isPast) => {
      updateIndexes(state, changes, isPast);
      postChanges(state, changes);
      checkLedger(state, changes);
      checkTransactions(changes);
      // Events are changes too, but emit no events.
      if (!isPast) emitEvents(state, [...changes]);
    },
    dueAt: (kind, object) => ruleOf.get(kind)?.at(object as never),
    act: (kind, object) => ruleOf.get(kind)?.act(state, object as never, sender),
  });
  return state;
}
