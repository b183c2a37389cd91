import { hour, second } from '../../base/time.ts';
import type { EventClaim } from './event-claim.ts';
import { encodeKept, type KeptDelivery } from './kept-delivery.ts';
import { textOfError } from './shown.ts';

/**
 * Returns the back-off after an attempt, in ms: 1 s, doubled each time, at most 1 h. Jitter subtracts up to half of it,
 * so that deliveries that failed together do not retry together.
 */
function backOff(attempt: number): number {
  return Math.ceil(Math.min(hour, second * 2 ** (attempt - 1)) * (1 - Math.random() / 2));
}

/** Allows the next delivery, or a worker, to try immediately. */
export async function retryAtOnce<Client>(
  kept: KeptDelivery,
  claim: EventClaim<Client>,
  error: unknown,
): Promise<'failed'> {
  await claim.release(encodeKept({ ...kept, lastError: textOfError(error) }));
  return 'failed';
}

/** Schedules the next attempt of an inbox delivery; after the last attempt, leaves it to `replay`. */
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
