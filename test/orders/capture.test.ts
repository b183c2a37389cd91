import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { codeOf, holdMoney, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };

/** An order whose money is authorized, by an intent or by the form endpoint. */
function authorized(by: 'intent' | 'sale', cups = 1): Promise<Shop> {
  const shop = openShop({ client: { keyLifetime: 3_600_000 } });
  shop.row.cups = cups;
  return holdMoney(shop, by);
}

it.each(['intent', 'sale'] as const)('captures all that is due of an authorized %s, once', async (by) => {
  const { orders, shipped, sent } = await authorized(by);
  expect(sumsOf(await orders.get('order-1'))).toEqual({ state: 'authorized', total: 1200, due: 1200 });
  expect(shipped).toEqual([]);
  for (const _ of [1, 2]) expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
  expect(sent()).toEqual([by === 'intent' ? 'paymentIntents.capture' : 'transact.capture']);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 1200, refundable: 1200 });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it.each(['intent', 'sale'] as const)(
  'captures only what is due after an edit of an authorized %s',
  async (by) => {
    const { orders, row, sandbox, shipped } = await authorized(by, 3);
    row.cups = 2;
    expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
    expect(sumsOf(await orders.get('order-1'))).toMatchObject({ total: 2400, paid: 2400, refundable: 2400 });
    expect(shipped).toEqual(['order-1 for 2400 USD']);
    const [payment] = (await orders.get('order-1')).payments;
    if (by === 'sale') expect(sandbox.transactions[0]?.captured).toBe('24.00');
    else expect(payment?.asked.amount).toBe(3600);
  },
);

it('captures what was authorized when more is due', async () => {
  const { orders, row, shipped } = await authorized('intent');
  row.cups = 2;
  expect(await orders.capture('order-1')).toEqual({ state: 'part_paid' });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 1200, due: 1200 });
  expect(shipped).toEqual([]);
});

it('refuses a capture without an authorization in the currency of the row', async () => {
  const { orders, sent } = openShop();
  expect(await codeOf(orders.capture('order-1'))).toBe('ORDER_NOTHING_OPEN');
  expect(sent()).toEqual([]);
  const other = await authorized('intent');
  other.row.currency = 'eur';
  expect(await codeOf(other.orders.capture('order-1'))).toBe('ORDER_NOTHING_OPEN');
});

it('repeats a capture of an intent whose answer was lost, with its key', async () => {
  const { orders, sandbox, keysOf, shipped } = await authorized('intent');
  sandbox.faults.inject({ kind: 'drop_request' });
  expect(await codeOf(orders.capture('order-1'))).toBe('ECONNRESET');
  await sandbox.clock.advance('59 minutes');
  expect(await orders.resume()).toEqual([]);
  expect((await orders.get('order-1')).state).toBe('paid');
  const [first, second] = keysOf('paymentIntents.capture');
  expect(second).toBe(first);
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('asks a person about a lost capture once its key is forgotten', async () => {
  const shop = await authorized('intent');
  const { orders, sandbox, keysOf } = shop;
  sandbox.faults.inject({ kind: 'drop_request', operation: 'paymentIntents.capture' });
  await orders.capture('order-1').catch(() => undefined);
  await sandbox.clock.advance('60 minutes');
  await orders.resume();
  expect(keysOf('paymentIntents.capture')).toHaveLength(1);
  const { operation } = await onlyNeed(shop, 'capture_unknown');
  expect((await orders.resolve('order-1', operation, null)).needs).toEqual([]);
  expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
});

it('sends a capture of the form endpoint once, and asks a person about a lost one', async () => {
  const shop = await authorized('sale');
  const { orders, sandbox, sent, shipped } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.capture('order-1'))).toBe('ECONNRESET');
  expect(await orders.capture('order-1')).toEqual({ state: 'authorized' });
  await orders.resume();
  expect(sent()).toEqual(['transact.capture']);
  const { operation, reference } = await onlyNeed(shop, 'capture_unknown');
  expect(reference).toBe(sandbox.transactions[0]?.id);
  expect((await orders.resolve('order-1', operation, reference)).state).toBe('paid');
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('asks a person about a capture of the form endpoint whose process died', async () => {
  const shop = await authorized('sale');
  const { orders, sandbox } = shop;
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const capturing = orders.capture('order-1');
  await hold.reached;
  expect((await orders.get('order-1')).needs).toEqual([]);
  await sandbox.clock.advance('3 minutes');
  await onlyNeed(shop, 'capture_unknown');
  hold.release();
  expect(await capturing).toEqual({ state: 'paid' });
});

it('sends a capture of the form endpoint again that was never sent', async () => {
  const { orders, sandbox } = await authorized('sale');
  sandbox.faults.inject({ kind: 'refuse_connection' });
  await orders.capture('order-1').catch(() => undefined);
  expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
});

it('counts what another program captured, and the rest is due', async () => {
  const { orders, payments, row, deliver } = await authorized('intent', 3);
  const [payment] = (await orders.get('order-1')).payments;
  const id = payment?.reference as `pi_${string}`;
  await payments.paymentIntents.capture(id, { amount: 1000 }, { operationId: 'by-hand' });
  await deliver('payment_intent.succeeded');
  expect(sumsOf(await orders.get('order-1'))).toEqual({
    state: 'part_paid',
    total: 3600,
    paid: 1000,
    due: 2600,
  });
  row.cups = 1;
  expect((await orders.checkout('order-1')).state).toBe('open');
});

it.each(['intent', 'sale'] as const)('voids an authorized %s when its order is canceled', async (by) => {
  const { orders, sandbox } = await authorized(by);
  const view = await orders.cancel('order-1');
  expect(view).toMatchObject({ state: 'canceled', payments: [{ status: 'expired' }], needs: [] });
  expect(await orders.capture('order-1')).toEqual({ state: 'canceled' });
  const [sale] = sandbox.transactions;
  const intent = sandbox.get('payment_intent', view.payments[0]?.reference ?? '');
  expect(by === 'sale' ? sale?.status : intent?.status).toBe(by === 'sale' ? 'voided' : 'canceled');
});

it('takes no second payment while one is authorized', async () => {
  const { orders, sent } = await authorized('intent');
  expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'authorized' });
  expect(await orders.sell('order-1', card)).toEqual({ state: 'authorized' });
  expect(sent()).toEqual([]);
});

it('releases the money instead of a capture that was not sent before a cancellation', async () => {
  const { sandbox, orders, sent } = openShop();
  await orders.charge('order-1', 'pm_1', { capture: false });
  sandbox.faults.inject({ kind: 'rate_limit', retryAfter: 0, times: 9 });
  await orders.capture('order-1').catch(() => undefined);
  await orders.cancel('order-1').catch(() => undefined);
  sandbox.faults.clear();
  sent();
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect(sent()).toContain('paymentIntents.cancel');
  expect((await orders.get('order-1')).paid.amount).toBe(0);
});
