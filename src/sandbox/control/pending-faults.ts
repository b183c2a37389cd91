import type { RequestFault } from '../api/faults/fault.ts';
import type { FaultQueue } from '../api/faults/fault-queue.ts';
import type { FaultHit } from '../api/faults/hit.ts';
import { respond } from '../api/reply/respond.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { PendingDeliveryFault } from '../domain/records/delivery-fault.ts';
import type { State } from '../domain/state.ts';
import { withdrawDeliveryFault } from '../webhooks/delivery-faults.ts';

/** An armed fault of requests. */
export interface WaitingFault {
  readonly id: string;
  readonly fault: RequestFault;
  /** The number of requests that it has hit. */
  readonly hits: number;
}

/** The armed faults of requests and deliveries, and the latest requests that a fault hit. */
export interface ListedFaults {
  readonly data: readonly WaitingFault[];
  readonly deliveries: readonly PendingDeliveryFault[];
  readonly history: readonly FaultHit[];
}

const shownHits = 50;

/** Responds with {@link ListedFaults}. */
export function listFaults(queue: FaultQueue, { objects }: State): Response {
  const listed: ListedFaults = {
    data: queue.pending().map(({ id, fault, hits }) => ({ id, fault, hits })),
    deliveries: objects.delivery_fault.all(),
    history: queue.history().slice(-shownHits),
  };
  return respond(listed);
}

/** Clears one fault. */
export function withdrawFault(queue: FaultQueue, state: State, id: string): Response {
  const ofDeliveries = state.objects.delivery_fault.get(id);
  if (ofDeliveries !== undefined) state.unit(() => withdrawDeliveryFault(state, ofDeliveries));
  else if (!queue.withdraw(id)) throw objectNotFound('fault', id);
  return respond({ withdrawn: true });
}
