/** Reaches inside: no request can post an entry whose debits are not its credits. */

import { expect, test } from 'vitest';
import { booksProblem } from '../../../src/sandbox/domain/books/check-books.ts';
import { sandboxState } from '../../support/sandbox-state.ts';

function withSale() {
  const state = sandboxState();
  const id = 'USD cash';
  state.unit(() => {
    const common = {
      id: '1',
      at: 0,
      currency: 'USD',
      object: { kind: 'charge', id: 'ch_1' },
      text: 'Charge',
    };
    const accounts = [
      { id, currency: 'USD', account: 'cash', debits: 1200, credits: 0 },
      { id: 'USD sales', currency: 'USD', account: 'sales', debits: 0, credits: 1200 },
    ] as const;
    for (const account of accounts) state.objects.ledger_account.add(account);
    state.objects.ledger_entry.add({
      ...common,
      lines: [
        { account: 'cash', amount: 1200, balance: 1200 },
        { account: 'sales', amount: -1200, balance: -1200 },
      ],
    });
  });
  return { state, id };
}

test('takes postings whose debits are their credits', () => {
  const { state } = withSale();
  expect(booksProblem(state)).toBeNull();
});

test('refuses an entry whose lines do not come to zero, and keeps nothing of the unit', () => {
  const { state } = withSale();
  const [entry] = state.objects.ledger_entry.all();
  if (entry === undefined) throw new Error('expected an entry');
  const wrong = { ...entry, id: '2', lines: entry.lines.slice(0, 1) };
  expect(() => state.unit(() => state.objects.ledger_entry.add(wrong))).toThrow(
    /ledger does not add up: the lines of the entry '2' come to 1200/,
  );
  expect(state.objects.ledger_entry.size).toBe(1);
});

test('refuses a change of an account without its other side', () => {
  const { state, id } = withSale();
  const account = state.objects.ledger_account.get(id);
  if (account === undefined) throw new Error('expected an account');
  expect(() => state.unit(() => state.objects.ledger_account.replace({ ...account, debits: 1201 }))).toThrow(
    /the debits in USD differ from the credits by 1/,
  );
  expect(state.objects.ledger_account.get(id)).toEqual(account);
});
