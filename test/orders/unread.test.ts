/** What the service has not been asked yet: nothing ships, and nothing goes back, before it is known. */

import { DatabaseSync } from 'node:sqlite';
import type { OrderRow } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { openShop, type Shop, sumsOf } from './shop.ts';

const later = { capture: false } as const;

const referenceOf = async ({ orders }: Shop) =>
  (await orders.get('order-1')).payments[0]?.reference as `pi_${string}`;

/** A shop with each kind of store. */
const shops = {
  memory: () => openShop(),
  sqlite: () => openShop(anything({ store: sqliteStore(new DatabaseSync(':memory:')) })),
};

it.each(['memory', 'sqlite'] as const)(
  'ships by no estimate of what a panel took; the store is %s',
  async (kind) => {
    const shop = shops[kind]();
    const { orders, payments, row, sandbox, shipped } = shop;
    row.cups = 2;
    await orders.charge('order-1', 'pm_1', later);
    await payments.paymentIntents.capture(
      await referenceOf(shop),
      { amount: 1000 },
      { operationId: 'panel' },
    );
    await sandbox.clock.advance('1 hour');
    await orders.resume();
    expect(sumsOf(await orders.get('order-1'))).toEqual({
      state: 'part_paid',
      total: 2400,
      paid: 1000,
      due: 1400,
    });
    expect(shipped).toEqual([]);
  },
);

it.each(['memory', 'sqlite'] as const)(
  'ships nothing that went back before it was known; the store is %s',
  async (kind) => {
    const shop = shops[kind]();
    const { orders, payments, sandbox, deliver, pageOf, shipped } = shop;
    const { session } = await pageOf();
    sandbox.pay(session);
    const { payment_intent_id } = await payments.checkoutSessions.retrieve(session);
    const intent = payment_intent_id as `pi_${string}`;
    await payments.refunds.create({ payment_intent_id: intent, amount: 1200 }, { operationId: 'panel' });
    await deliver('refund.created');
    await sandbox.clock.advance('1 hour');
    await orders.resume();
    expect(shipped).toEqual([]);
    const view = await orders.get('order-1');
    expect([view.state, view.due.amount]).toEqual(['part_paid', 1200]);
  },
);

it('gives back no estimate of what a panel took', async () => {
  const shop = openShop();
  const { orders, payments, row, sandbox } = shop;
  row.cups = 2;
  await orders.charge('order-1', 'pm_1', later);
  await payments.paymentIntents.capture(await referenceOf(shop), { amount: 1000 }, { operationId: 'panel' });
  sandbox.faults.inject({ kind: 'respond', operation: 'charges.retrieve', status: 403, body: {} });
  await orders.cancel('order-1').catch(() => undefined);
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  const view = await orders.refresh('order-1');
  expect([view.needs, view.paid.amount, view.refunding.amount]).toEqual([[], 1000, 1000]);
});

it('reads what a part of an authorization took, whatever it asked for', async () => {
  const shop = openShop();
  const { orders, row, sandbox, payments } = shop;
  row.cups = 2;
  await orders.charge('order-1', 'pm_1', later);
  row.cups = 1;
  await orders.capture('order-1');
  expect((await orders.get('order-1')).paid.amount).toBe(1200);
  const other = openShop();
  other.row.cups = 2;
  await other.orders.charge('order-1', 'pm_1', later);
  other.row.cups = 1;
  const [charge] = (await payments.charges.list()).items;
  // A service that takes all, whatever a capture asks for.
  other.sandbox.faults.inject({
    kind: 'respond',
    operation: 'charges.retrieve',
    status: 200,
    body: { ...charge, amount: 2400 },
  });
  await other.orders.capture('order-1');
  const view = await other.orders.get('order-1');
  expect([
    view.paid.amount,
    view.refunding.amount + view.refunded.amount > 0 || view.needs.length > 0,
  ]).toEqual([2400, true]);
  expect(sandbox.requests.filter(({ operation }) => operation === 'charges.retrieve')).toHaveLength(1);
});

it.each<[string, (row: { cups: number }) => void]>([
  ['its time is over', () => undefined],
  ['its row was edited to what was paid', (row) => Object.assign(row, { cups: 1 })],
])('opens no other page for what the old one has taken: %s', async (_name, edit) => {
  const { orders, row, sandbox, pageOf, shipped } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  await sandbox.clock.advance('2 days');
  edit(row);
  expect(await orders.checkout('order-1')).toEqual({ state: 'paid' });
  expect(shipped).toHaveLength(1);
  const { payments } = await orders.get('order-1');
  expect(payments.filter(({ status }) => status === 'open')).toEqual([]);
});

it('opens a page for the rest alone, if the old one was paid before an edit', async () => {
  const { row, sandbox, pageOf, orders } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  row.cups = 2;
  expect((await pageOf()).due.amount).toBe(1200);
  const { payments } = await orders.get('order-1');
  expect(payments.filter(({ status }) => status === 'open').map(({ asked }) => asked.amount)).toEqual([1200]);
});

it('cancels an order whose row is invalid, by its view', async () => {
  let row: OrderRow = { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] };
  const { orders, sandbox } = openShop({ order: () => row });
  await orders.charge('order-1', 'pm_1', later);
  const view = await orders.get('order-1');
  row = { ...row, lines: [] };
  expect((await orders.cancel(view)).payments).toMatchObject([{ status: 'expired' }]);
  expect(sandbox.get('payment_intent', view.payments[0]?.reference ?? '')?.status).toBe('canceled');
});
