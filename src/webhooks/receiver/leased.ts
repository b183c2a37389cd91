import { type Claiming, EventClaim } from './event-claim.ts';
import { failed, type Handled, notClaimed } from './handled.ts';
import { isLeaseLost } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';
import { reportLoneFailure } from './reports.ts';

/** A delivery to claim, and the work to do under the claim. */
export interface Task<Client> extends Claiming {
  run(claim: EventClaim<Client>): unknown;
  /** The outcome when `run` returns. */
  readonly outcome: 'handled' | 'unreadable';
  /** Whether the store then marks it as done. */
  readonly isDone: boolean;
}

/** Releases the claim of a handler that threw, so that the next delivery need not wait for the lease. */
async function fail<Client>(
  options: ActiveOptions<Client>,
  { event }: Task<Client>,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<Handled> {
  await claim.release().catch((storeError: unknown) => {
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event });
  });
  return { ...failed(options, 'handler', error, event), attempt: claim.attempt };
}

/** Runs a task under its claim. */
async function runUnder<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
  claim: EventClaim<Client>,
): Promise<Handled> {
  const { attempt } = claim;
  try {
    await task.run(claim);
  } catch (error) {
    return await fail(options, task, claim, error);
  } finally {
    claim.end();
  }
  try {
    if (task.isDone) await claim.complete();
    else await claim.release();
    return { outcome: task.outcome, attempt };
  } catch (error) {
    const part = isLeaseLost(error) ? 'handler' : 'store';
    return { ...failed(options, part, error, task.event), attempt };
  }
}

/** Claims a delivery and runs its task. Never throws. */
export async function claimAndRun<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
): Promise<Handled> {
  try {
    const claim = await EventClaim.take(options, task);
    return claim instanceof EventClaim ? await runUnder(options, task, claim) : notClaimed(claim);
  } catch (error) {
    return failed(options, 'store', error, task.event);
  }
}
