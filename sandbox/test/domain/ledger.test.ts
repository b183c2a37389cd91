/** Reaches inside: no request shows the ledger, and none can post an entry that differs from its accounts. */

import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';
import { sandboxState, stateOf } from '../../../test/support/sandbox-state.ts';
import { findImbalance } from '../../src/domain/check-ledger.ts';
import type { LedgerEntry } from '../../src/domain/records/records.ts';

const currency = 'USD';
const entry: LedgerEntry = { id: '1', currency, debit: 'cash', credit: 'sales', amount: 1200 };
const cash = { id: 'USD cash', currency, debits: 1200, credits: 0 };
const sales = { id: 'USD sales', currency, debits: 0, credits: 1200 };

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

function start() {
  const sandbox = createSandbox();
  return { sandbox, payments: clientOf(sandbox, { fetch: sandbox.fetch, maxRetries: 0 }) };
}

/** Returns the entries of a sandbox, oldest first, as `debit credit amount currency`. */
function entriesOf(sandbox: Sandbox): string[] {
  const entries = stateOf(sandbox).objects.ledger_entry.all();
  return entries.map(({ debit, credit, amount, currency }) => `${debit} ${credit} ${amount} ${currency}`);
}

test('posts a charge, and a refund at its creation and its payout', async () => {
  const { payments, sandbox } = start();
  const intent = sandbox.add('payment_intent', { amount: 5500 });
  sandbox.pay(intent.id);
  await payments.refunds.create({ payment_intent_id: intent.id, amount: 500 }, { operationId: 'return-1' });
  expect(entriesOf(sandbox)).toEqual(['cash sales 5500 USD', 'refunds pending_refunds 500 USD']);
  await sandbox.clock.advance('1 minute');
  expect(entriesOf(sandbox).slice(2)).toEqual(['pending_refunds cash 500 USD']);
  const account = { id: 'USD cash', currency, debits: 5500, credits: 500 };
  expect(stateOf(sandbox).objects.ledger_account.all()).toContainEqual(account);
});

test('reverses a failed refund', () => {
  const { sandbox } = start();
  const { id } = sandbox.add('refund', { amount: 500 });
  sandbox.update('refund', id, { status: 'failed', failure_message: 'already_refunded' });
  expect(entriesOf(sandbox).at(-1)).toBe('pending_refunds refunds 500 USD');
});

test('posts transactions in minor units, voids, and each chargeback once', async () => {
  const { payments, sandbox } = start();
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const yen = await payments.transact.sale({ amount: '1200', currency: 'jpy', payment_token: 'tok_2' });
  await payments.transact.void({ transactionid: yen.transactionid });
  await payments.transact.auth({ amount: '7.00', payment_token: 'tok_3' });
  await payments.transact.sale({ amount: '0.50', payment_token: 'tok_4' });
  const dispute = { transaction_id: sale.transactionid, amount: '12.00', chargeback_id: 'cb_1' };
  sandbox.trigger('chargeback.received', dispute);
  sandbox.trigger('chargeback.received', dispute);
  expect(entriesOf(sandbox)).toEqual([
    'cash sales 1200 USD',
    'cash sales 1200 JPY',
    'sales cash 1200 JPY',
    'disputes cash 1200 USD',
  ]);
});

test('posts a chargeback of an unknown transaction, and skips an invalid amount', () => {
  const { sandbox } = start();
  sandbox.trigger('chargeback.received', { transaction_id: '1', amount: '49.99' });
  sandbox.trigger('chargeback.received', { transaction_id: '1', amount: '49.999' });
  expect(entriesOf(sandbox)).toEqual(['disputes cash 4999 USD']);
});

test('posts the difference of a manual change of amount or currency', () => {
  const { sandbox } = start();
  const { id } = sandbox.add('charge', { amount: 100 });
  sandbox.update('charge', id, { amount: 70 });
  sandbox.update('charge', id, { currency: 'EUR' });
  expect(entriesOf(sandbox)).toEqual([
    'cash sales 100 USD',
    'sales cash 30 USD',
    'sales cash 70 USD',
    'cash sales 70 EUR',
  ]);
});

test('is restored by a snapshot and cleared by a reset', () => {
  const { sandbox } = start();
  sandbox.add('charge', { amount: 1200 });
  const snapshot = sandbox.snapshot();
  sandbox.reset();
  expect(entriesOf(sandbox)).toEqual([]);
  sandbox.restore(snapshot);
  expect(entriesOf(sandbox)).toEqual(['cash sales 1200 USD']);
});
