import type { WebhookEvent } from '../events/event.ts';
import { EventClaim } from './event-claim.ts';
import { failed, type Handled, notClaimed } from './handled.ts';
import { WebhookLeaseLostError } from './lease-lost.ts';
import type { ActiveOptions } from './options.ts';
import { reportLoneFailure } from './reports.ts';

/** What is done with a delivery while its claim is held. */
export interface Task<Client> {
  /** The key of its claim. */
  readonly key: string;
  /** The event; `undefined` for a delivery from which none could be read. */
  readonly event: WebhookEvent | undefined;
  /** What the store keeps of it until it is done. */
  readonly data: string | undefined;
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
export async function runUnder<Client>(
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

/** Claims a delivery, and runs its task. */
export async function claimAndRun<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
): Promise<Handled> {
  const { key, event, data } = task;
  const name = event?.id ?? 'an unreadable delivery';
  try {
    const claim = await EventClaim.take(options, { key, name, data });
    return claim instanceof EventClaim ? await runUnder(options, task, claim) : notClaimed(claim);
  } catch (error) {
    return failed(options, 'store', error, event);
  }
}
