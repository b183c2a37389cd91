import type { Completed, InProgress } from '../../stores/store.ts';
import { type Claiming, EventClaim } from './event-claim.ts';
import { failed, type Handled, notClaimed } from './handled.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';
import { reportLoneFailure } from './reports.ts';

/** A delivery to claim, and what is done with it while the claim is held. */
export interface Task<Client> extends Claiming {
  run(claim: EventClaim<Client>): unknown;
  /** Ends the claim of a run that threw. */
  giveUp(claim: EventClaim<Client>, error: unknown): Promise<'failed' | 'dead'>;
  /** What became of the delivery when this ran to its end. */
  readonly outcome: 'handled' | 'unreadable';
  /** Whether the store then records it as done. */
  readonly isDone: boolean;
}

/** Gives a claim back at once, so that the next delivery need not wait for the lease. */
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
 * Claims a delivery and runs its task. It never throws.
 *
 * @param claimed The claim of a delivery that a worker took.
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
