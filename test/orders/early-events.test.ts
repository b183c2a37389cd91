/** Events of a payment that no order knows yet: they are kept, and joined once one does. */

import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { codeOf, openShop, type Shop, sumsOf } from './shop.ts';

const unknown = { onUnknown: () => undefined } as const;

/** Tells of a chargeback. */
function dispute({ orders }: Shop, transaction_id: string | null, changes: object = {}): Promise<void> {
  const object = {
    chargeback_id: 'cb_1',
    transaction_id,
    amount: '5.00',
    reason_code: '10.4',
    reason: 'fraud',
    due_date: '2030-01-02',
    ...changes,
  };
  return orders.on['chargeback.received'](anything({ type: 'chargeback.received', data: { object } }));
}

/** Tells of a refund that another program made. */
function refund({ orders }: Shop, payment_intent_id: string, changes: object = {}): Promise<void> {
  const object = {
    id: 'rf_1',
    livemode: false,
    amount: 300,
    currency: 'USD',
    payment_intent_id,
    status: 'succeeded',
    updated_at: 1,
    ...changes,
  };
  return orders.on['refund.created'](anything({ type: 'refund.created', data: { object } }));
}

it('joins what was told of a second page, before its payment was known', async () => {
  const shop = openShop(unknown);
  const { orders, row, sandbox, pageOf } = shop;
  const first = await pageOf();
  row.cups = 2;
  sandbox.pay(first.session);
  await orders.refresh('order-1');
  const { session } = await pageOf();
  const { id } = sandbox.pay(session);
  await refund(shop, id);
  await refund(shop, id, { id: 'rf_2', amount: 100, status: 'pending' });
  await dispute(shop, id);
  await dispute(shop, id, { chargeback_id: 'cb_2', amount: '2.00' });
  expect((await orders.get('order-1')).refunds).toEqual([]);
  const view = await orders.refresh('order-1');
  expect(view.refunds.map(({ id, status, money }) => [id, status, money.amount])).toEqual([
    ['rf_1', 'succeeded', 300],
    ['rf_2', 'pending', 100],
  ]);
  expect(view.needs.filter(({ kind }) => kind === 'chargeback').map(({ operation }) => operation)).toEqual([
    'cb_1',
    'cb_2',
  ]);
});

it('keeps one chargeback that is told twice, and the newest state of a refund', async () => {
  const shop = openShop(unknown);
  const { orders, sandbox, pageOf } = shop;
  const { id } = sandbox.pay((await pageOf()).session);
  for (const _ of [1, 2]) await dispute(shop, id);
  await refund(shop, id, { status: 'failed', updated_at: 2 });
  await refund(shop, id);
  const { needs, refunds } = await orders.refresh('order-1');
  expect(needs.map(({ kind }) => kind)).toEqual(['rest_unpaid', 'chargeback']);
  expect(refunds).toMatchObject([{ status: 'failed' }]);
});

it('keeps nothing of a refund whose status it does not know', async () => {
  const shop = openShop(unknown);
  const { id } = shop.sandbox.pay((await shop.pageOf()).session);
  await refund(shop, id, { status: 'reversed' });
  expect((await shop.orders.refresh('order-1')).refunds).toEqual([]);
});

it('joins an event of a payment that becomes known while the event is kept', async () => {
  const shop = openShop(unknown);
  const { orders, sandbox, pageOf, store } = shop;
  const { id } = sandbox.pay((await pageOf()).session);
  const { save } = store;
  store.save = async (...args) => {
    store.save = save;
    await orders.refresh('order-1');
    return save.apply(store, args);
  };
  await refund(shop, id);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 300 });
});

it('keeps two events that come at a time', async () => {
  const shop = openShop(unknown);
  const { orders, sandbox, pageOf } = shop;
  const { id } = sandbox.pay((await pageOf()).session);
  const ids = ['rf_1', 'rf_2', 'rf_3'];
  await Promise.all(ids.map((rf) => refund(shop, id, { id: rf })));
  expect((await orders.refresh('order-1')).refunds.map((one) => one.id).sort()).toEqual(ids);
});

it('asks for the intent of a charge alone, and says so if it is of no order', async () => {
  const shop = openShop();
  const { payments, pay, sent } = shop;
  await pay();
  const options = { operationId: 'of-another-program' };
  const { id } = await payments.paymentIntents.create({ amount: 100, currency: 'usd' }, options);
  const params = { payment_method: 'pm_1' } as const;
  const { latest_charge_id: charge } = await payments.paymentIntents.confirm(id, params, options);
  sent();
  for (const transaction of ['77', id, 'cs_foreign'])
    expect(await codeOf(dispute(shop, transaction))).toBe('ORDER_UNKNOWN_PAYMENT');
  expect(sent()).toEqual([]);
  expect(await codeOf(dispute(shop, charge))).toBe('ORDER_UNKNOWN_PAYMENT');
  expect(new Set(sent())).toEqual(new Set(['charges.retrieve']));
});

it('finds the payment of a charge among several', async () => {
  const shop = openShop();
  const { orders, row, sandbox, pageOf } = shop;
  const sessions: string[] = [];
  let charge: string | null = null;
  for (const _ of [1, 2]) {
    const { session } = await pageOf();
    row.cups = 2;
    charge = sandbox.pay(session).latest_charge_id;
    await orders.refresh('order-1');
    sessions.push(session);
  }
  await dispute(shop, charge);
  expect((await orders.get('order-1')).needs).toMatchObject([{ kind: 'chargeback', reference: sessions[1] }]);
});
