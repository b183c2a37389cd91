/** Reaches inside: no request can post an entry that differs from its accounts. */

import { expect, test } from 'vitest';
import { findImbalance } from '../../../src/sandbox/domain/ledger/trial-balance.ts';
import type { LedgerEntry } from '../../../src/sandbox/domain/records/ledger-records.ts';
import { sandboxState } from '../../support/sandbox-state.ts';

const currency = 'USD';
const entry: LedgerEntry = {
  ...{ id: '1', at: 0, currency, debit: 'cash', credit: 'sales', amount: 1200, debit_balance: 1200 },
  ...{ credit_balance: -1200, object_kind: 'charge', object_id: 'ch_1', text: 'Charge' },
};
const cash = { id: 'USD cash', currency, account: 'cash', debits: 1200, credits: 0 } as const;
const sales = { id: 'USD sales', currency, account: 'sales', debits: 0, credits: 1200 } as const;

function withSale() {
  const state = sandboxState();
  state.unit(() => {
    for (const account of [cash, sales]) state.objects.ledger_account.add(account);
    state.objects.ledger_entry.add(entry);
  });
  return state;
}

test('accepts an entry whose accounts change by its amount', () => {
  expect(findImbalance(withSale())).toBeNull();
});

test('rejects an entry without matching accounts, and rolls back', () => {
  const state = withSale();
  expect(() => state.unit(() => state.objects.ledger_entry.add({ ...entry, id: '2' }))).toThrow(
    /ledger does not add up: entries over 1200 USD changed the debits by 0 and the credits by 0/,
  );
  expect(state.objects.ledger_entry.size).toBe(1);
});

test('rejects a change of one account without the other', () => {
  const state = withSale();
  const wrong = { ...cash, debits: 1201 };
  expect(() => state.unit(() => state.objects.ledger_account.replace(wrong))).toThrow(
    /entries over 0 USD changed the debits by 1 and the credits by 0/,
  );
  expect(state.objects.ledger_account.get(cash.id)).toEqual(cash);
});
