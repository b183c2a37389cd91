/** The review queue: money is held while a person looks, taken or let go once, and what nobody knows is not sent again. */

import { type Sandbox, testCards, testEmails } from 'payments-client/sandbox';
import { expect, it } from 'vitest';
import { thorough } from '../support/size.ts';
import { startMerchant } from './support.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

/** Each transaction as the service has it. */
function transactionsOf(sandbox: Sandbox): readonly string[] {
  return sandbox.transactions.map(({ type, status, captured }) => `${type} ${status} ${captured}`);
}

async function startReview() {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const charge = async (email: string, ccnumber = card.ccnumber, amount = '12.00') => {
    const token = await sandbox.tokenize({ ...card, ccnumber });
    return run('fraud-review', 'charge', 'order-1042', amount, token, email);
  };
  return { ...merchant, charge, transactions: () => transactionsOf(sandbox) };
}

it('takes the money of a payment that raises no doubt', async () => {
  const { charge, transactions } = await startReview();
  const { code, stdout } = await charge(testEmails.low.email);
  expect(transactions()).toEqual(['auth pending 12.00']);
  expect(stdout).toMatch(/^order-1042: captured, /);
  expect(code).toBe(0);
});

it('holds one that is to be reviewed, until it is approved, once', thorough, async () => {
  const { run, charge, transactions } = await startReview();
  const { stdout } = await charge(testEmails.medium.email);
  expect(stdout).toMatch(/^order-1042: review, .*risk score 50/);
  expect(transactions()).toEqual(['auth authorized 0.00']);
  const clerks = await Promise.all([1, 2].map(() => run('fraud-review', 'approve', 'order-1042')));
  expect(clerks.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(transactions()).toEqual(['auth pending 12.00']);
  expect((await run('fraud-review', 'queue')).stdout).toBe('');
});

it('lets the money go that is rejected', async () => {
  const { run, charge, transactions } = await startReview();
  await charge(testEmails.medium.email);
  const { stdout } = await run('fraud-review', 'reject', 'order-1042');
  expect(stdout).toMatch(/^order-1042: voided, /);
  expect(transactions()).toEqual(['auth voided 0.00']);
});

it('lets the money go by itself where the checks say so', thorough, async () => {
  const { charge, transactions } = await startReview();
  await charge(testEmails.low.email, testCards.cvvMismatch.number);
  expect(transactions()).toEqual(['auth voided 0.00']);
});

it('notes a decline of the card, which cannot be charged again under the same id', thorough, async () => {
  const { charge, transactions } = await startReview();
  expect((await charge(testEmails.low.email, testCards.doNotHonor.number)).stdout).toMatch(
    /^order-1042: declined, /,
  );
  expect(await charge(testEmails.low.email)).toMatchObject({ code: 1 });
  expect(transactions()).toEqual(['auth declined 0.00']);
});

it('never charges again what nobody knows, and shows it to be looked up', async () => {
  const { sandbox, run, charge, transactions } = await startReview();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  expect(await charge(testEmails.low.email)).toMatchObject({ code: 1 });
  expect((await run('fraud-review', 'queue')).stdout).toBe('order-1042: authorizing\n');
  const again = await charge(testEmails.low.email);
  expect(again.stderr).toContain('order-1042 is not new.');
  expect(transactions()).toEqual(['auth authorized 0.00']);
});

it('may charge again what certainly did not happen', async () => {
  const { sandbox, charge, transactions } = await startReview();
  sandbox.faults.inject({ kind: 'rate_limit', operation: 'transact.submit' });
  expect(await charge(testEmails.low.email)).toMatchObject({ code: 1 });
  expect(transactions()).toEqual([]);
  expect(await charge(testEmails.low.email)).toMatchObject({ code: 0 });
  expect(transactions()).toEqual(['auth pending 12.00']);
});
