/** Verdicts: was this order charged once? */

import { testCards } from 'payments-client/sandbox';
import { describe, expect, it } from 'vitest';
import { fails, record } from './support.ts';

const order = { amount: 5500, currency: 'USD' } as const;
const once = { operationId: 'order-100' };
const cart = {
  line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
  success_url: 'https://shop.example/paid',
  cancel_url: 'https://shop.example/cart',
};

describe('charged once', () => {
  it('is an order that was created, paid and delivered', async () => {
    const { sandbox, payments, story } = await record();
    sandbox.webhooks.deliverTo(() => new Response());
    const intent = await payments.paymentIntents.create(order, once);
    sandbox.pay(intent.id);
    await sandbox.settled();
    expect(await story('order-100')).toMatchObject({
      title: 'order-100',
      verdict: 'charged_once',
      reason: '$55.00 was charged.',
      money: order,
      charges: 1,
      net: 5500,
      attempts: 1,
      notes: [],
      webhooks: { delivered: 2, failing: 0, total: 2 },
    });
  });

  it('is an order whose reply was lost, once the app has repeated the request', async () => {
    const { sandbox, payments, story } = await record();
    const customer = sandbox.add('customer', { email: 'ada@example.com' });
    const params = { ...order, customer: customer.id, payment_method: 'pm_1', confirm: true } as const;
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(params, once));
    await payments.paymentIntents.create(params, once);
    const { id } = (await payments.paymentIntents.list()).items[0] ?? {};
    sandbox.pay(String(id));
    expect(await story('order-100')).toMatchObject({
      verdict: 'charged_once',
      charges: 1,
      attempts: 2,
      notes: ['reply lost', 'replayed'],
      email: 'ada@example.com',
    });
  });

  it('is each of two orders whose ids hold 13 digits', async () => {
    const { sandbox, payments, story } = await record();
    for (const operationId of ['order-1732381234567', 'order-1732381234568']) {
      sandbox.pay((await payments.paymentIntents.create(order, { operationId })).id);
      expect(await story(operationId)).toMatchObject({
        title: operationId,
        verdict: 'charged_once',
        charges: 1,
      });
    }
  });

  it('is an order that was declined first', async () => {
    const { sandbox, payments, story } = await record();
    const { id } = await payments.paymentIntents.create(order, once);
    sandbox.pay(id, { payment_method: 'pm_card_declined' });
    sandbox.pay(id);
    expect(await story('order-100')).toMatchObject({
      verdict: 'charged_once',
      charges: 1,
      notes: ['declined'],
    });
  });

  it('mentions refunds, and an earlier failed one', async () => {
    const { sandbox, payments, story } = await record();
    const { id } = await payments.paymentIntents.create(order, once);
    sandbox.pay(id, { payment_method: 'pm_card_refund_fails_once' });
    const refund = await payments.refunds.create({ payment_intent_id: id, amount: 1500 }, once);
    await sandbox.clock.advance('2 minutes');
    await payments.refunds.retry(refund.id, { operationId: 'order-100/again' });
    await sandbox.clock.advance('2 minutes');
    expect(await story('order-100')).toMatchObject({
      verdict: 'charged_once',
      reason: '$55.00 was charged. $15.00 was refunded, after a failed attempt.',
      net: 4000,
      notes: ['refund failed', 'partly refunded'],
      operationIds: ['order-100', 'order-100/again'],
    });
  });

  it('is a subscription with one charge for each invoice', async () => {
    const { sandbox, payments, stories } = await record();
    const session = await payments.checkoutSessions.create({ ...cart, mode: 'subscription' }, once);
    sandbox.pay(session.id);
    await sandbox.clock.advance('40 days');
    const [only, ...others] = await stories();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      verdict: 'charged_once',
      charges: 2,
      reason: '$12.00 was charged twice, once for each of 2 invoices.',
    });
  });
});

describe('the reason of a paid order mentions', () => {
  it('a declined renewal, in the story of its subscription', async () => {
    const { sandbox, payments, stories } = await record();
    const session = await payments.checkoutSessions.create({ ...cart, mode: 'subscription' }, once);
    sandbox.pay(session.id, { payment_method: 'pm_card_fails_on_renewal' });
    await sandbox.clock.advance('50 days');
    const [only, ...others] = await stories();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      id: 'order-100',
      verdict: 'charged_once',
      charges: 1,
      reason: '$12.00 was charged. A later invoice was declined 5 times and is not retried.',
      notes: expect.arrayContaining(['declined', 'past due', 'uncollectible']),
    });
  });

  it('a dispute, and a retried delivery', async () => {
    const { sandbox, payments, story } = await record();
    let isUp = false;
    sandbox.webhooks.deliverTo(() => new Response(null, { status: isUp ? 200 : 503 }));
    await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'shop-7' });
    sandbox.trigger('chargeback.received', { reason_code: '10.4' });
    await sandbox.settled();
    isUp = true;
    await sandbox.clock.advance('1 day');
    expect(await story('shop-7')).toMatchObject({
      reason:
        '$12.00 was charged. The buyer disputes $12.00. Your webhook endpoint failed once, then received every event.',
      net: 0,
      notes: ['disputed', 'webhook retried'],
      webhooks: { delivered: 1, failing: 0, total: 1 },
    });
  });
});

describe('3-D Secure', () => {
  it('mentions the failure, and that the buyer can retry', async () => {
    const { sandbox, payments, story } = await record();
    const session = await payments.checkoutSessions.create(
      {
        ...cart,
        mode: 'payment',
        collect_config: { name: 'hidden', email: 'hidden', phone: 'hidden', address: 'hidden' },
      },
      once,
    );
    const pay = async (card: keyof typeof testCards) => {
      const body = new URLSearchParams({ ccnumber: testCards[card].number, ccexp: '1230', cvv: '123' });
      const response = await fetch(sandbox.checkoutUrl(session.id), {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      return { status: response.status, text: await response.text() };
    };
    await pay('authenticationFailed');
    expect(await story('order-100')).toMatchObject({
      verdict: 'open',
      reason: 'Nothing was charged yet. 3-D Secure failed. The buyer can still pay.',
      notes: ['3-D Secure failed'],
    });
    await pay('frictionless');
    expect(await story('order-100')).toMatchObject({
      verdict: 'charged_once',
      notes: ['3-D Secure failed'],
      money: { amount: 1200, currency: 'USD' },
    });
  });
});

describe('charged twice', () => {
  it('is a buyer who clicked twice: two ids, the same amount and customer, close together', async () => {
    const { sandbox, payments, story } = await record();
    const customer = sandbox.add('customer');
    for (const operationId of ['click-1', 'click-2']) {
      const intent = await payments.paymentIntents.create(
        { ...order, customer: customer.id },
        { operationId },
      );
      sandbox.pay(intent.id);
    }
    expect(await story('click-1')).toMatchObject({
      verdict: 'charged_twice',
      reason:
        "$55.00 was charged, and 'click-2' charged the same customer the same amount at nearly the same time: $110.00 in total. If both are one purchase, refund one of them.",
    });
    expect(await story('click-2')).toMatchObject({ verdict: 'charged_twice' });
  });

  it.each([
    ['later', async ({ sandbox }: Twice) => sandbox.clock.advance('11 minutes')],
    [
      'with the first refunded',
      async ({ payments, intent }: Twice) => payments.refunds.create({ payment_intent_id: intent }, once),
    ],
  ])('is not the same customer %s', async (_, between) => {
    const { sandbox, payments, stories } = await record();
    const customer = sandbox.add('customer');
    const params = { ...order, customer: customer.id };
    const intent = await payments.paymentIntents.create(params, once);
    sandbox.pay(intent.id);
    await between({ sandbox, payments, intent: intent.id });
    sandbox.pay((await payments.paymentIntents.create(params, { operationId: 'order-101' })).id);
    expect((await stories()).map(({ verdict }) => verdict)).toEqual(['charged_once', 'charged_once']);
  });

  it('is not two customers, or two payments of unknown buyers', async () => {
    const { sandbox, payments, stories } = await record();
    const customers = [sandbox.add('customer').id, sandbox.add('customer').id, undefined, undefined];
    for (const [index, customer] of customers.entries()) {
      const operationId = `order-${index}`;
      sandbox.pay((await payments.paymentIntents.create({ ...order, customer }, { operationId })).id);
    }
    expect((await stories('verdict=charged_once')).length).toBe(4);
  });

  it('is one order number that the form endpoint charged twice', async () => {
    const { sandbox, payments, story } = await record();
    const sell = () => payments.transact.sale({ amount: '12.00', payment_token: 'tok_1', orderid: 'shop-7' });
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
    await fails(sell());
    expect(await story('shop-7')).toMatchObject({
      verdict: 'unknown_to_app',
      reason: expect.stringContaining('Look it up before you retry it'),
    });
    await sell();
    expect(await story('shop-7')).toMatchObject({
      verdict: 'charged_twice',
      reason: '$12.00 was charged twice for one order.',
    });
  });
});

type Twice = Pick<Awaited<ReturnType<typeof record>>, 'sandbox' | 'payments'> & {
  readonly intent: `pi_${string}`;
};

describe('unknown to the app', () => {
  it.each([
    ['the connection broke', { kind: 'drop_reply' }],
    ['the reply broke off', { kind: 'truncate_body' }],
    ['a proxy answered in its place', { kind: 'bad_gateway', committed: true }],
  ] as const)('is an executed order where %s, and that was never retried', async (_, fault) => {
    const { sandbox, payments, story } = await record();
    sandbox.faults.inject({ ...fault, operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(order, once));
    expect(await story('order-100')).toMatchObject({
      verdict: 'unknown_to_app',
      reason: expect.stringContaining('Retry it with the same operation id'),
    });
    await payments.paymentIntents.create(order, once);
    expect(await story('order-100')).toMatchObject({ verdict: 'open', attempts: 2 });
  });

  it('stays so when only the dashboard repeats the request', async () => {
    const { sandbox, payments, story, call } = await record();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(order, once));
    const [repeat] = (await story('order-100')).actions;
    const { body } = await call('stories/order-100/actions', { name: repeat?.name, target: repeat?.target });
    expect(body).toEqual({ message: expect.stringContaining('It is a replay of the first reply.') });
    expect(await story('order-100')).toMatchObject({ verdict: 'unknown_to_app', attempts: 1 });
  });
});

describe('nothing happened', () => {
  it.each([
    ['never arrived', { kind: 'drop_request' }, 'request lost'],
    ['met a proxy', { kind: 'bad_gateway' }, 'server error'],
    ['came too often', { kind: 'rate_limit' }, 'refused'],
  ] as const)('is a request that %s', async (_, fault, note) => {
    const { sandbox, payments, story } = await record();
    sandbox.faults.inject({ ...fault, operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(order, once));
    expect(await story('order-100')).toMatchObject({
      verdict: 'nothing_happened',
      reason: 'The service executed no request.',
      money: order,
      notes: [note],
    });
  });

  it('is a session that expired', async () => {
    const { payments, sandbox, story } = await record();
    const session = await payments.checkoutSessions.create({ ...cart, mode: 'payment' }, once);
    expect(await story(session.id)).toMatchObject({
      verdict: 'open',
      reason: 'Nothing was charged yet. The buyer can still pay.',
    });
    await sandbox.clock.advance('30 days');
    expect(await story(session.id)).toMatchObject({
      verdict: 'nothing_happened',
      reason: 'Nothing was charged. The session expired.',
      money: { amount: 1200, currency: 'USD' },
      notes: ['expired'],
    });
  });

  it('is a declined sale of the form endpoint', async () => {
    const { payments, sandbox, story } = await record();
    const payment_token = await sandbox.tokenize({
      ccnumber: testCards.doNotHonor.number,
      ccexp: '1230',
      cvv: '123',
    });
    await payments.transact.sale({ amount: '12.00', payment_token, orderid: 'shop-8' });
    expect(await story('shop-8')).toMatchObject({
      verdict: 'nothing_happened',
      charges: 0,
      notes: ['declined'],
    });
  });
});
