import { hour, second } from '../../base/time.ts';
import type { EventClaim } from './event-claim.ts';
import { encodeKept, type KeptDelivery } from './kept-delivery.ts';
import { textOfError } from './shown.ts';

/**
 * How long a delivery waits after an attempt, in ms: a second, then twice as long each time, an hour at most. A random part of up to half
 * of it is left out, so that what failed together does not come back together.
 */
function backOff(attempt: number): number {
  return Math.ceil(Math.min(hour, second * 2 ** (attempt - 1)) * (1 - Math.random() / 2));
}

/** Lets the next delivery, or a worker, try at once. */
export async function retryAtOnce<Client>(
  kept: KeptDelivery,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<'failed'> {
  await claim.release(encodeKept({ ...kept, lastError: textOfError(error) }));
  return 'failed';
}

/** Leaves a delivery of the inbox for a later attempt, or, after the last one, for `replay`. */
export async function retryLater<Client>(
  kept: KeptDelivery,
  maxAttempts: number,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<'failed' | 'dead'> {
  const data = encodeKept({ ...kept, lastError: textOfError(error) });
  if (claim.attempt < maxAttempts) {
    await claim.postpone(backOff(claim.attempt), data);
    return 'failed';
  }
  await claim.release(data);
  return 'dead';
}
