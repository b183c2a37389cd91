import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';

function isFailing({ status, attempts }: SandboxDelivery): boolean {
  return status === 'failed' || (status === 'pending' && attempts.length > 0);
}

/**
 * Returns the deliveries whose last attempt failed, newest first: those that were given up, and those that wait for a
 * retry. It excludes events that a later delivery to the same endpoint has delivered or will retry.
 */
export function failingDeliveries({ objects }: State): readonly SandboxDelivery[] {
  const seen = new Set<string>();
  return objects.delivery
    .all()
    .toReversed()
    .filter((delivery) => {
      const target = `${delivery.eventId} ${delivery.endpointId}`;
      if (seen.has(target)) return false;
      seen.add(target);
      return isFailing(delivery);
    });
}
