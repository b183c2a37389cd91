import { creditedOf } from './indexes.ts';
import { LedgerError } from './ledger-error.ts';
import { refundedBy } from './payments/refund.ts';
import type { LedgerAccount } from './records/records.ts';
import type { Change, ChangeOf, State } from './state.ts';

type Sums = Pick<LedgerAccount, 'debits' | 'credits'>;

/** The totals of a currency's accounts. */
interface CurrencySums extends Sums {
  readonly currency: string;
}

/** Returns the totals of each currency, in order of first use. */
function sumsByCurrency({ objects }: State): readonly CurrencySums[] {
  const sums = new Map<string, CurrencySums>();
  for (const { currency, debits, credits } of objects.ledger_account.all()) {
    const sum = sums.get(currency) ?? { currency, debits: 0, credits: 0 };
    sums.set(currency, { currency, debits: sum.debits + debits, credits: sum.credits + credits });
  }
  return [...sums.values()];
}

/** Returns a text that names the currency whose debits and credits differ; `null` if all balance. */
export function findImbalance(state: State): string | null {
  const wrong = sumsByCurrency(state).find(({ debits, credits }) => debits !== credits);
  if (wrong === undefined) return null;
  const { currency, debits, credits } = wrong;
  return `The debits in ${currency} are ${debits} and the credits ${credits}, in minor units.`;
}

/** The amounts that a unit of work posted in one currency. */
interface Added {
  entries: number;
  debits: number;
  credits: number;
}

function addedBy(changes: readonly Change[]): ReadonlyMap<string, Added> {
  const all = new Map<string, Added>();
  const of = (currency: string): Added => {
    const added = all.get(currency) ?? { entries: 0, debits: 0, credits: 0 };
    all.set(currency, added);
    return added;
  };
  for (const change of changes) {
    if (change.kind === 'ledger_entry') {
      const { before, after } = change;
      of((after ?? before)?.currency ?? '').entries += (after?.amount ?? 0) - (before?.amount ?? 0);
    }
    if (change.kind === 'ledger_account') {
      const { before, after } = change;
      const added = of((after ?? before)?.currency ?? '');
      added.debits += (after?.debits ?? 0) - (before?.debits ?? 0);
      added.credits += (after?.credits ?? 0) - (before?.credits ?? 0);
    }
  }
  return all;
}

/** Checks that a unit of work changed the accounts by the amounts of its entries. Yields each error. */
function* checkPostings(changes: readonly Change[]): Generator<string> {
  for (const [currency, { entries, debits, credits }] of addedBy(changes)) {
    if (debits === entries && credits === entries) continue;
    yield `entries over ${entries} ${currency} changed the debits by ${debits} and the credits by ${credits}.`;
  }
}

/** Returns the issues of closed batches: the net amount of each must equal the sum of what it settles. */

/** Returns the settled charges minus refunds by batch. */
function settledBy(changes: readonly Change[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const change of changes) {
    if (change.kind !== 'charge' && change.kind !== 'refund') continue;
    const { after, before } = change;
    if (after === undefined || after.settled_at === null || before?.settled_at !== null) continue;
    const batch = after.settlement_batch_id ?? '';
    sums.set(batch, (sums.get(batch) ?? 0) + (change.kind === 'charge' ? after.amount : -after.amount));
  }
  return sums;
}
function* checkBatches(changes: readonly Change[]): Generator<string> {
  let sums: Map<string, number> | undefined;
  for (const change of changes) {
    if (change.kind !== 'terminal_batch' || change.before?.status !== 'open') continue;
    if (change.after?.status !== 'closed') continue;
    sums ??= settledBy(changes);
    const { id, totals } = change.after;
    const settled = sums.get(id);
    // A batch that a test closed settles nothing.
    if (settled !== undefined && settled !== totals.sales - totals.refunds) {
      yield `the batch '${id}' nets ${totals.sales - totals.refunds}, and settles ${settled}.`;
    }
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
