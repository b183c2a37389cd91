import { updateCredited } from './billing/credited-amount.ts';
import { updateUnsettled } from './settlement/unsettled-amount.ts';
import type { Change, State } from './state.ts';

/**
 * Updates the derived indexes after each unit of work, from its changes alone.
 *
 * @param isPast Whether the changes belong to the past: then nothing waits for settlement.
 */
export function updateIndexes(state: State, changes: readonly Change[], isPast: boolean): void {
  // Index writes are recorded as changes too, so copy first.
  const made = [...changes];
  updateCredited(state, made);
  if (!isPast) updateUnsettled(state, made);
}
