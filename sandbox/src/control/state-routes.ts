import { respond } from '../api/reply.ts';
import { minorUnitsOf, moneyText } from '../domain/amounts.ts';
import { findImbalance } from '../domain/check-ledger.ts';
import type { Kind, Kinds } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { Due } from '../store/scheduler.ts';
import { failingDeliveries } from '../webhooks/publish.ts';
import type { ControlContext } from './control-context.ts';
import type { ReadRoute } from './read-route.ts';

interface DueSoon extends Due {
  /** The description, a sentence without its full stop. */
  readonly what: string;
}

const sentences: { readonly [One in Kind]?: (object: Kinds[One]) => string } = {
  delivery: ({ attempts, type, url }) =>
    `${attempts.length === 0 ? 'delivery' : 'retry'} of ${type} to ${url}`,
  transaction: ({ id, type, status, amount, currency }) => {
    const name = `${type} ${id} of ${moneyText(minorUnitsOf(amount), currency)}`;
    return `${name} ${status === 'authorized' ? 'expires' : 'is settled'}`;
  },
  checkout_session: ({ id, amount_total, currency }) =>
    `checkout session ${id} of ${moneyText(amount_total, currency)} expires`,
  refund: ({ id, amount, currency }) => `refund ${id} of ${moneyText(amount, currency)} succeeds or fails`,
  invoice: ({ number, amount_remaining, currency }) =>
    `invoice ${number} of ${moneyText(amount_remaining, currency)} is collected`,
  subscription: ({ id, cancel_at_period_end }) =>
    `subscription ${id} ${cancel_at_period_end ? 'ends' : 'is renewed'}`,
  unsettled_amount: ({ id, kind }) => `${kind} ${id} is settled`,
};

/** The cast to `never` holds since each function gets objects of its own kind, which the compiler cannot follow. */
const sentenceOf: ReadonlyMap<string, (object: never) => string> = new Map(Object.entries(sentences));

/** Returns the next entries of the scheduler, at most `count`, earliest first. */
function dueSoon(state: State, count: number): readonly DueSoon[] {
  const collections: ReadonlyMap<string, { get(id: string): unknown }> = new Map(
    Object.entries(state.objects),
  );
  return state.next(count).map((due) => {
    const object = collections.get(due.kind)?.get(due.id);
    return { ...due, what: sentenceOf.get(due.kind)?.(object as never) ?? `${due.kind} ${due.id}` };
  });
}

interface Present {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** ISO 8601 in UTC. */
  readonly time: string;
}

export interface SandboxStatus {
  readonly clock: Present & {
    /** Whether the clock runs with real time. */
    readonly running: boolean;
  };
  /** The number of objects by kind, without empty kinds. */
  readonly objects: Readonly<Record<string, number>>;
  /** The number of deliveries that wait for an attempt. */
  readonly pending_deliveries: number;
  /** The number of deliveries whose last attempt failed and that no later one replaced. */
  readonly failing_deliveries: number;
  readonly armed_faults: number;
  /** The next entries of the scheduler, earliest first, at most 5. */
  readonly due: readonly DueSoon[];
  /** Whether the ledger balances, and the first difference if it does not. */
  readonly books: { readonly balanced: boolean; readonly problem: string | null };
}

const shownDue = 5;

/** The postings of the ledger, which no page shows. */
const uncounted: readonly string[] = ['ledger_entry', 'ledger_account'];

function presentOf({ state: { clock } }: ControlContext): Present {
  return { now: clock.now(), time: new Date(clock.now()).toISOString() };
}

function countObjects({ objects }: State): SandboxStatus['objects'] {
  const counted = Object.entries(objects).filter(([kind]) => !uncounted.includes(kind));
  const sizes = counted.map(([kind, { size }]) => [kind, size] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}

function statusOf(sandbox: ControlContext): SandboxStatus {
  const { state, queue } = sandbox;
  const { delivery, delivery_fault } = state.objects;
  const problem = findImbalance(state);
  return {
    clock: { ...presentOf(sandbox), running: sandbox.isClockRunning },
    objects: countObjects(state),
    pending_deliveries: delivery.all().filter(({ status }) => status === 'pending').length,
    failing_deliveries: failingDeliveries(state).length,
    armed_faults: queue.pending().length + delivery_fault.all().filter(({ left }) => left > 0).length,
    due: dueSoon(state, shownDue),
    books: { balanced: problem === null, problem },
  };
}

/** The status of the sandbox. */
export const stateRoutes: readonly ReadRoute[] = [
  {
    path: '/state',
    body: '{ clock, objects, pending_deliveries, failing_deliveries, armed_faults, due, books }',
    answers: `The time, the number of objects of each kind, the next ${shownDue} scheduled changes, and whether the ledger balances.`,
    read: (sandbox) => respond(statusOf(sandbox)),
  },
];
