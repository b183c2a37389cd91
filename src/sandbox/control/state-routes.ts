import { Hono } from 'hono';
import { respond } from '../api/reply/respond.ts';
import { booksProblem } from '../domain/books/check-books.ts';
import { failingDeliveries } from '../webhooks/failing-deliveries.ts';
import type { ControlContext } from './control-context.ts';
import { countObjects } from './count-objects.ts';
import { type DueSoon, dueSoon } from './due-soon.ts';

/** The present of a sandbox's clock. */
export interface Present {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** ISO 8601 in UTC. */
  readonly time: string;
}

/** How a sandbox stands. */
export interface SandboxStatus {
  readonly clock: Present & {
    /** Whether the clock moves by itself. */
    readonly running: boolean;
  };
  /** How many objects of each kind there are, without the kinds that have none. */
  readonly objects: Readonly<Record<string, number>>;
  /** Deliveries that wait for an attempt. */
  readonly pending_deliveries: number;
  /** Deliveries whose last attempt failed, and that were not made good by a newer one. */
  readonly failing_deliveries: number;
  /** Faults that wait for requests or deliveries. */
  readonly armed_faults: number;
  /** What falls due next, the earliest first, at most 5. */
  readonly due: readonly DueSoon[];
  /** Whether the ledger's debits are its credits, and which are not. */
  readonly books: { readonly balanced: boolean; readonly problem: string | null };
}

const shownDue = 5;

/** Returns the present of a sandbox's clock. */
export function presentOf({ clock }: ControlContext): Present {
  return { now: clock.now(), time: new Date(clock.now()).toISOString() };
}

function statusOf(sandbox: ControlContext): SandboxStatus {
  const { state, queue } = sandbox;
  const { delivery, delivery_fault } = state.objects;
  const problem = booksProblem(state);
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

/** `GET /state`: how the sandbox stands. */
export function stateRoutes(sandbox: ControlContext): Hono {
  return new Hono().get('/state', () => respond(statusOf(sandbox)));
}
