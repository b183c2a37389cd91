import { updateCredited } from './billing/credited-amount.ts';
import { updateUnsettled } from './settlement/unsettled-amount.ts';
import type { Change, State } from './state.ts';

/**
 * Keeps the indexes right that sums are read from, after each unit of work and by its changes alone.
 *
 * @param isPast Whether the changes are to look as if they had happened long ago: nothing of them waits for a batch.
 */
export function updateIndexes(state: State, changes: readonly Change[], isPast: boolean): void {
  // Indexes are objects too, and none is kept of those.
  const made = [...changes];
  updateCredited(state, made);
  if (!isPast) updateUnsettled(state, made);
}
