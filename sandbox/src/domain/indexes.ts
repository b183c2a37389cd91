import type { Charge, CreditNote, Refund } from 'payments-client';
import { day } from '../base/time.ts';
import type { Change, State } from './state.ts';

function weight(note: CreditNote | undefined): number {
  return note?.status === 'issued' ? note.total : 0;
}

/** Returns the credited part of an invoice. */
export function creditedOf({ objects }: State, invoice: string): number {
  return objects.credited_amount.get(invoice)?.amount ?? 0;
}

function credit(state: State, invoice: string | undefined, by: number): void {
  if (invoice === undefined || by === 0) return;
  state.objects.credited_amount.replace({ id: invoice, amount: creditedOf(state, invoice) + by });
}

/** Updates the credited sums after credit notes were issued or voided. */
function updateCredited(state: State, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind !== 'credit_note') continue;
    credit(state, change.before?.invoice, -weight(change.before));
    credit(state, change.after?.invoice, weight(change.after));
  }
}

function waits(object: Charge | Refund | undefined): boolean {
  return object?.status === 'succeeded' && object.settled_at === null;
}

function updateUnsettled({ objects, clock, settings }: State, changes: readonly Change[]): void {
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
