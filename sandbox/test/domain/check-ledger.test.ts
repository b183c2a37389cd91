/** Reaches inside: the ledger must reject changes that no request can make. */

import { describe, expect, test } from 'vitest';
import { start } from '../../../test/support/sandbox-requests.ts';
import { sandboxState } from '../../../test/support/sandbox-state.ts';
import { checkLedger, findImbalance } from '../../src/domain/check-ledger.ts';
import type { LedgerEntry } from '../../src/domain/records/records.ts';
import type { Change } from '../../src/domain/state.ts';
import { checkTransactions } from '../../src/transact/transaction-sums.ts';
import { startForms } from '../transact/support.ts';

const entry = (currency: string): LedgerEntry => ({
  id: `1 ${currency}`,
  currency,
  debit: 'cash',
  credit: 'sales',
  amount: 1200,
});
const cash = { id: 'USD cash', currency: 'USD', debits: 1200, credits: 0 };
const sales = { id: 'USD sales', currency: 'USD', debits: 0, credits: 1200 };

function withSale() {
  const state = sandboxState();
  state.unit(() => {
    for (const account of [cash, sales]) state.objects.ledger_account.add(account);
    state.objects.ledger_entry.add(entry('USD'));
  });
  return state;
}

describe('an entry and its accounts', () => {
  test('are accepted if they agree', () => {
    expect(findImbalance(withSale())).toBeNull();
  });

  test.each([
    [
      'an entry without accounts',
      (state) => state.objects.ledger_entry.add({ ...entry('USD'), id: '2' }),
      'USD',
    ],
    // Amounts of two currencies do not make up for each other.
    [
      'an entry in yen with the accounts of dollars',
      (state) => {
        state.objects.ledger_entry.add(entry('JPY'));
        state.objects.ledger_account.replace({ ...cash, debits: 2400 });
        state.objects.ledger_account.replace({ ...sales, credits: 2400 });
      },
      '1200 JPY changed the debits by 0 and the credits by 0',
    ],
    [
      'one account without the other',
      (state) => state.objects.ledger_account.replace({ ...cash, debits: 1201 }),
      '0 USD changed the debits by 1 and the credits by 0',
    ],
  ] satisfies [string, (state: ReturnType<typeof withSale>) => unknown, string][])(
    'are rejected, and rolled back: %s',
    (_, change, message) => {
      const state = withSale();
      const before = state.contents();
      expect(() => state.unit(() => void change(state))).toThrow(message);
      expect(state.contents()).toEqual(before);
    },
  );

  test('are out of balance in the currency whose sums differ, though another makes up for it', () => {
    const state = sandboxState();
    const yen = { id: 'JPY cash', currency: 'JPY', debits: 5, credits: 0 };
    const euros = { id: 'EUR sales', currency: 'EUR', debits: 0, credits: 5 };
    state.load({
      ...state.contents(),
      objects: { ledger_account: [cash, sales, yen, euros].map((one) => [one.id, one]) },
    });
    expect(findImbalance(state)).toBe('The debits in JPY are 5 and the credits 0, in minor units.');
  });
});

/** Returns a function that checks changes against the ledger's rules. */
function checked(...changes: readonly Change[]): () => void {
  return () => checkLedger(sandboxState(), changes);
}

test('rejects refunds whose charge changes by another amount', () => {
  const { sandbox } = start();
  const charge = sandbox.add('charge', { amount: 1000 });
  const refund = sandbox.add('refund', { charge_id: charge.id, amount: 300 });
  const added = { kind: 'refund', id: refund.id, before: undefined, after: refund } as const;
  const refunded = (amount_refunded: number) =>
    ({ kind: 'charge', id: charge.id, before: charge, after: { ...charge, amount_refunded } }) as const;
  expect(checked(added, refunded(300))).not.toThrow();
  expect(checked(added, refunded(299))).toThrow(/changed by 300, its amount_refunded by 299/);
  const gone = { kind: 'refund', id: refund.id, before: refund, after: undefined } as const;
  expect(checked({ ...refunded(300), before: { ...charge, amount_refunded: 300 } }, gone)).toThrow(
    /changed by -300/,
  );
  expect(checked({ ...refunded(0), after: undefined })).not.toThrow();
});

test('rejects a closed batch that does not net what it settles', () => {
  const { sandbox } = start();
  const open = sandbox.add('terminal_batch', { status: 'open' });
  const charge = sandbox.add('charge', { amount: 1000 });
  const after = { ...charge, settled_at: 1, settlement_batch_id: open.id };
  const settled = { kind: 'charge', id: charge.id, before: charge, after } as const;
  const closed = (amount: number): Change => ({
    kind: 'terminal_batch',
    id: open.id,
    before: open,
    after: { ...open, status: 'closed', totals: { ...open.totals, sales: amount, refunds: 0 } },
  });
  expect(checked(settled, closed(1000))).not.toThrow();
  expect(checked(settled, closed(999))).toThrow(/nets 999, and settles 1000/);
  // Objects that were settled before, or by another batch, do not count.
  expect(checked({ ...settled, before: after }, closed(999))).not.toThrow();
  const elsewhere = { ...after, settlement_batch_id: 'tmb_other' } as const;
  expect(checked({ ...settled, after: elsewhere }, closed(999))).not.toThrow();
});

test('rolls a unit of work back that does not add up', () => {
  const { sandbox } = start();
  expect(() => sandbox.add('charge', { amount: 100, amount_refunded: 101 })).toThrow(/does not add up/);
  const intent = sandbox.add('payment_intent', { amount: 100 });
  expect(() => sandbox.add('charge', { intent_id: intent.id, amount: 101 })).toThrow(/does not add up/);
  const invoice = sandbox.add('invoice');
  expect(() => sandbox.update('invoice', invoice.id, { amount_paid: 500 })).toThrow(/does not add up/);
  expect(sandbox.get('invoice', invoice.id)).toEqual(invoice);
  expect(() => sandbox.add('credit_note', { invoice: invoice.id, total: 1201 })).toThrow(/does not add up/);
  // A reference to a missing object is allowed.
  expect(sandbox.add('credit_note', { total: 5000 }).total).toBe(5000);
});

test('rejects transactions whose sums do not add up', async () => {
  const { sandbox, transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const before = transaction(transactionid);
  const { transactionid: id } = await transact.refund({ transactionid, amount: '5.00' });
  await sandbox.clock.advance('1 day');
  const [after, refund] = [transaction(transactionid), transaction(id)];
  type Transaction = typeof before;
  const change = (from: Transaction | undefined, to: Transaction | undefined) =>
    ({ kind: 'transaction', id: (to ?? from)?.id ?? '', before: from, after: to }) as const;
  const check =
    (...changes: ReturnType<typeof change>[]) =>
    () =>
      checkTransactions(changes);
  const wrong = (fields: Partial<Transaction>) => check(change(after, { ...after, ...fields }));
  expect(check(change(before, after), change(undefined, refund))).not.toThrow();
  expect(wrong({ captured: '12.01' })).toThrow('over 12.00, 12.01 is captured');
  expect(wrong({ captured: '4.99' })).toThrow('4.99 is captured and 5.00 refunded');
  expect(wrong({ approved: false })).toThrow('is not approved');
  expect(wrong({ status: 'authorized' })).toThrow('from settled to authorized');
  expect(check(change(before, after))).toThrow('not the sum');
  expect(check(change(undefined, refund))).toThrow('not the sum');
  // A removed refund no longer counts.
  const uncounted = change({ ...after, status: 'pending' }, { ...before, refunded: '0.00' });
  expect(check(change(refund, undefined), uncounted)).not.toThrow();
  expect(check(change(refund, undefined))).toThrow('not the sum');
});
