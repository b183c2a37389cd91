/** The list of the orders that need a person: all whose view has a need, and no other. */

import type { OrderRow } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { all, codeOf, openShop, type Shop } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const returned = { id: 'return-1', amount: 500, currency: 'USD' };

const listed = async ({ orders }: Shop) =>
  (await all(orders.needs())).flatMap(({ needs }) => needs.map(({ kind }) => kind));

/** A paid order whose row can be lost. */
function withRow(onPaid?: () => void) {
  const present: OrderRow = {
    createdAt: 1,
    currency: 'usd',
    lines: [{ name: 'Tea', amount: 1200, quantity: 1 }],
  };
  const table = { row: present as OrderRow | undefined };
  return { ...openShop({ order: () => table.row, ...(onPaid && { onPaid }) }), table, present };
}

it.each(['its process dies', 'its answer is lost'])('has a refund of a sale: %s', async (how) => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-1', card);
  if (how === 'its process dies') {
    const hold = sandbox.faults.inject({ kind: 'hold', operation: 'transact.refund' });
    orders.refund('order-1', returned).catch(() => undefined);
    await hold.reached;
  } else {
    sandbox.faults.inject({ kind: 'drop_request', operation: 'transact.refund' });
    await orders.refund('order-1', returned).catch(() => undefined);
  }
  expect(await listed(shop)).toEqual([]);
  await sandbox.clock.advance('3 minutes');
  await orders.resume();
  expect(await listed(shop)).toEqual(['refund_unknown']);
});

it('has a late capture whose process died', async () => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-1', card, { capture: false });
  await sandbox.clock.advance('9 days');
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'transact.capture' });
  const capturing = orders.capture('order-1');
  await hold.reached;
  await sandbox.clock.advance('1 day');
  await orders.resume();
  expect(await listed(shop)).toEqual(['capture_unknown']);
  hold.release();
  await capturing;
});

it('has held money whose row is gone, until it is released', async () => {
  const shop = withRow();
  const { orders, table, sandbox } = shop;
  await orders.charge('order-1', 'pm_1', { capture: false });
  table.row = undefined;
  await sandbox.clock.advance('1 day');
  await orders.resume();
  expect(await listed(shop)).toEqual(['row_missing']);
  const [held] = await all(orders.needs());
  expect((await orders.cancel(held ?? '')).payments).toMatchObject([{ status: 'expired' }]);
  expect(await listed(shop)).toEqual([]);
});

it('has a paid order that failed to ship, and whose row is gone', async () => {
  let fails = true;
  const shop = withRow(() => {
    if (fails) throw new Error('down');
  });
  const { orders, table, sandbox, present } = shop;
  await shop.pay().catch(() => undefined);
  expect(await listed(shop)).toEqual(['not_shipped']);
  table.row = undefined;
  const [paid] = await all(orders.needs());
  expect((await orders.refund(paid ?? '', returned)).refunding.amount).toBe(500);
  expect(await listed(shop)).toEqual(['row_missing']);
  fails = false;
  table.row = present;
  await sandbox.clock.advance('1 hour');
  expect(await orders.resume()).toEqual([]);
  expect(await listed(shop)).toEqual([]);
  expect(await codeOf(orders.refund('order-1', { ...returned, amount: 700 }))).toBe('ORDER_REFUND_REFUSED');
});

it('has nothing of a free order without a row', async () => {
  const shop = withRow(() => {
    throw new Error('down');
  });
  shop.table.row = { ...shop.present, lines: [{ name: 'Sample', amount: 0, quantity: 1 }] };
  await shop.orders.checkout('order-1').catch(() => undefined);
  expect(await listed(shop)).toEqual(['not_shipped']);
});
