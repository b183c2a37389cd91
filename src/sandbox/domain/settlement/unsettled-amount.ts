import { day } from '../../../base/time.ts';
import type { Charge } from '../../../resources/charges.ts';
import type { Refund } from '../../../resources/refunds.ts';
import type { Change } from '../../store/unit-of-work.ts';
import type { State } from '../state.ts';

/** Money that waits for a batch, by the id of the charge or the refund. An index, so that nobody searches. */
export interface Unsettled {
  /** The id of the charge or the refund. */
  readonly id: string;
  /** Which of the two it is. */
  readonly kind: 'charge' | 'refund';
  /** When it is settled by itself, in milliseconds since 1970; null where it waits to be. */
  readonly due_at: number | null;
}

function waits(object: Charge | Refund | undefined): boolean {
  return object?.status === 'succeeded' && object.settled_at === null;
}

/** Notes what waits for a batch from now on, and what no longer does. */
export function keepUnsettled({ objects, clock, money }: State, changes: readonly Change[]): void {
  for (const { kind, id } of changes) {
    if (kind !== 'charge' && kind !== 'refund') continue;
    const isKept = objects.unsettled.get(id) !== undefined;
    const isDue = waits(objects[kind].get(id));
    if (isKept && !isDue) objects.unsettled.remove(id);
    if (isKept || !isDue) continue;
    const midnight = (Math.floor(clock.now() / day) + 1) * day;
    objects.unsettled.add({ id, kind, due_at: money.settlement === 'daily' ? midnight : null });
  }
}
