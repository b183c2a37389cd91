/** When `resume` looks at an order again: for what it waits, and how long. */

import type { OrderRow } from 'payments-client/orders';
import { expect, it } from 'vitest';
import { gatedStore } from './gated-store.ts';
import { all, openShop, type Shop } from './shop.ts';

const rowOf = (quantity: number): OrderRow => ({
  createdAt: 1,
  currency: 'usd',
  lines: [{ name: 'Tea', amount: 1200, quantity }],
});

/** Resumes every hour for some days. Returns in how many of the hours a count rose. */
async function hoursOf({ orders, sandbox }: Shop, days: number, count: () => number): Promise<number> {
  let hours = 0;
  for (let hour = 0; hour < days * 24; hour += 1) {
    const before = count();
    await sandbox.clock.advance('1 hour');
    await orders.resume();
    if (count() > before) hours += 1;
  }
  return hours;
}

/** A shop that counts how often a row is read. */
function countingShop() {
  let reads = 0;
  const state: { row: OrderRow | undefined } = {
    row: rowOf(1),
  };
  const shop = openShop({
    order: () => {
      reads += 1;
      return state.row;
    },
  });
  return { ...shop, state, reads: () => reads };
}

it('reads the row of an order that is paid in part for sixty days, less and less often', async () => {
  const shop = countingShop();
  const { orders, sandbox, state, pageOf, reads } = shop;
  const { session } = await pageOf();
  state.row = rowOf(2);
  sandbox.pay(session);
  await orders.refresh('order-1');
  const perDay: number[] = [];
  for (let day = 0; day < 4; day += 1) perDay.push(await hoursOf(shop, 1, reads));
  expect(perDay).toEqual([7, 2, 1, 1]);
  await sandbox.clock.advance('54 days');
  expect(await hoursOf(shop, 1, reads)).toBe(1);
  await hoursOf(shop, 2, reads);
  expect(await hoursOf(shop, 5, reads)).toBe(0);
});

it('reads a missing row of a paid order every hour', async () => {
  const shop = countingShop();
  const { sandbox, state, pageOf, deliver, reads } = shop;
  sandbox.pay((await pageOf()).session);
  state.row = undefined;
  await deliver('checkout.session.completed');
  expect(await hoursOf(shop, 1, reads)).toBe(24);
  const before = reads();
  await shop.orders.resume();
  expect(reads()).toBe(before);
  expect(await all(shop.orders.needs())).toHaveLength(1);
});

it('asks for the refund of another program as long as it is pending', async () => {
  const shop = openShop();
  const { orders, sandbox, payments, pay, deliver, sent } = shop;
  await pay();
  const [payment] = (await orders.get('order-1')).payments;
  const payment_intent_id = payment?.intent as `pi_${string}`;
  const { id } = await payments.refunds.create({ payment_intent_id, amount: 300 }, { operationId: 'x' });
  await deliver('refund.created');
  let requests = 0;
  const count = () => (requests += sent().length);
  count();
  expect(await hoursOf(shop, 1, count)).toBe(7);
  sandbox.update('refund', id, { status: 'succeeded' });
  await orders.refresh('order-1');
  count();
  expect(await hoursOf(shop, 3, count)).toBe(0);
});

const declined = {
  kind: 'respond',
  status: 200,
  body: 'response=2&responsetext=NO&transactionid=',
} as const;

async function sell({ orders }: Shop): Promise<void> {
  await orders.sell('order-1', { payment_token: 'token' }).catch(() => undefined);
}

/** Pays the page of an order, and lets all refunds of it succeed. */
async function pay({ orders, sandbox, payments }: Shop, session: string): Promise<void> {
  sandbox.pay(session);
  await orders.refresh('order-1');
  for (const { id } of (await payments.refunds.list()).items)
    sandbox.update('refund', id, { status: 'succeeded' });
  await orders.refresh('order-1');
}

const over: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'that was declined': async (shop) => {
    shop.sandbox.faults.inject(declined);
    await sell(shop);
  },
  'that waits for a person': async (shop) => {
    shop.sandbox.faults.inject({ kind: 'drop_reply' });
    await sell(shop);
  },
  'that was paid': async (shop) => pay(shop, (await shop.pageOf()).session),
  'whose money went back': async (shop) => {
    const { session } = await shop.pageOf();
    await shop.orders.cancel('order-1');
    await pay(shop, session);
  },
};

it.each(Object.entries(over))('looks no more at an order %s', async (_name, end) => {
  const { store, gate } = gatedStore();
  const shop = openShop({ store });
  await end(shop);
  let loads = 0;
  gate.beforeLoad = async () => {
    loads += 1;
  };
  expect(await hoursOf(shop, 3, () => loads)).toBe(0);
});
