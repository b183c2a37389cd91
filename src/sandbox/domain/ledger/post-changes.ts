import type { Transfer } from '../records/ledger-records.ts';
import type { Change, State } from '../state.ts';
import { post } from './post.ts';
import { between, ofCharge, ofRefund, ofTransaction } from './transfer.ts';

/** Returns the transfers that lead from an object's old state to its new one. */
function transfersOf(change: Change): readonly Transfer[] {
  switch (change.kind) {
    case 'charge':
      return between(change.before && ofCharge(change.before), change.after && ofCharge(change.after));
    case 'refund':
      return between(change.before && ofRefund(change.before), change.after && ofRefund(change.after));
    case 'transaction':
      return between(
        change.before && ofTransaction(change.before),
        change.after && ofTransaction(change.after),
      );
    default:
      return [];
  }
}

/** Posts the movements of a unit of work to the ledger. */
export function postChanges(state: State, changes: readonly Change[]): void {
  // Postings are changes too, but are not posted.
  for (const change of changes.slice()) {
    for (const transfer of transfersOf(change)) post(state, transfer);
  }
}
