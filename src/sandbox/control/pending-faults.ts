import type { FaultQueue } from '../api/faults/fault-queue.ts';
import { respond } from '../api/reply/respond.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { State } from '../domain/state.ts';
import { withdrawDeliveryFault } from '../webhooks/delivery-faults.ts';

const shownHits = 50;

/** Lists the faults that wait for requests and for deliveries, and the newest requests that met one. */
export function listFaults(queue: FaultQueue, { objects }: State): Response {
  const data = queue.pending().map(({ id, fault, hits }) => ({ id, fault, hits }));
  return respond({
    data,
    deliveries: objects.delivery_fault.all(),
    history: queue.history().slice(-shownHits),
  });
}

/** Withdraws a fault. */
export function withdrawFault(queue: FaultQueue, state: State, id: string): Response {
  const ofDeliveries = state.objects.delivery_fault.get(id);
  if (ofDeliveries !== undefined) state.unit(() => withdrawDeliveryFault(state, ofDeliveries));
  else if (!queue.withdraw(id)) throw objectNotFound('fault', id);
  return respond({ withdrawn: true });
}
