import type { Transfer } from '../records/ledger-records.ts';
import type { Transaction } from '../records/transaction.ts';
import type { Change, ChangeOf, State } from '../state.ts';
import { post } from './post.ts';
import { between, ofCharge, ofRefund, ofTransaction } from './transfer.ts';

/** The transfers of an object before and after a change, and a description. */
interface Movement {
  readonly from: Transfer | undefined;
  readonly to: Transfer | undefined;
  readonly text: string;
}

const refundTexts: ReadonlyMap<string, string> = new Map([
  ['pending', 'Refund created'],
  ['succeeded', 'Refund paid out'],
  ['failed', 'Refund failed'],
]);

function ofChargeChange({ before, after }: ChangeOf<'charge'>): Movement {
  const text = before === undefined ? 'Charge' : 'Charge changed';
  return { from: before && ofCharge(before), to: after && ofCharge(after), text };
}

function ofRefundChange({ before, after }: ChangeOf<'refund'>): Movement {
  const text = refundTexts.get(after?.status ?? '') ?? 'Refund changed';
  return { from: before && ofRefund(before), to: after && ofRefund(after), text };
}

function transactionText({ type, status }: Transaction): string {
  const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  if (status === 'voided') return `${name} voided`;
  return type === 'auth' ? 'Authorization captured' : name;
}

function ofTransactionChange({ before, after }: ChangeOf<'transaction'>): Movement {
  const text = after === undefined ? 'Transaction removed' : transactionText(after);
  return { from: before && ofTransaction(before), to: after && ofTransaction(after), text };
}

function movementOf(change: Change): Movement | undefined {
  switch (change.kind) {
    case 'charge':
      return ofChargeChange(change);
    case 'refund':
      return ofRefundChange(change);
    case 'transaction':
      return ofTransactionChange(change);
    default:
      return undefined;
  }
}

/**
 * Returns the time of a sample-data change, in milliseconds since 1970: one unit of work creates changes of many
 * times.
 */
function pastTimeOf(change: Change): number | undefined {
  if (change.kind !== 'charge' && change.kind !== 'refund') return undefined;
  const { before, after } = change;
  return after && 1_000 * (before === undefined ? after.created_at : after.updated_at);
}

/** Posts the movements of a unit of work to the ledger. */
export function postChanges(state: State, changes: readonly Change[], isPast: boolean): void {
  // Postings are changes too, but are not posted.
  for (const change of [...changes]) {
    const movement = movementOf(change);
    if (movement === undefined) continue;
    const { from, to, text } = movement;
    const posting = { object_kind: change.kind, object_id: change.id, text };
    const enter = (): void => {
      for (const transfer of between(from, to)) post(state, transfer, posting);
    };
    state.clock.during((isPast ? pastTimeOf(change) : undefined) ?? state.clock.now(), enter);
  }
}
