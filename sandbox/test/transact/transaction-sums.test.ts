/** Reaches inside: the ledger must reject changes that no form can make. */

import fc from 'fast-check';
import { toDecimalAmount } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { checkTransactions } from '../../src/transact/transaction-sums.ts';
import { startForms } from './support.ts';

const types = ['sale', 'auth', 'credit', 'validate', 'capture', 'void', 'refund', 'wait'] as const;
const step = fc.record({
  type: fc.constantFrom(...types),
  thousandths: fc.integer({ min: 0, max: 4000 }),
  target: fc.nat({ max: 5 }),
});

/** Currencies with 2, 0 and 3 decimals. */
const currencies = [
  ['USD', 100],
  ['JPY', 1],
  ['KWD', 1000],
] as const;

const toCents = (amount: string) => Number(amount.replace('.', ''));

/** Recomputes the sums of all transactions from public data, and compares them. */
function check(transactions: Sandbox['transactions']) {
  for (const { id, amount, captured, refunded, approved } of transactions) {
    const refunds = transactions.filter(({ refundOf, status }) => refundOf === id && status !== 'voided');
    const sum = refunds.reduce((total, refund) => total + toCents(refund.amount), 0);
    expect(toCents(refunded)).toBe(sum);
    expect(sum).toBeLessThanOrEqual(toCents(captured));
    expect(toCents(captured)).toBeLessThanOrEqual(approved ? toCents(amount) : 0);
  }
}

test.each(currencies)('for random operations in %s, the sums add up', async (currency, unit) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { sandbox, submit } = startForms();
      for (const { type, thousandths, target } of steps) {
        if (type === 'wait') {
          await sandbox.clock.advance('9 hours');
          continue;
        }
        const before = JSON.stringify(sandbox.transactions);
        const answer = await submit({
          type,
          currency,
          amount:
            type === 'validate' ? '' : toDecimalAmount(Math.floor((thousandths * unit) / 1000), currency),
          ...(['capture', 'void', 'refund'].includes(type)
            ? { transactionid: sandbox.transactions.at(target)?.id ?? '0' }
            : { payment_token: 'tok_1' }),
        });
        expect(answer.get('response')).toMatch(/^[123]$/);
        if (answer.get('response') === '3') expect(JSON.stringify(sandbox.transactions)).toBe(before);
        check(sandbox.transactions);
      }
    }),
    { numRuns: 60 },
  );
});

async function pair() {
  const { sandbox, transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const before = transaction(transactionid);
  const refund = await transact.refund({ transactionid, amount: '5.00' });
  await sandbox.clock.advance('1 day');
  return { before, after: transaction(transactionid), refund: transaction(refund.transactionid) };
}

const change = (
  before: Sandbox['transactions'][number] | undefined,
  after: Sandbox['transactions'][number],
) => ({ kind: 'transaction', id: after.id, before, after }) as const;

test('accepts correct sums', async () => {
  const { before, after, refund } = await pair();
  expect(() => checkTransactions([change(before, after), change(undefined, refund)])).not.toThrow();
});

test('rejects a removed refund that its sale still counts', async () => {
  const { before, after, refund } = await pair();
  const gone = { kind: 'transaction', id: refund.id, before: refund, after: undefined } as const;
  const unrefunded = change({ ...after, status: 'pending' }, { ...before, refunded: '0.00' });
  expect(() => checkTransactions([gone, unrefunded])).not.toThrow();
  expect(() => checkTransactions([gone])).toThrow('not the sum');
});

test('rejects sums that do not add up', async () => {
  const { before, after, refund } = await pair();
  const wrong = (fields: Partial<Sandbox['transactions'][number]>) => () =>
    checkTransactions([change(after, { ...after, ...fields })]);
  expect(wrong({ captured: '12.01' })).toThrow('over 12.00, 12.01 is captured');
  expect(wrong({ captured: '4.99' })).toThrow('4.99 is captured and 5.00 refunded');
  expect(wrong({ approved: false })).toThrow('is not approved');
  expect(wrong({ status: 'authorized' })).toThrow('from settled to authorized');
  expect(() => checkTransactions([change(before, after)])).toThrow('not the sum');
  expect(() => checkTransactions([change(undefined, refund)])).toThrow('not the sum');
});
