import type { FaultQueue } from '../api/faults/fault-queue.ts';
import { objectNotFound } from '../domain/problem.ts';
import { respond } from './respond.ts';

const shownStrikes = 50;

/** The faults that wait, and the newest requests that met one. */
export function listFaults(faults: FaultQueue): Response {
  const data = faults.pending().map(({ id, fault, struck }) => ({ id, fault, struck }));
  return respond({ data, history: faults.history().slice(-shownStrikes) });
}

/** Withdraws one. */
export function withdrawFault(faults: FaultQueue, id: string): Response {
  if (!faults.withdraw(id)) throw objectNotFound('fault', id);
  return respond({ withdrawn: true });
}
