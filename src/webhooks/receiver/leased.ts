import type { Completed, InProgress } from '../../stores/store.ts';
import { type Claiming, EventClaim } from './event-claim.ts';
import { failed, type Handled, notClaimed } from './handled.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';
import { reportLoneFailure } from './reports.ts';

/** A delivery to claim, and the work to do under the claim. */
export interface Task<Client> extends Claiming {
  run(claim: EventClaim<Client>): unknown;
  /** Ends the claim after `run` threw. */
  giveUp(claim: EventClaim<Client>, error: unknown): Promise<'failed' | 'dead'>;
  /** The outcome when `run` returns. */
  readonly outcome: 'handled' | 'unreadable';
  /** Whether the store then marks it as done. */
  readonly isDone: boolean;
}

/** Releases a claim immediately, so that the next delivery need not wait for the lease. */
export async function giveBack<Client>(claim: EventClaim<Client>): Promise<'failed'> {
  await claim.release();
  return 'failed';
}

async function fail<Client>(
  options: ActiveOptions<Client>,
  { event, giveUp }: Task<Client>,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<Handled> {
  const outcome = await giveUp(claim, error).catch((storeError: unknown) => {
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event });
    return 'failed' as const;
  });
  const handled = failed(options, 'handler', error, event, outcome);
  return { ...handled, attempt: claim.attempt };
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
    const part = error instanceof WebhookLeaseLostError ? 'handler' : 'store';
    return { ...failed(options, part, error, task.event), attempt };
  }
}

/**
 * Claims a delivery and runs its task. Never throws.
 *
 * @param claimed The claim of the delivery that a worker took.
 */
export async function claimAndRun<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
  claimed: Promise<EventClaim<Client> | InProgress | Completed> = EventClaim.take(options, task),
): Promise<Handled> {
  try {
    const claim = await claimed;
    return claim instanceof EventClaim ? await runUnder(options, task, claim) : notClaimed(claim);
  } catch (error) {
    return failed(options, 'store', error, task.event);
  }
}
