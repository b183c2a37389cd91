import { day } from '../../../base/time.ts';
import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import type { Change, State } from '../state.ts';

function waits(object: Charge | Refund | undefined): boolean {
  return object?.status === 'succeeded' && object.settled_at === null;
}

/** Updates the index of unsettled charges and refunds. */
export function updateUnsettled({ objects, clock, settings }: State, changes: readonly Change[]): void {
  for (const { kind, id } of changes) {
    if (kind !== 'charge' && kind !== 'refund') continue;
    const isKept = objects.unsettled_amount.get(id) !== undefined;
    const isDue = waits(objects[kind].get(id));
    if (isKept && !isDue) objects.unsettled_amount.remove(id);
    if (isKept || !isDue) continue;
    const midnight = (Math.floor(clock.now() / day) + 1) * day;
    objects.unsettled_amount.add({ id, kind, due_at: settings.settlement === 'daily' ? midnight : null });
  }
}
