/** What continues by itself: how often the service is asked over months, what fails, and what needs a person. */

import type { OrderRow } from 'payments-client/orders';
import { expect, it } from 'vitest';
import { all, codeOf, onlyNeed, openShop, type Shop } from './shop.ts';

const tea = (): OrderRow => ({
  createdAt: 1,
  currency: 'usd',
  lines: [{ name: 'Tea', amount: 1200, quantity: 1 }],
});

/** Resumes every hour for some days. Returns how many requests each day had. */
async function requestsPerDay({ orders, sandbox, sent }: Shop, days: number): Promise<number[]> {
  const counts: number[] = [];
  sent();
  for (let day = 0; day < days; day += 1) {
    for (let hour = 0; hour < 24; hour += 1) {
      await sandbox.clock.advance('1 hour');
      await orders.resume();
    }
    counts.push(sent().length);
  }
  return counts;
}

it('asks nothing of orders that are new, paid or canceled', async () => {
  const { orders, sandbox, pay, sent } = openShop();
  await pay();
  await orders.get('order-2');
  await orders.cancel('order-3');
  sent();
  await sandbox.clock.advance('30 days');
  expect(await orders.resume()).toEqual([]);
  expect(sent()).toEqual([]);
});

it('asks for an unpaid page less and less often, for eight days', async () => {
  const shop = openShop();
  await shop.pageOf();
  expect(await requestsPerDay(shop, 10)).toEqual([7, 2, 1, 1, 1, 1, 1, 1, 0, 0]);
});

it('asks for a refund that stays pending for sixty days', async () => {
  const shop = openShop();
  await shop.pay();
  await shop.orders.refund('order-1', { id: 'return-1', amount: 100, currency: 'USD' });
  expect(await requestsPerDay(shop, 3)).toEqual([7, 2, 1]);
  await shop.sandbox.clock.advance('50 days');
  expect(await requestsPerDay(shop, 10)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
});

it('reads the row of an order that is paid in part, and ships it once the row fits', async () => {
  const { orders, row, sandbox, pageOf, shipped } = openShop();
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  await sandbox.clock.advance('2 days');
  await orders.resume();
  expect(shipped).toEqual([]);
  row.cups = 1;
  await sandbox.clock.advance('2 days');
  await orders.resume();
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('finds a payment that no event told', async () => {
  const { orders, sandbox, pageOf, shipped } = openShop();
  sandbox.pay((await pageOf()).session);
  await orders.resume();
  expect(shipped).toEqual([]);
  await sandbox.clock.advance('15 min');
  await orders.resume();
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('finds what was paid during an outage of weeks, at the first run after it', async () => {
  const { orders, sandbox, pageOf, shipped } = openShop();
  sandbox.pay((await pageOf()).session);
  await sandbox.clock.advance('40 days');
  await orders.resume();
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('backs off from an order that fails, to six hours', async () => {
  let tries = 0;
  const { orders, sandbox, pageOf, shipped } = openShop({
    onPaid: () => {
      tries += 1;
      throw new TypeError('no stock');
    },
  });
  sandbox.pay((await pageOf()).session);
  await orders.refresh('order-1').catch(() => undefined);
  const gaps: number[] = [];
  for (let minute = 0, last = tries, at = 0; minute < 1600; minute += 1) {
    await sandbox.clock.advance('1 min');
    if (tries === last) await orders.resume();
    if (tries === last) continue;
    gaps.push(minute - at);
    [last, at] = [tries, minute];
  }
  expect(gaps).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
  expect(shipped).toEqual([]);
});

it('looks at once again after a failure has passed', async () => {
  const { orders, sandbox, pageOf } = openShop();
  sandbox.pay((await pageOf()).session);
  await sandbox.clock.advance('15 min');
  sandbox.faults.inject({ kind: 'unavailable' });
  expect(await orders.resume()).toMatchObject([{ id: 'order-1', error: { status: 503 } }]);
  expect(await orders.resume()).toEqual([]);
  await sandbox.clock.advance('16 min');
  expect(await orders.resume()).toEqual([]);
  expect((await orders.get('order-1')).state).toBe('paid');
});

it('lets no order stop the others, and names those that failed', async () => {
  const shipped: string[] = [];
  let isBroken = true;
  const { orders, sandbox } = openShop({
    order: () => tea(),
    onPaid: ({ id }) => {
      if (isBroken || id === 'a/order/b@c') throw new Error(`not ${id}`);
      shipped.push(id);
    },
  });
  const ids = ['order-1', 'a/order/b@c', 'order-3'];
  for (const id of ids) await orders.charge(id, 'pm_1').catch(() => undefined);
  isBroken = false;
  await sandbox.clock.advance('1 min');
  const failed = await orders.resume();
  expect(failed).toMatchObject([{ id: 'a/order/b@c', error: { message: 'not a/order/b@c' } }]);
  expect(shipped.sort()).toEqual(['order-1', 'order-3']);
});

it('continues at most so many orders, the longest due first, and all of many pages', async () => {
  const shipped: string[] = [];
  let isBroken = true;
  const { orders, sandbox } = openShop({
    order: () => ({ ...tea(), lines: [{ name: 'Tea', amount: 0, quantity: 1 }] }),
    onPaid: ({ id }) => {
      if (isBroken) throw new Error('not yet');
      shipped.push(id);
    },
  });
  const ids = Array.from({ length: 103 }, (_, index) => `order-${index}`);
  for (const id of ids) {
    await orders.checkout(id).catch(() => undefined);
    await sandbox.clock.advance(1);
  }
  isBroken = false;
  await orders.resume({ limit: 2 });
  expect(shipped).toEqual(ids.slice(0, 2));
  await orders.resume();
  expect(shipped).toEqual(ids);
});

it('reads a clock that has fractions of a ms', async () => {
  const { orders, sandbox, pageOf, shipped } = openShop({ now: () => sandbox.clock.now() + 0.7 });
  sandbox.pay((await pageOf()).session);
  await sandbox.clock.advance('1 hour');
  expect(await orders.resume()).toEqual([]);
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it.each([0, 1.5, 100_001])('refuses a limit of %d', async (limit) => {
  await expect(openShop().orders.resume({ limit })).rejects.toThrow(/^resume\.limit: expected an integer/);
});

it('ships once the missing row is back', async () => {
  let row: OrderRow | undefined = tea();
  const shop = openShop({ order: () => row });
  const { orders, sandbox, pageOf, deliver, shipped } = shop;
  sandbox.pay((await pageOf()).session);
  row = undefined;
  await deliver('checkout.session.completed');
  expect(await codeOf(orders.get('order-1'))).toBe('ORDER_NOT_FOUND');
  const missing = await all(orders.needs());
  expect(missing).toMatchObject([{ id: 'order-1', needs: [{ kind: 'row_missing', operation: null }] }]);
  row = tea();
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect(shipped).toEqual(['order-1 for 1200 USD']);
  expect(await all(orders.needs())).toEqual([]);
});

it('lists the orders that need a person, and no others', async () => {
  const shop = openShop();
  const { orders, sandbox, pay } = shop;
  await pay();
  await orders.checkout('order-2');
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.sell('order-3', { payment_token: 'token' }).catch(() => undefined);
  sandbox.faults.inject({ kind: 'respond', status: 422, body: { error: { code: 'NO' } } });
  await orders.refund('order-1', { id: 'return-1', amount: 100, currency: 'USD' });
  const listed = (await all(orders.needs())).map(({ id, needs }) => `${id} ${needs.map(({ kind }) => kind)}`);
  expect(listed.sort()).toEqual(['order-1 refund_failed', 'order-3 payment_unknown']);
  await orders.resolve('order-1', (await onlyNeed(shop, 'refund_failed')).operation, null);
  const left = await all(orders.needs());
  expect(left.map(({ id }) => id)).toEqual(['order-3']);
});
