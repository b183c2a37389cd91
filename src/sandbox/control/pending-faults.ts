import type { RequestFault } from '../api/faults/fault.ts';
import type { FaultQueue } from '../api/faults/fault-queue.ts';
import type { FaultHit } from '../api/faults/hit.ts';
import { respond } from '../api/reply/respond.ts';
import { objectNotFound } from '../domain/problem.ts';
import type { PendingDeliveryFault } from '../domain/records/delivery-fault.ts';
import type { State } from '../domain/state.ts';
import { withdrawDeliveryFault } from '../webhooks/delivery-faults.ts';

/** A fault that waits for requests. */
export interface WaitingFault {
  readonly id: string;
  readonly fault: RequestFault;
  /** How many requests it has hit. */
  readonly hits: number;
}

/** The faults that wait for requests and for deliveries, and the newest requests that met one. */
export interface ListedFaults {
  readonly data: readonly WaitingFault[];
  readonly deliveries: readonly PendingDeliveryFault[];
  readonly history: readonly FaultHit[];
}

const shownHits = 50;

/** Answers with {@link ListedFaults}. */
export function listFaults(queue: FaultQueue, { objects }: State): Response {
  const listed: ListedFaults = {
    data: queue.pending().map(({ id, fault, hits }) => ({ id, fault, hits })),
    deliveries: objects.delivery_fault.all(),
    history: queue.history().slice(-shownHits),
  };
  return respond(listed);
}

/** Withdraws a fault. */
export function withdrawFault(queue: FaultQueue, state: State, id: string): Response {
  const ofDeliveries = state.objects.delivery_fault.get(id);
  if (ofDeliveries !== undefined) state.unit(() => withdrawDeliveryFault(state, ofDeliveries));
  else if (!queue.withdraw(id)) throw objectNotFound('fault', id);
  return respond({ withdrawn: true });
}
