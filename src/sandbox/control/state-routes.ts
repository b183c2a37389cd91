import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { findImbalance } from '../domain/ledger/trial-balance.ts';
import type { State } from '../domain/state.ts';
import { failingDeliveries } from '../webhooks/failing-deliveries.ts';
import type { ControlContext } from './control-context.ts';
import { type DueSoon, dueSoon } from './due-soon.ts';

/** The current time of a sandbox's clock. */
export interface Present {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** ISO 8601 in UTC. */
  readonly time: string;
}

/** The status of a sandbox. */
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
  /** The number of armed faults of requests and deliveries. */
  readonly armed_faults: number;
  /** The next entries of the scheduler, earliest first, at most 5. */
  readonly due: readonly DueSoon[];
  /** Whether the ledger balances, and the first difference if it does not. */
  readonly books: { readonly balanced: boolean; readonly problem: string | null };
}

const shownDue = 5;

/** The postings of the ledger, which no page shows. */
const uncounted: readonly string[] = ['ledger_entry', 'ledger_account'];

/** Returns the current time of a sandbox's clock. */
export function presentOf({ clock }: ControlContext): Present {
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

/** `GET /state`: the status of the sandbox. `POST /reset`: resets it. */
export function stateRoutes(sandbox: ControlContext): Hono {
  const app = new Hono();
  app.get('/state', () => respond(statusOf(sandbox)));
  app.post('/reset', () => {
    sandbox.reset();
    return respond({ reset: true });
  });
  return app;
}
