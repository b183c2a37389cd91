/** Grouping of entries by order: by operation id, key, and references between objects. */

import { expect, it } from 'vitest';
import { fails, record, recordShop } from './support.ts';

const order = { amount: 5500, currency: 'USD' } as const;

it('groups an order with its payment, its refund and their deliveries', async () => {
  const { sandbox, payments, story, stories } = record();
  sandbox.webhooks.deliverTo(() => new Response());
  const { id } = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  sandbox.pay(id);
  const refund = await payments.refunds.create({ payment_intent_id: id }, { operationId: 'return-7' });
  await sandbox.clock.advance('2 minutes');
  await payments.refunds.retrieve(refund.id);
  const whole = await story('order-100');
  expect((await stories()).length).toBe(1);
  expect(whole.operationIds).toEqual(['order-100', 'return-7']);
  expect(whole.objects).toMatchObject([
    { kind: 'payment_intent', state: 'succeeded' },
    { kind: 'charge', state: 'succeeded', money: order },
    { kind: 'refund', state: 'succeeded' },
  ]);
  expect(whole.entries.map((entry) => (entry.kind === 'request' ? entry.operation : entry.kind))).toEqual([
    'paymentIntents.create',
    'change',
    'delivery',
    'action',
    'change',
    'change',
    'delivery',
    'refunds.create',
    'change',
    'change',
    'delivery',
    'change',
    'delivery',
    'refunds.retrieve',
  ]);
  for (const name of [
    id,
    refund.id,
    'return-7',
    whole.objects[1]?.id,
    whole.entries[0]?.kind === 'request' ? whole.entries[0].requestId : '',
  ]) {
    expect((await story(String(name))).id).toBe('order-100');
  }
});

it('groups a refused request with the order that its body names', async () => {
  const { payments, story, stories } = record();
  const { id } = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  await fails(payments.refunds.create({ payment_intent_id: id }, { operationId: 'return-7' }));
  expect((await stories()).length).toBe(1);
  expect((await story('order-100')).operationIds).toEqual(['order-100', 'return-7']);
});

it('separates orders of one customer, also when time or a batch changes both', async () => {
  const { sandbox, payments, stories } = record();
  const customer = await payments.customers.create({}, { operationId: 'customer-1' });
  for (const [amount, operationId] of [
    [1000, 'order-1'],
    [2000, 'order-2'],
  ] as const) {
    const { id } = await payments.paymentIntents.create(
      { amount, currency: 'USD', customer: customer.id },
      { operationId },
    );
    sandbox.pay(id);
    await payments.refunds.create({ payment_intent_id: id }, { operationId });
    await payments.customers.update(customer.id, { metadata: { last: operationId } }, { operationId });
  }
  await sandbox.clock.advance('2 minutes');
  sandbox.settle();
  await payments.paymentIntents.list();
  expect((await stories()).map(({ title, notes }) => ({ title, notes }))).toEqual([
    { title: 'order-2', notes: ['refunded'] },
    { title: 'order-1', notes: ['refunded'] },
  ]);
});

it('reads any operation id in the key, and names an order without one after its object', async () => {
  const { payments, stories } = record();
  await payments.paymentIntents.create(order, { operationId: 'Bestellung Nr. 7 / Köln 🎉' });
  await payments.paymentIntents.create(order, { idempotencyKey: 'mine-1' });
  expect((await stories()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^pi_/),
    'Bestellung Nr. 7 / Köln 🎉',
  ]);
});

it('lists only payments: a customer alone is not an order', async () => {
  const { sandbox, payments, stories, entries } = record();
  await payments.customers.create({}, { operationId: 'customer-1' });
  sandbox.seed({ customers: 3, intents: 20 });
  expect(await stories()).toEqual([]);
  expect((await entries()).map(({ kind }) => kind)).toEqual(['action', 'change', 'request']);
});

it('adds a chargeback to the story of its sale', async () => {
  const { sandbox, payments, story } = record();
  await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'shop-7' });
  sandbox.trigger('chargeback.received', { reason_code: '10.4' });
  expect(await story('shop-7')).toMatchObject({ verdict: 'charged_once', notes: ['disputed'] });
});

it('groups all payments of an order of `createOrders`, and finds the newest order of an id that was issued again', async () => {
  const { orders, pay, row, story, stories } = recordShop();
  await orders.checkout('order-1');
  row.boxes = 3;
  await pay('order-1');
  const [first] = await stories();
  expect(first).toMatchObject({ id: 'order-1', charges: 1, money: { amount: 3600, currency: 'USD' } });
  row.createdAt += 1;
  row.boxes = 1;
  await pay('order-1');
  expect(await stories()).toMatchObject([
    { id: 'order-1', title: 'order-1', money: { amount: 1200 }, verdict: 'charged_once' },
    { id: expect.stringMatching(/^cs_/), title: 'order-1', money: { amount: 3600 }, verdict: 'charged_once' },
  ]);
  expect((await story('order-1')).operationIds).toHaveLength(1);
});
