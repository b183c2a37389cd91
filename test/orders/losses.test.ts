/** What shops lost with recipes that they copied, each as it happened. */

import { DatabaseSync } from 'node:sqlite';
import { createOrders, type OrderRow, type Orders } from 'payments-client/orders';
import { memoryStore, sqliteStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { createTestClient } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';

/** A shop that sells tea at 12.00, with one order of one cup. */
function openShop() {
  const { payments, sandbox } = createTestClient({
    sandbox: { refunds: 'manual', expiredSessions: 'payable' },
  });
  const row = { createdAt: 1, cups: 1 };
  const shipped: string[] = [];
  const store = memoryStore();
  const start = (onPaid = (order: string): void => void shipped.push(order)): Orders =>
    createOrders({
      payments,
      store,
      account: 'tea-shop-test',
      saleCurrency: 'USD',
      page: (id) => `https://shop.example/orders/${id}`,
      order: (): OrderRow => ({
        createdAt: row.createdAt,
        currency: 'usd',
        lines: [{ name: 'Tea', amount: 1200, quantity: row.cups }],
      }),
      onPaid: ({ id, total }) => onPaid(`${id} for ${total.amount}`),
      now: sandbox.clock.now,
    });
  return { payments, sandbox, row, shipped, start, orders: start() };
}

async function pageOf(orders: Orders) {
  const page = await orders.checkout('order-1');
  if (page.state !== 'open') throw new Error(`Expected an open page, got ${page.state}.`);
  return page;
}

it('does not ship 1,200.00 for 12.00 when the order is edited after its page was opened', async () => {
  const { sandbox, row, shipped, orders } = openShop();
  const { session } = await pageOf(orders);
  row.cups = 100;
  sandbox.pay(session);
  const { state, due } = await orders.refresh('order-1');
  expect({ state, due: due.amount, shipped }).toEqual({ state: 'part_paid', due: 118_800, shipped: [] });
  const rest = await pageOf(orders);
  expect(rest.due.amount).toBe(118_800);
  sandbox.pay(rest.session);
  await orders.refresh('order-1');
  expect(shipped).toEqual(['order-1 for 120000']);
});

it('gives the second of two payments back when the buyer pays two pages', async () => {
  const { payments, sandbox, row, shipped, orders } = openShop();
  const first = await pageOf(orders);
  row.cups = 2;
  const second = await pageOf(orders);
  row.cups = 1;
  for (const { session } of [first, second]) sandbox.pay(session);
  for (const { session } of [first, second])
    await orders.on['checkout.session.completed'](completed(sandbox, session));
  const { paid, refunding, needs } = await orders.get('order-1');
  expect({ paid: paid.amount, refunding: refunding.amount, needs }).toEqual({
    paid: 3600,
    refunding: 2400,
    needs: [],
  });
  expect((await payments.refunds.list()).items.map(({ amount }) => amount)).toEqual([2400]);
  expect(shipped).toEqual(['order-1 for 1200']);
});

it('ships after a crash between the payment and the shipment', async () => {
  const { sandbox, shipped, start } = openShop();
  const dying = start(() => {
    throw new Error('the process dies');
  });
  sandbox.pay((await pageOf(dying)).session);
  await dying.refresh('order-1').catch(() => undefined);
  expect((await dying.get('order-1')).needs).toMatchObject([{ kind: 'not_shipped' }]);
  await sandbox.clock.advance('10 minutes');
  expect(await start().resume()).toEqual([]);
  expect(shipped).toEqual(['order-1 for 1200']);
});

it('commits the payment and the shipment together, with a database of the shop', async () => {
  const { payments, sandbox } = createTestClient();
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE shipments (id TEXT) STRICT');
  let isBroken = true;
  const orders = createOrders({
    payments,
    store: sqliteStore(database),
    account: 'tea-shop-test',
    page: (id) => `https://shop.example/orders/${id}`,
    order: () => ({ createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] }),
    onPaid: ({ id }, client) => {
      client.prepare('INSERT INTO shipments VALUES (?)').run(id);
      if (isBroken) throw new Error('the process dies');
    },
    now: sandbox.clock.now,
  });
  sandbox.pay((await pageOf(orders)).session);
  await orders.refresh('order-1').catch(() => undefined);
  const shipments = () => database.prepare('SELECT id FROM shipments').all().length;
  expect(shipments()).toBe(0);
  isBroken = false;
  for (let times = 0; times < 2; times += 1) await orders.refresh('order-1');
  expect(shipments()).toBe(1);
});

it('says that a buyer has paid although the expiry of the page is told later', async () => {
  const { sandbox, shipped, orders } = openShop();
  const { session } = await pageOf(orders);
  await sandbox.clock.advance('25 hours');
  const expired = sandbox.events.findLast(({ type }) => type === 'checkout.session.expired');
  sandbox.pay(session);
  await orders.on['checkout.session.completed'](completed(sandbox, session));
  // The event of the sandbox has this type.
  await orders.on['checkout.session.expired'](
    expired as Parameters<Orders['on']['checkout.session.expired']>[0],
  );
  expect(await orders.get('order-1')).toMatchObject({ state: 'paid', paid: { amount: 1200 } });
  expect(await orders.checkout('order-1')).toEqual({ state: 'paid' });
  expect(shipped).toEqual(['order-1 for 1200']);
});

it('does not ship the payment of another buyer when a restored database issues an id again', async () => {
  const { sandbox, row, shipped, orders } = openShop();
  const former = await pageOf(orders);
  row.createdAt = 2;
  const page = await pageOf(orders);
  expect(page.session).not.toBe(former.session);
  sandbox.pay(former.session);
  await orders.on['checkout.session.completed'](completed(sandbox, former.session));
  expect(await orders.get('order-1')).toMatchObject({ state: 'unpaid', due: { amount: 1200 } });
  expect(shipped).toEqual([]);
});

it('keeps what became of a refund when the return is sent again', async () => {
  const { payments, sandbox, orders } = openShop();
  sandbox.pay((await pageOf(orders)).session);
  await orders.refresh('order-1');
  const back = { id: 'return-1', amount: 500, currency: 'USD' };
  await orders.refund('order-1', back);
  const [refund] = (await payments.refunds.list()).items;
  if (refund === undefined) throw new Error('Expected a refund.');
  await sandbox.clock.advance('1 hour');
  sandbox.update('refund', refund.id, { status: 'succeeded' });
  await orders.on['refund.succeeded'](event(sandbox, 'refund.succeeded'));
  // The service replays its first answer, in which the refund is pending.
  const again = await orders.refund('order-1', back);
  expect(again).toMatchObject({ refunded: { amount: 500 }, refunding: { amount: 0 } });
  await orders.on['refund.created'](event(sandbox, 'refund.created'));
  expect(await orders.get('order-1')).toMatchObject({ refunded: { amount: 500 }, refunding: { amount: 0 } });
  expect((await payments.refunds.list()).items).toHaveLength(1);
});

it('keeps an authorization whose capture is refused', async () => {
  const { sandbox, orders } = openShop();
  const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
  expect(await orders.sell('order-1', card, { capture: false })).toEqual({ state: 'authorized' });
  sandbox.faults.inject({
    kind: 'respond',
    operation: 'transact.capture',
    status: 200,
    body: 'response=2&responsetext=DECLINED&transactionid=&response_code=200',
  });
  await orders.capture('order-1').catch(() => undefined);
  const [payment] = (await orders.get('order-1')).payments;
  expect(payment).toMatchObject({ status: 'authorized', reference: sandbox.transactions[0]?.id });
  expect((await orders.capture('order-1')).state).toBe('paid');
});

type Sandbox = ReturnType<typeof openShop>['sandbox'];

/** Returns the newest event of a type. */
function event<Type extends keyof Orders['on']>(
  sandbox: Sandbox,
  type: Type,
): Parameters<Orders['on'][Type]>[0] {
  const found = sandbox.events.findLast((one) => one.type === type);
  if (found === undefined) throw new Error(`Expected an event ${type}.`);
  // The type of an event decides about its object.
  return found as Parameters<Orders['on'][Type]>[0];
}

/** Returns the event of a paid session. */
function completed(
  sandbox: Sandbox,
  session: string,
): Parameters<Orders['on']['checkout.session.completed']>[0] {
  const paid = sandbox.events.filter(({ type }) => type === 'checkout.session.completed');
  const found = paid.find(({ data }) => Reflect.get(data.object, 'id') === session);
  if (found === undefined) throw new Error(`Expected that ${session} was paid.`);
  return found as Parameters<Orders['on']['checkout.session.completed']>[0];
}
