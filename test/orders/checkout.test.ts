import { describe, expect, it } from 'vitest';
import { codeOf, openShop, sumsOf } from './shop.ts';

it('opens a page that asks for what the row asks for', async () => {
  const { payments, orders, row } = openShop();
  row.cups = 3;
  row.customer = (await payments.customers.create({ email: 'buyer@example.com' })).id;
  const page = await orders.checkout('order-1');
  if (page.state !== 'open') throw new Error(page.state);
  const session = await payments.checkoutSessions.retrieve(page.session);
  expect(page.due).toEqual({ amount: 3600, currency: 'USD' });
  expect(page.url).toBe(payments.checkoutSessions.pageUrl(session));
  expect(session).toMatchObject({
    mode: 'payment',
    amount_total: 3600,
    currency: 'USD',
    customer: row.customer,
    success_url: 'https://shop.example/orders/order-1',
    cancel_url: 'https://shop.example/orders/order-1',
  });
  expect(await orders.get('order-1')).toMatchObject({
    state: 'unpaid',
    due: { amount: 3600 },
    payments: [
      { kind: 'page', status: 'open', paid: null, reference: page.session, asked: { amount: 3600 } },
    ],
  });
});

it('returns the page that is open, and looks whether it still is', async () => {
  const { pageOf, sent } = openShop();
  const first = await pageOf();
  expect(sent()).toEqual(['checkoutSessions.create']);
  expect(await pageOf()).toEqual(first);
  expect(sent()).toEqual(['checkoutSessions.retrieve']);
});

it('returns the page that is open from a service without reads', async () => {
  const { sandbox, pageOf } = openShop();
  const first = await pageOf();
  sandbox.faults.inject({ kind: 'respond', operation: 'checkoutSessions.retrieve', status: 404 });
  expect(await pageOf()).toEqual(first);
});

it('opens another page after the first has expired', async () => {
  const { sandbox, pageOf, orders } = openShop();
  const first = await pageOf();
  await sandbox.clock.advance('25 hours');
  const second = await pageOf();
  expect(second.session).not.toBe(first.session);
  const { payments } = await orders.refresh('order-1');
  expect(payments.map(({ status }) => status)).toEqual(['expired', 'open']);
});

it('opens another page and closes the first after an edit of any field', async () => {
  const { sandbox, row, pageOf } = openShop();
  const edits = [() => (row.cups = 2), () => (row.currency = 'EUR')];
  for (const edit of edits) {
    const former = await pageOf();
    edit();
    const next = await pageOf();
    expect(next.session).not.toBe(former.session);
    expect(sandbox.get('checkout_session', former.session)?.status).toBe('expired');
    expect(sandbox.get('checkout_session', next.session)?.status).toBe('open');
  }
});

it('asks only for the rest of an order that was paid in part', async () => {
  const { payments, sandbox, row, orders, pageOf } = openShop();
  const { session } = await pageOf();
  row.cups = 3;
  sandbox.pay(session);
  expect(sumsOf(await orders.refresh('order-1'))).toEqual({
    state: 'part_paid',
    total: 3600,
    paid: 1200,
    due: 2400,
  });
  const rest = await pageOf();
  const { line_items } = await payments.checkoutSessions.retrieve(rest.session);
  expect(rest.due.amount).toBe(2400);
  expect(line_items).toMatchObject([{ name: 'Rest of order order-1', amount: 2400, quantity: 1 }]);
});

it('repeats a lost creation with its key, within the lifetime of the key', async () => {
  const { sandbox, orders, pageOf, keysOf } = openShop({ client: { keyLifetime: 3_600_000 } });
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.checkout('order-1'))).toBe('ECONNRESET');
  await sandbox.clock.advance('59 minutes');
  await pageOf();
  const [first, second] = keysOf('checkoutSessions.create');
  expect(second).toBe(first);
});

it('does not repeat a lost creation after the lifetime of its key', async () => {
  const { sandbox, orders, pageOf, keysOf } = openShop({ client: { keyLifetime: 3_600_000 } });
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.checkout('order-1').catch(() => undefined);
  await sandbox.clock.advance('60 minutes');
  await pageOf();
  const [first, second] = keysOf('checkoutSessions.create');
  expect(second).not.toBe(first);
});

it('sends a creation that was refused for good with another key, and forgets the first', async () => {
  const { sandbox, orders, pageOf, keysOf } = openShop();
  const body = { error: { code: 'BAD_ITEM', message: 'No.' } };
  sandbox.faults.inject({ kind: 'respond', status: 400, body });
  expect(await codeOf(orders.checkout('order-1'))).toBe('BAD_ITEM');
  expect((await orders.get('order-1')).payments).toEqual([]);
  await pageOf();
  const [first, second] = keysOf('checkoutSessions.create');
  expect(second).not.toBe(first);
});

it('sends a creation that was refused for now with the same key', async () => {
  const { sandbox, orders, pageOf, keysOf } = openShop();
  sandbox.faults.inject({ kind: 'rate_limit' });
  expect(await codeOf(orders.checkout('order-1'))).toBe('RATE_LIMITED');
  await pageOf();
  const [first, second] = keysOf('checkoutSessions.create');
  expect(second).toBe(first);
});

it.each([{ amount_total: 1300 }, { currency: 'EUR' }])('closes a page that asks for %j', async (other) => {
  const { payments, sandbox, orders } = openShop();
  const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };
  const urls = { success_url: 'https://shop.example', cancel_url: 'https://shop.example' };
  const session = await payments.checkoutSessions.create(
    { mode: 'payment', line_items: [line], ...urls },
    { operationId: 'another' },
  );
  sandbox.faults.inject({ kind: 'respond', status: 200, body: { ...session, ...other } });
  expect(await codeOf(orders.checkout('order-1'))).toBe('ORDER_AMOUNT');
  expect(sandbox.get('checkout_session', session.id)?.status).toBe('expired');
  expect((await orders.checkout('order-1')).state).toBe('open');
});

it('gives up when no page can be paid', async () => {
  const { payments, sandbox, orders, pageOf } = openShop();
  const session = await payments.checkoutSessions.retrieve((await pageOf()).session);
  await sandbox.clock.advance('25 hours');
  for (const last of [1, 2, 3, 4, 5]) {
    const body = { ...session, id: `${session.id}${last}`, status: 'expired' };
    sandbox.faults.inject({ kind: 'respond', operation: 'checkoutSessions.create', status: 200, body });
  }
  await expect(orders.checkout('order-1')).rejects.toMatchObject({ code: 'ORDER_CHANGED', retryable: true });
  expect((await orders.checkout('order-1')).state).toBe('open');
});

it('ships a free order without a request', async () => {
  const { orders, shipped, sent } = openShop({
    order: () => ({ createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 0, quantity: 1 }] }),
  });
  for (const _ of [1, 2]) expect(await orders.checkout('order-1')).toEqual({ state: 'paid' });
  expect(shipped).toEqual(['order-1 for 0 USD']);
  expect(sent()).toEqual([]);
});

it('has no page for an order that is canceled, authorized or in doubt', async () => {
  const canceled = openShop();
  await canceled.orders.cancel('order-1');
  expect(await canceled.orders.checkout('order-1')).toEqual({ state: 'canceled' });
  const authorized = openShop();
  await authorized.orders.charge('order-1', 'pm_1', { capture: false });
  expect(await authorized.orders.checkout('order-1')).toEqual({ state: 'in_progress' });
  const doubtful = openShop();
  doubtful.sandbox.faults.inject({ kind: 'drop_reply' });
  await doubtful.orders.sell('order-1', { payment_token: 'token' }).catch(() => undefined);
  doubtful.sent();
  expect(await doubtful.orders.checkout('order-1')).toEqual({ state: 'in_progress' });
  expect(doubtful.sent()).toEqual([]);
});

describe('a page whose answer was lost', () => {
  /** An order whose first page was opened without an answer. */
  async function untold() {
    const shop = openShop();
    shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 9 });
    await shop.orders.checkout('order-1').catch(() => undefined);
    shop.sandbox.faults.clear();
    shop.sent();
    return shop;
  }

  // An answer that is repeated is as old as the first one.
  const closed = ['checkoutSessions.create', 'checkoutSessions.retrieve', 'checkoutSessions.expire'];

  it('is closed after an edit', async () => {
    const { pageOf, row, sent, orders } = await untold();
    row.cups = 3;
    expect((await pageOf()).due.amount).toBe(3600);
    expect(sent()).toEqual(['checkoutSessions.create', ...closed]);
    const { payments } = await orders.get('order-1');
    expect(payments.map(({ status }) => status)).toEqual(['expired', 'open']);
  });

  it('is closed when the order is canceled, as soon as the service answers', async () => {
    const { orders, sandbox, sent } = await untold();
    sandbox.faults.inject({ kind: 'refuse_connection', times: 9 });
    await orders.cancel('order-1').catch(() => undefined);
    sandbox.faults.clear();
    sent();
    await sandbox.clock.advance('1 hour');
    expect(await orders.resume()).toEqual([]);
    expect(sent()).toEqual(closed);
  });

  it('is closed when a card has paid', async () => {
    const { orders, sent } = await untold();
    expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
    expect(sent()).toEqual(['paymentIntents.create', ...closed, 'paymentIntents.confirm']);
  });

  it('gets no other page once its key is forgotten', async () => {
    const { orders, sandbox, sent } = await untold();
    await sandbox.clock.advance('25 hours');
    await orders.cancel('order-1');
    expect(sent()).toEqual([]);
  });
});

it('does not close a newer page by an older click, and sends the buyer to the newer one', async () => {
  const { orders, sandbox, row, pageOf } = openShop();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.create' });
  const late = orders.checkout('order-1');
  await hold.reached;
  row.cups = 3;
  const { session } = await pageOf();
  hold.release();
  expect(await late).toMatchObject({ state: 'open', session, due: { amount: 3600 } });
  expect((await orders.get('order-1')).payments.map(({ status }) => status)).toEqual(['expired', 'open']);
});
