/** What a person found out, for each kind of need: the right id, none, a wrong one, that of another order, and a repeat. */

import { testCards } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number, id = 'return-1') => ({ id, amount, currency: 'USD' });

/** Loses the answer of the next request, and of the call that sends it. */
async function lose({ sandbox }: Shop, call: () => Promise<unknown>): Promise<void> {
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(call())).toBe('ECONNRESET');
}

/** An order with a sale of unknown outcome. */
async function lostSale(options: { readonly capture?: boolean } = {}) {
  const shop = openShop();
  await lose(shop, () => shop.orders.sell('order-1', card, options));
  const { operation } = await onlyNeed(shop, 'payment_unknown');
  const { id = '' } = shop.sandbox.transactions[0] ?? {};
  return { ...shop, operation, id };
}

/** A paid order with a refund of 5.00 whose answer was lost, and whose key is forgotten. */
async function lostRefund() {
  const shop = openShop({ client: { keyLifetime: 1000 } });
  await shop.pay();
  await lose(shop, () => shop.orders.refund('order-1', usd(500)));
  await shop.sandbox.clock.advance(1000);
  const { operation } = await onlyNeed(shop, 'refund_unknown');
  const id = (await shop.payments.refunds.list()).items[0]?.id ?? '';
  return { ...shop, operation, id };
}

it('counts a sale that a person found, once', async () => {
  const { orders, operation, id, shipped } = await lostSale();
  const view = await orders.resolve('order-1', operation, id);
  expect(view).toMatchObject({ state: 'paid', needs: [], payments: [{ reference: id }] });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
  for (const found of [id, null])
    expect(await codeOf(orders.resolve('order-1', operation, found))).toBe('ORDER_NOTHING_OPEN');
});

it('keeps an authorization that a person found', async () => {
  const { orders, operation, id } = await lostSale({ capture: false });
  expect((await orders.resolve('order-1', operation, id)).state).toBe('authorized');
  expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
});

it('lets an order be paid again after a person found no sale', async () => {
  const { orders, operation } = await lostSale();
  const view = await orders.resolve('order-1', operation, null);
  expect([view.state, view.needs]).toEqual(['unpaid', []]);
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
});

it('refuses a sale of another order, and that of another payment of the order', async () => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-2', card);
  const [foreign] = sandbox.transactions;
  await lose(shop, () => orders.sell('order-1', card));
  const { operation } = await onlyNeed(shop, 'payment_unknown');
  expect(await codeOf(orders.resolve('order-1', operation, foreign?.id ?? ''))).toBe('ORDER_MISMATCH');
  await orders.resolve('order-1', operation, null);
  await orders.sell('order-1', card, { capture: false });
  const own = sandbox.transactions.at(-1)?.id ?? '';
  await lose(shop, () => orders.capture('order-1'));
  const { operation: capture } = await onlyNeed(shop, 'capture_unknown');
  expect((await orders.resolve('order-1', capture, own)).state).toBe('paid');
});

it('refuses the operation of nothing that is open, and changes nothing', async () => {
  const { orders, pay } = openShop();
  await pay();
  const before = await orders.get('order-1');
  for (const operation of ['', 'nonsense', before.payments[0]?.operation ?? ''])
    expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
  expect(await orders.get('order-1')).toEqual(before);
});

it('takes a refund that a person found as it is now', async () => {
  const { orders, operation, id, sandbox } = await lostRefund();
  const view = await orders.resolve('order-1', operation, id);
  expect(view).toMatchObject({ needs: [], refunds: [{ status: 'pending', reference: id }] });
  sandbox.update('refund', id, { status: 'succeeded' });
  expect(sumsOf(await orders.refresh('order-1'))).toMatchObject({ refunded: 500, refundable: 700 });
  expect(await codeOf(orders.resolve('order-1', operation, id))).toBe('ORDER_NOTHING_OPEN');
});

it('lets a refund be made again after a person found none', async () => {
  const shop = await lostRefund();
  const { orders, operation } = shop;
  await orders.resolve('order-1', operation, null);
  expect(await onlyNeed(shop, 'refund_failed')).toMatchObject({ detail: 'not_found' });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refundable: 1200 });
  expect(sumsOf(await orders.retryRefund('order-1', 'return-1'))).toMatchObject({ refunding: 500 });
});

it.each([
  ['amount', 700, 'order-1'],
  ['payment', 500, 'order-2'],
] as const)('refuses a refund of another %s', async (_name, amount, of) => {
  const { orders, operation, sandbox, payments, pageOf } = await lostRefund();
  await pageOf().catch(() => undefined);
  const page = await orders.checkout('order-2');
  sandbox.pay(page.state === 'open' ? page.session : '');
  await orders.refresh('order-2');
  const [payment] = (await orders.get(of)).payments;
  const session = await payments.checkoutSessions.retrieve(payment?.reference as `cs_${string}`);
  const intent = session.payment_intent_id as `pi_${string}`;
  const other = await payments.refunds.create(
    { payment_intent_id: intent, amount },
    { operationId: 'by-hand' },
  );
  const before = await orders.get('order-1');
  await expect(orders.resolve('order-1', operation, other.id)).rejects.toThrow(
    `got "${other.id}", which is a refund of another amount or payment. Nothing was changed.`,
  );
  expect(await orders.get('order-1')).toEqual(before);
});

it.each([true, false])('takes a refund that cannot be read; the service has reads: %s', async (has) => {
  const { orders, operation, sandbox } = await lostRefund();
  const before = await orders.get('order-1');
  if (!has)
    for (const method of ['refunds.retrieve', 'refunds.list'] as const)
      sandbox.faults.inject({ kind: 'respond', operation: method, status: 404 });
  const resolved = orders.resolve('order-1', operation, 'rf_written_wrong');
  if (has) {
    await expect(resolved).rejects.toThrow('got "rf_written_wrong", which the service does not know.');
    expect(await orders.get('order-1')).toEqual(before);
  } else expect((await resolved).refunds).toMatchObject([{ status: 'succeeded' }]);
});

it('refuses a refund of another return', async () => {
  const { orders, operation, payments, sandbox, keysOf } = await lostRefund();
  await orders.refund('order-1', usd(300, 'return-2'));
  const { items } = await payments.refunds.list();
  const other = items.find(({ amount }) => amount === 300)?.id ?? '';
  expect(await codeOf(orders.resolve('order-1', operation, other))).toBe('ORDER_MISMATCH');
  sandbox.faults.inject({ kind: 'respond', status: 404 });
  expect(await codeOf(orders.resolve('order-1', operation, other))).toBe('ORDER_MISMATCH');
  expect(keysOf('refunds.create')).toHaveLength(2);
});

it('takes the refund of a sale that a person found', async () => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-1', card);
  await lose(shop, () => orders.refund('order-1', usd(500)));
  await sandbox.clock.advance('3 minutes');
  const { operation } = await onlyNeed(shop, 'refund_unknown');
  const view = await orders.resolve('order-1', operation, sandbox.transactions[1]?.id ?? '');
  expect([view.needs, sumsOf(view)['refunded']]).toEqual([[], 500]);
});

/** A paid order with a return of 5.00 that the service refused. */
async function refusedRefund() {
  const shop = openShop();
  await shop.pay();
  shop.sandbox.faults.inject({ kind: 'respond', status: 422, body: { error: { code: 'NO' } } });
  await shop.orders.refund('order-1', usd(500));
  return { ...shop, operation: (await onlyNeed(shop, 'refund_failed')).operation };
}

it('counts what was given back in another way', async () => {
  const { orders, operation } = await refusedRefund();
  const view = await orders.resolve('order-1', operation, 'transfer-7');
  expect(view).toMatchObject({ needs: [], refunds: [{ status: 'succeeded', reference: 'transfer-7' }] });
  expect(sumsOf(view)).toMatchObject({ refunded: 500, refundable: 700 });
});

it('keeps what nobody gives back, and does not plan it again', async () => {
  const { orders, operation, sent } = await refusedRefund();
  const view = await orders.resolve('order-1', operation, null);
  expect([view.needs, sumsOf(view)['refundable']]).toEqual([[], 1200]);
  sent();
  await orders.resume();
  expect(sent()).toEqual([]);
  expect(await codeOf(orders.retryRefund('order-1', 'return-1'))).toBe('ORDER_NOTHING_OPEN');
  expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
});

it('forgets a refund of another program once a person knows of it', async () => {
  const shop = openShop();
  const { orders, payments, pay, deliver } = shop;
  const session = await payments.checkoutSessions.retrieve((await pay()) as `cs_${string}`);
  const payment_intent_id = session.payment_intent_id as `pi_${string}`;
  await payments.refunds.create({ payment_intent_id, amount: 400 }, { operationId: 'by-hand' });
  await deliver('refund.created');
  const { operation, reference } = await onlyNeed(shop, 'refunded_elsewhere');
  expect(reference).toBe(payment_intent_id);
  const view = await orders.resolve('order-1', operation, null);
  expect([view.needs, sumsOf(view)['refunding']]).toEqual([[], 400]);
  expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
});

it.each([
  ['lost', 'cb_1', 0],
  ['won', null, 1200],
] as const)('keeps that a chargeback was %s', async (_name, found, refundable) => {
  const shop = openShop();
  const { orders, sandbox, deliver } = shop;
  await orders.sell('order-1', card);
  sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1' });
  await deliver('chargeback.received');
  const { operation, money } = await onlyNeed(shop, 'chargeback');
  expect([operation, money]).toEqual(['cb_1', { amount: 1200, currency: 'USD' }]);
  expect((await orders.get('order-1')).refundable.amount).toBe(0);
  const view = await orders.resolve('order-1', operation, found);
  expect([view.needs, view.refundable.amount]).toEqual([[], refundable]);
  await deliver('chargeback.received');
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(await codeOf(orders.resolve('order-1', operation, found))).toBe('ORDER_NOTHING_OPEN');
});

it.each([true, false])(
  'ends the doubt about a card after eight days; the service has reads: %s',
  async (has) => {
    const shop = openShop();
    const { orders, sandbox, row } = shop;
    sandbox.faults.inject({ kind: 'drop_request', operation: 'paymentIntents.confirm' });
    await orders.charge('order-1', 'pm_1').catch(() => undefined);
    if (!has)
      sandbox.faults.inject({
        kind: 'respond',
        operation: 'paymentIntents.retrieve',
        status: 404,
        times: 100,
      });
    await sandbox.clock.advance('191 hours');
    await orders.resume();
    expect((await orders.get('order-1')).needs).toEqual([]);
    await sandbox.clock.advance('2 days');
    await orders.resume();
    if (has) {
      expect((await orders.get('order-1')).needs).toEqual([]);
      return;
    }
    const { operation, reference } = await onlyNeed(shop, 'payment_unknown');
    row.cups = 2;
    expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'in_progress' });
    const view = await orders.resolve('order-1', operation, reference);
    expect(sumsOf(view)).toMatchObject({ state: 'part_paid', paid: 1200, due: 1200 });
  },
);

it('joins a refund and a chargeback that were told before the sale was found', async () => {
  const { orders, sandbox, deliver, operation, id } = await lostSale();
  sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1', amount: '7.00' });
  expect(await codeOf(deliver('chargeback.received'))).toBe('ORDER_UNKNOWN_PAYMENT');
  const view = await orders.resolve('order-1', operation, id);
  expect(view.needs).toContainEqual(expect.objectContaining({ kind: 'chargeback', operation: 'cb_1' }));
  expect(view.needs.at(-1)?.money.amount).toBe(700);
});

it('refuses what a person found with blanks around it', async () => {
  const { orders } = openShop();
  await expect(orders.resolve('order-1', 'x', ' 77')).rejects.toThrow('resolve.found: expected the id');
});

it('refuses the refund of another return of the same amount', async () => {
  const { orders, operation, payments } = await lostRefund();
  const [lost] = (await payments.refunds.list()).items;
  await orders.refund('order-1', usd(500, 'return-2'));
  const other = (await payments.refunds.list()).items.find(({ id }) => id !== lost?.id)?.id ?? '';
  await expect(orders.resolve('order-1', operation, other)).rejects.toThrow(
    'the order knows as something else',
  );
});

it('takes no second answer for one about what follows from the first', async () => {
  const { orders, operation } = await lostRefund();
  const view = await orders.resolve('order-1', operation, null);
  expect(view.needs).toMatchObject([{ kind: 'refund_failed' }]);
  expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
  expect((await orders.get('order-1')).needs).toEqual(view.needs);
});

describe('an id that cannot be what was found', () => {
  it.each(['RF_nope', '123456', 'order-1', 'pi_1', 'transfer-7'])('%s, of a refund', async (found) => {
    const { orders, operation } = await lostRefund();
    expect(await codeOf(orders.resolve('order-1', operation, found))).toBe('ORDER_MISMATCH');
  });

  it.each(['order-1', 'cs_1', 'pi_1', 'rf_1'])('%s, of a sale', async (found) => {
    const { orders, operation, shipped } = await lostSale();
    expect(await codeOf(orders.resolve('order-1', operation, found))).toBe('ORDER_MISMATCH');
    expect(shipped).toEqual([]);
  });

  it('any, of a refund of another program; another, of a chargeback', async () => {
    const { orders, sandbox, payments, pay, deliver } = openShop();
    const session = await payments.checkoutSessions.retrieve((await pay()) as `cs_${string}`);
    const payment_intent_id = session.payment_intent_id as `pi_${string}`;
    await payments.refunds.create({ payment_intent_id, amount: 400 }, { operationId: 'by-hand' });
    await deliver('refund.created');
    const { latest_charge_id } = await payments.paymentIntents.retrieve(payment_intent_id);
    sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1', transaction_id: latest_charge_id ?? '' });
    await deliver('chargeback.received');
    const { needs } = await orders.get('order-1');
    expect(needs.map(({ kind }) => kind)).toEqual(['refunded_elsewhere', 'chargeback']);
    for (const { operation } of needs)
      expect(await codeOf(orders.resolve('order-1', operation ?? '', 'something'))).toBe('ORDER_MISMATCH');
  });
});
