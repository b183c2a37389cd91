import { second } from '../../base/time.ts';
import { inTime } from '../../stores/in-time.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { EventReading } from '../events/parse.ts';
import type { DeliveryHeaders } from '../headers.ts';
import { EventClaim, isLeaseLost } from './event-claim.ts';
import { keptText } from './failed.ts';
import type { Received } from './job.ts';
import type { ActiveOptions } from './options.ts';
import { failed, type Handled, notClaimed } from './outcome.ts';
import type { DeliverySource } from './reports/report.ts';
import { reportLoneFailure } from './reports/reports.ts';

/** A verified body, and what was read in it. */
export interface VerifiedDelivery extends Received {
  readonly headers: DeliveryHeaders;
  readonly source: DeliverySource;
  readonly reading: EventReading;
}

/** Work to do under a claim. */
export interface Task<Client> {
  /** The key to claim. */
  readonly key: string;
  readonly delivery: VerifiedDelivery;
  /** `undefined` for a body that no handler can read. */
  readonly event: WebhookEvent | undefined;
  /** Does the work; throws if it fails. */
  run(claim: EventClaim<Client>): unknown;
}

/**
 * Releases the claim of work that failed, so that the next delivery need not wait for the lease. The store keeps the body of a
 * request; a queue keeps its jobs itself.
 */
async function release<Client>(
  options: ActiveOptions<Client>,
  { delivery, event }: Omit<Task<Client>, 'run'>,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<void> {
  const report = (storeError: unknown) =>
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event });
  if (delivery.source === 'request' || claim.isKept) {
    try {
      return await claim.release(keptText(delivery, error));
    } catch (storeError) {
      // A full store, or one that refuses the size, may still release the claim.
      report(storeError);
    }
  }
  await claim.release().catch(report);
}

/** How long the store may take to keep a delivery, in ms. If the process dies meanwhile, its claim lasts no longer. */
const keepTime = 15 * second;

/**
 * Keeps a delivery whose transaction rolled back, so that it can be repeated as any other that failed. Returns how often the event was
 * claimed; `undefined` if another delivery has the event by now, or the store fails.
 */
export async function keepRolledBack<Client>(
  options: ActiveOptions<Client>,
  task: Omit<Task<Client>, 'run'>,
  error: unknown,
): Promise<number | undefined> {
  const keep = async () => {
    const claim = await EventClaim.take({ ...options, lease: keepTime }, task);
    if (!(claim instanceof EventClaim)) return undefined;
    claim.end();
    await release(options, task, claim, error);
    return claim.attempt;
  };
  try {
    // A store of your own may have no time-out: the delivery needs its answer.
    return await inTime(keep(), keepTime);
  } catch (storeError) {
    reportLoneFailure(options, 'store', { error: storeError, outcome: 'failed', event: task.event });
    return undefined;
  }
}

async function runUnder<Client>(
  options: ActiveOptions<Client>,
  task: Task<Client>,
  claim: EventClaim<Client>,
): Promise<Handled> {
  const { attempt } = claim;
  const { event } = task;
  try {
    await task.run(claim);
  } catch (error) {
    await release(options, task, claim, error);
    return { ...failed(options, event === undefined ? 'receiver' : 'handler', error, event), attempt };
  } finally {
    claim.end();
  }
  try {
    await claim.complete();
    return { outcome: 'handled', attempt };
  } catch (error) {
    return { ...failed(options, isLeaseLost(error) ? 'handler' : 'store', error, event), attempt };
  }
}

/** Claims a delivery, does its work, and completes or releases the claim. Never throws. */
export async function handleInline<Client>(
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
