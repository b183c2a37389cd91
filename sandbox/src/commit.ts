import { collectDueInvoice, invoiceDueAt } from './domain/billing/invoice.ts';
import { renewSubscription, subscriptionDueAt } from './domain/billing/subscription.ts';
import { checkLedger } from './domain/check-ledger.ts';
import { updateIndexes } from './domain/indexes.ts';
import { postChanges } from './domain/ledger.ts';
import { expireSession } from './domain/payments/pay.ts';
import { completeRefund, refundDueAt } from './domain/payments/refund.ts';
import { deliveryDueAt } from './domain/records/delivery.ts';
import type { Kind, Kinds } from './domain/records/records.ts';
import { settle } from './domain/settlement.ts';
import { type Change, type MerchantSettings, State, type UnitOptions } from './domain/state.ts';
import { mayTransition } from './domain/transitions.ts';
import type { VirtualClock } from './store/clock.ts';
import type { StoredObject } from './store/contents.ts';
import type { Due } from './store/scheduler.ts';
import { checkTransactions, completeTransaction, transactionDueAt } from './transact/transaction-sums.ts';
import { deliver } from './webhooks/deliver.ts';
import type { DeliverySender } from './webhooks/delivery-sender.ts';
import { emitEvents } from './webhooks/publish.ts';

/** When an object of a kind falls due, and the action then. */
interface DueRule<T> {
  /** The due time, in milliseconds since 1970; `undefined` if nothing is scheduled. */
  readonly at: (object: T) => number | undefined;
  /** Returns a promise if it needs a network. */
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

function dueAt(kind: string, object: unknown): number | undefined {
  return object === undefined ? undefined : ruleOf.get(kind)?.at(object as never);
}

function newlyDue(changes: readonly Change[]): readonly Due[] {
  return changes.flatMap(({ kind, id, before, after }) => {
    const at = dueAt(kind, after);
    return at === undefined || at === dueAt(kind, before) ? [] : [{ at, kind, id }];
  });
}

function storedObject(state: State, { kind, id, after }: Change): StoredObject {
  const isKnown = after !== undefined || state.collection(kind).remembersRemoved;
  return { kind, id, object: after, isKnown, isDue: dueAt(kind, after) !== undefined };
}

/**
 * Completes the changes of a unit of work, and saves them. Each step may make more changes, which the next ones see.
 *
 * @returns What the recording keeps of them, if it does.
 */
function complete(state: State, changes: readonly Change[], options: UnitOptions) {
  const { isPast = false, review } = options;
  updateIndexes(state, changes, isPast);
  postChanges(state, changes);
  checkLedger(state, changes);
  checkTransactions(changes);
  // Events are changes too, but emit no events.
  if (!isPast) emitEvents(state, [...changes]);
  review?.(changes);
  if (changes.length === 0) return undefined;
  const description = state.describe?.(changes, options);
  const objects = changes.map((change) => storedObject(state, change));
  state.persist?.({ objects, due: newlyDue(changes), entries: description?.entries ?? [] });
  return description;
}

/**
 * Runs work as one unit: it checks and changes, then come indexes, ledger, events, the recording and the file, and then what falls due.
 *
 * @throws whatever a step before the commit throws; nothing has changed then.
 */
function commit<T>(state: State, work: () => T, options: UnitOptions): T {
  const changes = state.begin();
  let result: T;
  let description: ReturnType<typeof complete>;
  try {
    result = work();
    description = complete(state, changes, options);
  } catch (error) {
    state.end();
    for (const { kind, id, before } of changes.toReversed()) state.collection(kind).undo(id, before);
    throw error;
  }
  state.end();
  for (const { kind, id } of changes) state.collection(kind).commit(id);
  for (const due of newlyDue(changes)) state.scheduler.add(due);
  description?.commit();
  for (const watch of state.watchers) watch(changes);
  return result;
}

export function createState(clock: VirtualClock, settings: MerchantSettings, sender: DeliverySender): State {
  return new State(clock, settings, {
    commit,
    dueAt,
    act: (state, kind, object) => ruleOf.get(kind)?.act(state, object as never, sender),
  });
}
