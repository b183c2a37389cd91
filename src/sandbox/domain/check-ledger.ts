import { creditedOf } from './billing/credited-amount.ts';
import { checkPostings } from './ledger/trial-balance.ts';
import { refundedBy } from './payments/refunded-amount.ts';
import { checkBatches } from './settlement/batch-sums.ts';
import type { Change, ChangeOf, State } from './state.ts';

/** The sandbox's sums do not add up: a defect of the sandbox, never of its caller. */
export class LedgerError extends Error {
  /** @param message The difference. */
  constructor(message: string) {
    super(`The sandbox's ledger does not add up: ${message}`);
    this.name = 'LedgerError';
  }
}

function expect(holds: boolean, message: () => string): void {
  if (!holds) throw new LedgerError(message());
}

function checkCharge({ objects }: State, { after }: ChangeOf<'charge'>): void {
  if (after === undefined) return;
  const { id, amount, amount_refunded: refunded, intent_id } = after;
  expect(
    refunded >= 0 && refunded <= amount,
    () => `of the charge '${id}' over ${amount}, ${refunded} is refunded.`,
  );
  const authorized = objects.payment_intent.get(intent_id)?.amount ?? amount;
  expect(
    amount <= authorized,
    () => `the charge '${id}' took ${amount}; its intent '${intent_id}' is over ${authorized}.`,
  );
}

/** Checks an invoice that changed. Objects that a test adds are not checked. */
function checkInvoice({ before, after }: ChangeOf<'invoice'>): void {
  if (before === undefined || after === undefined) return;
  const { id, total, amount_paid: paid, amount_remaining: left } = after;
  const change = after.total - before.total - (paid - before.amount_paid) - (left - before.amount_remaining);
  expect(
    change === 0 && paid >= 0 && left >= 0,
    () => `of the invoice '${id}' over ${total}, ${paid} is paid and ${left} is left.`,
  );
}

function checkCreditNote(state: State, { after }: ChangeOf<'credit_note'>): void {
  const invoice = state.objects.invoice.get(after?.invoice ?? '');
  if (invoice === undefined) return;
  const credited = creditedOf(state, invoice.id);
  expect(
    credited >= 0 && credited <= invoice.total,
    () => `of the invoice '${invoice.id}' over ${invoice.total}, ${credited} is credited.`,
  );
}

/** Checks that refunds change `amount_refunded` of their charges by the same amount. */
function checkRefunds(changes: readonly Change[]): void {
  const refundChanges = new Map<string, number>();
  const chargeChanges = new Map<string, number>();
  for (const change of changes) {
    if (change.kind === 'refund') {
      const charge = (change.after ?? change.before)?.charge_id ?? '';
      refundChanges.set(
        charge,
        (refundChanges.get(charge) ?? 0) + refundedBy(change.after) - refundedBy(change.before),
      );
    }
    if (change.kind === 'charge' && change.before !== undefined) {
      const by = (change.after?.amount_refunded ?? 0) - change.before.amount_refunded;
      chargeChanges.set(change.id, (chargeChanges.get(change.id) ?? 0) + by);
    }
  }
  for (const [charge, by] of refundChanges) {
    const recorded = chargeChanges.get(charge) ?? by;
    expect(
      recorded === by,
      () => `refunds of the charge '${charge}' changed by ${by}, its amount_refunded by ${recorded}.`,
    );
  }
}

function checkOne(state: State, change: Change): void {
  if (change.kind === 'charge') checkCharge(state, change);
  if (change.kind === 'invoice') checkInvoice(change);
  if (change.kind === 'credit_note') checkCreditNote(state, change);
}

/**
 * Checks the objects that a unit of work has touched, at constant cost.
 *
 * @throws LedgerError when more is charged, refunded or credited than possible, or a sum differs from its parts.
 */
export function checkLedger(state: State, changes: readonly Change[]): void {
  for (const problem of [...checkPostings(changes), ...checkBatches(changes)]) throw new LedgerError(problem);
  for (const change of changes) checkOne(state, change);
  checkRefunds(changes);
}
