/** The nightly report: its rows add up to the service's ledger, and it reports a batch that does not add up. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { startMerchant } from './support.ts';

const header = 'object,id,created,amount,currency,status,batch,difference';

/** Returns the rows of a report, by column name. */
function rowsOf(folder: string) {
  const [first, ...lines] = readFileSync(join(folder, 'reconciliation.csv'), 'utf8').trim().split('\n');
  expect(first?.replaceAll('"', '')).toBe(header);
  return lines.map((line) => {
    const [object = '', id = '', , amount = '', currency = '', , batch = '', difference = ''] = line
      .slice(1, -1)
      .split('","');
    return { object, id, amount, currency, batch, difference };
  });
}

/** Converts a decimal of two digits to an integer. */
function cents(amount: string): number {
  expect(amount).toMatch(/^-?\d+\.\d\d$/);
  return Number(amount.replace('.', ''));
}

/** Returns the sum of all charges and refunds of the service. */
async function ledgerOf(sandbox: Sandbox): Promise<number> {
  const payments = clientOf(sandbox);
  let sum = 0;
  for await (const { status, amount } of payments.charges.list({ limit: 100 }))
    if (status === 'succeeded') sum += amount;
  for await (const { status, amount } of payments.refunds.list({ limit: 100 }))
    if (status === 'succeeded') sum -= amount;
  return sum;
}

/** Creates the payments of a month, and settles a batch. */
function createPayments(sandbox: Sandbox) {
  sandbox.seed({ customers: 20, intents: 300, months: 1 });
  for (const amount of [1200, 2400, 1]) sandbox.trigger('payment_intent.succeeded', { amount });
  sandbox.trigger('refund.succeeded', { amount: 500 });
  return sandbox.settle();
}

it('adds up to the charges and refunds of the service, and to its batches', async () => {
  const { sandbox, folder, run } = await startMerchant({ LOOKBACK_DAYS: '31' });
  const [batch] = createPayments(sandbox);
  const { code, stdout } = await run('reconciliation');
  const rows = rowsOf(folder);
  const movements = rows.filter(({ object }) => object !== 'terminal_batch');
  const sum = movements.reduce((total, { amount }) => total + cents(amount), 0);
  expect(sum).toBe(await ledgerOf(sandbox));
  expect(movements.filter(({ object }) => object === 'refund').length).toBeGreaterThan(1);

  const settled = movements.filter((row) => row.batch === batch?.id);
  expect(settled.reduce((total, { amount }) => total + cents(amount), 0)).toBe(batch?.totals.net);
  expect(settled.length).toBe(batch?.transaction_count);
  const batches = rows.filter(({ object }) => object === 'terminal_batch');
  expect(batches).toMatchObject([{ id: batch?.id, difference: '0.00' }]);
  expect(stdout).toMatch(/adds up\n\d+ movements in reconciliation\.csv\n$/);
  expect(code).toBe(0);
});

it('reports the difference of a batch, with exit code 1', async () => {
  const { sandbox, folder, run } = await startMerchant();
  const [batch] = createPayments(sandbox);
  const totals = { ...batch?.totals, fees: 0, net: 0, refunds: 0, sales: 123_456, tax: 0, tips: 0, voids: 0 };
  sandbox.update('terminal_batch', batch?.id ?? '', { totals });
  const { code, stdout } = await run('reconciliation');
  const [row] = rowsOf(folder).filter(({ object }) => object === 'terminal_batch');
  const differences = cents(row?.difference ?? '');
  expect(differences).toBe(123_456 - (batch?.totals.net ?? 0));
  expect(stdout).toContain(`off by ${row?.difference}`);
  expect(code).toBe(1);
});

it('never adds two currencies, and reports a payment of another one, with exit code 1', async () => {
  const { sandbox, folder, run } = await startMerchant();
  const created_at = Math.floor(sandbox.clock.now() / 1000) - 3600;
  const zero = { fees: 0, net: 0, refunds: 0, sales: 0, tax: 0, tips: 0, voids: 0 };
  const { id } = sandbox.add('terminal_batch', {
    status: 'closed',
    currency: 'USD',
    created_at,
    closed_at: created_at,
    totals: { ...zero, sales: 2400 },
  });
  const charge = (amount: number, currency: string) =>
    sandbox.add('charge', { amount, currency, created_at, settled_at: created_at, settlement_batch_id: id });
  charge(2400, 'USD');
  const yen = charge(1200, 'JPY');
  const { code, stdout } = await run('reconciliation');
  expect(stdout).toContain(`${id}: 24.00 USD, adds up`);
  expect(stdout).toContain(`${id}: ${yen.id} is in JPY`);
  const [row] = rowsOf(folder).filter(({ object }) => object === 'terminal_batch');
  expect([row?.difference, code]).toEqual(['0.00', 1]);
});

it('leaves out declined, pending and old payments', async () => {
  const { sandbox, folder, run } = await startMerchant();
  const day = 86_400;
  const now = Math.floor(sandbox.clock.now() / 1000);
  const [old, declined, young] = [
    sandbox.add('charge', { amount: 1, created_at: now - 31 * day }),
    sandbox.add('charge', { amount: 10, status: 'failed' }),
    sandbox.add('charge', { amount: 100, created_at: now - 29 * day }),
  ];
  const pending = sandbox.add('refund', { amount: 1000, status: 'pending' });
  await run('reconciliation');
  const ids = rowsOf(folder).map(({ id }) => id);
  expect(ids).toEqual([young.id]);
  for (const { id } of [old, declined, pending]) expect(ids).not.toContain(id);
});

it('writes yen without decimals, and dinars with three', async () => {
  const { sandbox, folder, run } = await startMerchant();
  sandbox.add('charge', { amount: 1200, currency: 'JPY' });
  sandbox.add('charge', { amount: 1200, currency: 'KWD' });
  sandbox.add('refund', { amount: 5, currency: 'KWD', status: 'succeeded' });
  await run('reconciliation');
  const amounts = rowsOf(folder).map(({ amount, currency }) => `${amount} ${currency}`);
  expect(amounts.toSorted()).toEqual(['-0.005 KWD', '1.200 KWD', '1200 JPY']);
});
