import type { CreditNote } from '../../../resources/credit-notes.ts';
import type { Change, State } from '../state.ts';

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
export function updateCredited(state: State, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind !== 'credit_note') continue;
    credit(state, change.before?.invoice, -weight(change.before));
    credit(state, change.after?.invoice, weight(change.after));
  }
}
