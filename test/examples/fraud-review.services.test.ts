/**
 * The review queue: payments for review are held, then captured or voided once. A transaction with an unknown outcome is not sent
 * again.
 */

import { type Sandbox, testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { thorough } from '../support/size.ts';
import { startMerchant } from './support.ts';

const lowRisk = 'risk10@example.com';
const mediumRisk = 'risk50@example.com';
const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

/** The status of each transaction at the service. */
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

it('captures a payment without risk', async () => {
  const { charge, transactions } = await startReview();
  const { code, stdout } = await charge(lowRisk);
  expect(transactions()).toEqual(['auth pending 12.00']);
  expect(stdout).toMatch(/^order-1042: captured, /);
  expect(code).toBe(0);
});

it('holds a payment for review, and captures it once when it is approved', thorough, async () => {
  const { run, charge, transactions } = await startReview();
  const { code, stdout } = await charge(mediumRisk);
  expect(stdout).toMatch(/^order-1042: review, .*risk score 50/);
  expect(code).toBe(1);
  expect(transactions()).toEqual(['auth authorized 0.00']);
  const approvals = await Promise.all([1, 2].map(() => run('fraud-review', 'approve', 'order-1042')));
  expect(approvals.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(transactions()).toEqual(['auth pending 12.00']);
  expect(await run('fraud-review', 'queue')).toMatchObject({ code: 0, stdout: '' });
});

it('does not exit as if the money were taken after a misspelt command', async () => {
  const { run, transactions } = await startReview();
  expect(await run('fraud-review', 'chrage', 'order-1042', '12.00', 'tok_1')).toMatchObject({ code: 1 });
  expect(transactions()).toEqual([]);
});

it('voids a rejected payment', async () => {
  const { run, charge, transactions } = await startReview();
  await charge(mediumRisk);
  const { code, stdout } = await run('fraud-review', 'reject', 'order-1042');
  expect(stdout).toMatch(/^order-1042: voided, /);
  expect(code).toBe(0);
  expect(transactions()).toEqual(['auth voided 0.00']);
});

it('voids a payment that the checks reject', async () => {
  const { charge, transactions } = await startReview();
  expect((await charge(lowRisk, testCards.cvvMismatch.number)).code).toBe(1);
  expect(transactions()).toEqual(['auth voided 0.00']);
});

it('records a decline, and does not charge again under the same id', async () => {
  const { charge, transactions } = await startReview();
  const declined = await charge(lowRisk, testCards.doNotHonor.number);
  expect(declined.stdout).toMatch(/^order-1042: declined, /);
  expect(declined.code).toBe(1);
  expect(await charge(lowRisk)).toMatchObject({ code: 1 });
  expect(transactions()).toEqual(['auth declined 0.00']);
});

it('never charges again after an unknown outcome, and lists the payment', async () => {
  const { sandbox, run, charge, transactions } = await startReview();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  expect(await charge(lowRisk)).toMatchObject({ code: 1 });
  expect((await run('fraud-review', 'queue')).stdout).toBe('order-1042: auth sent\n');
  const secondCharge = await charge(lowRisk);
  expect(secondCharge.stderr).toContain('order-1042 is not new.');
  expect(transactions()).toEqual(['auth authorized 0.00']);
});

it('lets a person record what became of a transaction with an unknown outcome', async () => {
  const { sandbox, run, charge, transactions } = await startReview();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.auth' });
  await charge(mediumRisk);
  const id = sandbox.transactions[0]?.id ?? '';
  const resolve = (...found: readonly string[]) => run('fraud-review', 'resolve', 'order-1042', ...found);
  expect((await resolve('auth', 'review')).stderr).toContain('CHECK constraint failed');
  expect((await resolve('auth', 'captured', id)).stdout).toBe('order-1042: auth sent\n');
  expect((await resolve('auth', 'review', id)).stdout).toBe(`order-1042: review, ${id}\n`);
  expect(await run('fraud-review', 'approve', 'order-1042')).toMatchObject({ code: 0 });
  expect(transactions()).toEqual(['auth pending 12.00']);
});

it('keeps the authorization when its capture is refused, and captures it later', async () => {
  const { sandbox, run, charge, transactions } = await startReview();
  await charge(mediumRisk);
  const id = sandbox.transactions[0]?.id;
  const headers = { 'content-type': 'text/html' };
  const body = 'response=3&responsetext=Try later&transactionid=';
  sandbox.faults.inject({ kind: 'respond', operation: 'transact.capture', status: 200, headers, body });
  const refused = await run('fraud-review', 'approve', 'order-1042');
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(await run('fraud-review', 'approve', 'order-1042')).toMatchObject({ code: 0 });
  expect(refused.stdout).toMatch(new RegExp(`^order-1042: review, ${id}, `));
  expect(transactions()).toEqual(['auth pending 12.00']);
});

it('keeps the authorization when the reply to its capture is lost, and does not capture again', async () => {
  const { sandbox, run, charge, transactions } = await startReview();
  await charge(mediumRisk);
  const id = sandbox.transactions[0]?.id;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.capture' });
  expect(await run('fraud-review', 'approve', 'order-1042')).toMatchObject({ code: 1 });
  const queue = await run('fraud-review', 'queue');
  expect(queue.stdout).toMatch(new RegExp(`^order-1042: capture sent, ${id}, `));
  expect((await run('fraud-review', 'reject', 'order-1042')).stderr).toContain('order-1042 is not review.');
  expect(transactions()).toEqual(['auth pending 12.00']);
});

it('may charge again after a failure that is not executed', async () => {
  const { sandbox, charge, transactions } = await startReview();
  sandbox.faults.inject({ kind: 'rate_limit', operation: 'transact.submit' });
  expect(await charge(lowRisk)).toMatchObject({ code: 1 });
  expect(transactions()).toEqual([]);
  expect(await charge(lowRisk)).toMatchObject({ code: 0 });
  expect(transactions()).toEqual(['auth pending 12.00']);
});
