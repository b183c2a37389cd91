/** The nightly comparison: no batch is skipped, no two currencies are added, and a missing or a second charge is found. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createOrders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { startMerchant } from './support.ts';

const zero = { fees: 0, net: 0, refunds: 0, sales: 0, tax: 0, tips: 0, voids: 0 };

/** A shop whose orders cost 12.00 USD each. */
async function openShop() {
  const merchant = await startMerchant();
  const { sandbox, run, folder } = merchant;
  const database = new DatabaseSync(join(folder, 'shop.sqlite'));
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, row TEXT) STRICT');
  const row = {
    createdAt: Date.now(),
    currency: 'usd',
    lines: [{ name: 'Tea', amount: 1200, quantity: 1 }],
  };
  const orders = createOrders({
    payments: clientOf(sandbox, { checkoutPage: sandbox.checkoutPage }),
    store: sqliteStore(database),
    account: 'tea-shop',
    page: (id) => `https://shop.example/orders/${id}`,
    order: () => row,
    onPaid: () => undefined,
  });
  /** Lets the buyer of a new order pay. */
  const sell = async (id: string) => {
    database.prepare('INSERT INTO orders VALUES (?, ?)').run(id, JSON.stringify(row));
    const page = await orders.checkout(id);
    if (page.state !== 'open') throw new Error(`Expected an open page, got ${page.state}.`);
    sandbox.pay(page.session);
    await orders.refresh(id);
  };
  const reconcile = (...args: readonly string[]) => run('reconciliation', 'shop.sqlite', ...args);
  return { ...merchant, orders, sell, reconcile };
}

const allWell = (batches: number) => ({
  code: 0,
  stdout: `${batches} batches compared, 0 differences\n`,
  stderr: '',
});

it('compares each batch once, also after a week without a run', async () => {
  const { sandbox, orders, sell, reconcile } = await openShop();
  for (const id of ['order-1', 'order-2']) {
    await sell(id);
    sandbox.settle();
    await sandbox.clock.advance('4 days');
  }
  await orders.refund('order-1', { id: 'return-1', amount: 500, currency: 'usd' });
  await sandbox.clock.advance('1 day'); // the refund succeeds
  sandbox.settle();
  expect(await reconcile()).toEqual(allWell(3));
  expect(await reconcile()).toEqual(allWell(0));
});

it('compares a batch that closed after a newer one, and one that changed', async () => {
  const { sandbox, sell, reconcile } = await openShop();
  const late = sandbox.add('terminal_batch', { status: 'open', totals: zero });
  await sell('order-1');
  const [batch] = sandbox.settle();
  expect(await reconcile()).toEqual(allWell(1));
  sandbox.update('terminal_batch', late.id, { status: 'closed' });
  expect(await reconcile()).toEqual(allWell(1));
  await sandbox.clock.advance('1 hour');
  sandbox.reconcile(batch?.id ?? '', 'incomplete');
  expect(await reconcile()).toEqual(allWell(1));
});

it('reports a difference until somebody accepts it, and then compares only new batches', async () => {
  const { sandbox, sell, reconcile } = await openShop();
  await sell('order-1');
  const [batch] = sandbox.settle();
  sandbox.update('terminal_batch', batch?.id ?? '', { totals: { ...zero, sales: 1300 } });
  for (const args of [[], [], ['accept']]) {
    const { code, stdout } = await reconcile(...args);
    expect(stdout).toBe(`${batch?.id} USD 100 missing\n1 batches compared, 1 differences\n`);
    expect(code).toBe(1);
  }
  expect(await reconcile()).toEqual(allWell(0));
});

it('finds a charge that no order has, and a second charge of an intent', async () => {
  const { sandbox, sell, reconcile } = await openShop();
  await sell('order-1');
  const [first] = (await clientOf(sandbox).charges.list()).items;
  const intent_id = first?.intent_id ?? '';
  sandbox.add('charge', { amount: 1200, currency: 'USD', intent_id: intent_id as `pi_${string}` });
  const stranger = sandbox.add('charge', { amount: 700, currency: 'USD' });
  sandbox.settle();
  const { code, stdout } = await reconcile();
  expect(stdout).toContain(`${intent_id} USD 1200 too much\n`);
  expect(stdout).toContain(`${stranger.intent_id} USD 700 too much\n`);
  expect(code).toBe(1);
});

it('finds a paid order without its charge', async () => {
  const { sandbox, sell, reconcile } = await openShop();
  await sell('order-1');
  const [charge] = (await clientOf(sandbox).charges.list()).items;
  sandbox.update('charge', charge?.id ?? '', { status: 'failed' });
  sandbox.add('terminal_batch', { status: 'closed', totals: zero });
  const { code, stdout } = await reconcile();
  expect(stdout).toContain(`${charge?.intent_id} USD 1200 missing\n`);
  expect(code).toBe(1);
});

it('never adds two currencies', async () => {
  const { sandbox, reconcile } = await openShop();
  const totals = { ...zero, sales: 2400 };
  const { id } = sandbox.add('terminal_batch', { status: 'closed', currency: 'USD', totals });
  for (const currency of ['USD', 'JPY'])
    sandbox.add('charge', { amount: 1200, currency, settlement_batch_id: id });
  const { code, stdout } = await reconcile();
  expect(stdout).toContain(`${id} USD 1200 missing\n${id} JPY 1200 too much\n`);
  expect(code).toBe(1);
});
