/** What a story says besides its verdict, which `orders.test.ts` has: its figures, its notes, and what can be done about it. */

import { describe, expect, it } from 'vitest';
import { fails, record } from './support.ts';

const order = { amount: 5500, currency: 'USD' } as const;
const once = { operationId: 'order-100' };
const sale = { amount: '12.00', payment_token: 'tok_1', orderid: 'shop-7' } as const;

describe('the figures of a story', () => {
  it('are those of an order that was created, paid and delivered', async () => {
    const { sandbox, payments, story } = record();
    sandbox.webhooks.deliverTo(() => new Response());
    const intent = await payments.paymentIntents.create(order, once);
    sandbox.pay(intent.id);
    await sandbox.settled();
    expect(await story('order-100')).toMatchObject({
      title: 'order-100',
      money: order,
      charges: 1,
      net: 5500,
      attempts: 1,
      notes: [],
      webhooks: { delivered: 2, failing: 0, total: 2 },
    });
  });

  it('count the attempts of one request, and name the buyer', async () => {
    const { sandbox, payments, story } = record();
    const customer = sandbox.add('customer', { email: 'ada@example.com' });
    const params = { ...order, customer: customer.id } as const;
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(params, once));
    await payments.paymentIntents.create(params, once);
    expect(await story('order-100')).toMatchObject({
      attempts: 2,
      notes: ['reply lost', 'replayed'],
      email: 'ada@example.com',
    });
  });

  it('count what was refunded, by every operation of the order', async () => {
    const { sandbox, payments, story } = record();
    const { id } = await payments.paymentIntents.create(order, once);
    sandbox.pay(id, { payment_method: 'pm_card_refund_fails_once' });
    const refund = await payments.refunds.create({ payment_intent_id: id, amount: 1500 }, once);
    await sandbox.clock.advance('2 minutes');
    await payments.refunds.retry(refund.id, { operationId: 'order-100/again' });
    await sandbox.clock.advance('2 minutes');
    expect(await story('order-100')).toMatchObject({
      net: 4000,
      notes: ['refund failed', 'partly refunded'],
      operationIds: ['order-100', 'order-100/again'],
    });
  });

  it('take equal numbers in two currencies for two purchases', async () => {
    const { sandbox, payments, stories } = record();
    const customer = sandbox.add('customer', { email: 'ada@example.com' }).id;
    for (const currency of ['USD', 'JPY']) {
      const operationId = `order-${currency}`;
      sandbox.pay(
        (await payments.paymentIntents.create({ amount: 5500, currency, customer }, { operationId })).id,
      );
    }
    expect((await stories()).map(({ verdict }) => verdict)).toEqual(['charged_once', 'charged_once']);
  });

  it('count a retried delivery', async () => {
    const { sandbox, payments, story } = record();
    let isUp = false;
    sandbox.webhooks.deliverTo(() => new Response(null, { status: isUp ? 200 : 503 }));
    await payments.transact.sale(sale);
    sandbox.trigger('chargeback.received');
    await sandbox.settled();
    expect(await story('shop-7')).toMatchObject({ webhooks: { delivered: 0, failing: 1, total: 1 } });
    isUp = true;
    await sandbox.clock.advance('1 day');
    expect(await story('shop-7')).toMatchObject({
      notes: ['disputed', 'webhook retried'],
      webhooks: { delivered: 1, failing: 0, total: 1 },
    });
  });

  it('add no amounts of two currencies', async () => {
    const { sandbox, payments, story } = record();
    sandbox.pay((await payments.paymentIntents.create(order, once)).id);
    const inYen = { amount: 5500, currency: 'JPY', metadata: { order: '100' } };
    const { id } = await payments.paymentIntents.create(inYen, { operationId: 'order-100/yen' });
    sandbox.pay(id);
    await payments.refunds.create({ payment_intent_id: id, amount: 1500 }, once);
    expect(await story('order-100')).toMatchObject({ charges: 2, net: null });
  });

  it.each([
    ['USD', '12.00', '5.00', 700, '$5.00'],
    ['JPY', '1200', '500', 700, '¥500'],
    ['KWD', '1.200', '0.500', 700, 'KWD 0.500'],
  ])(
    'subtract a partial dispute of a sale in %s, in its minor units',
    async (currency, amount, part, net, text) => {
      const { sandbox, payments, story } = record();
      const { transactionid: transaction_id } = await payments.transact.sale({ ...sale, amount, currency });
      await payments.transact.sale({ amount: '9.00', payment_token: 'tok_2', orderid: 'another' });
      sandbox.trigger('chargeback.received', { transaction_id, amount: part });
      const disputed = await story('shop-7');
      expect(disputed).toMatchObject({ charges: 1, net, money: { amount: 1200, currency } });
      expect(disputed.reason).toContain(`The buyer disputes ${text}.`);
      expect(disputed.needs?.action).toContain(text);
      // The other order is not disputed.
      expect(await story('another')).toMatchObject({ net: 900, needs: null });
    },
  );

  it.each([
    ['a charge of the JSON interface', '5.00', 5500],
    ['a sale, by more decimals than its currency has', '5.001', 1200],
  ])('stay as they are after a chargeback that names %s', async (what, amount, net) => {
    const { sandbox, payments, story } = record();
    const { id } = await payments.paymentIntents.create(order, once);
    const charge = sandbox.pay(id).latest_charge_id ?? '';
    const { transactionid } = await payments.transact.sale(sale);
    sandbox.trigger('chargeback.received', {
      transaction_id: what.includes('sale') ? transactionid : 'none',
      amount,
    });
    expect(await story(what.includes('sale') ? 'shop-7' : charge)).toMatchObject({ net });
  });
});

describe('the need to give the money of a failed refund back', () => {
  it('stays after a refund of another charge', async () => {
    const { sandbox, payments, story } = record();
    const payAndRefund = async (operationId: string, refundId: string, payment_method: `pm_${string}`) => {
      const { id } = await payments.paymentIntents.create(order, { operationId });
      sandbox.pay(id, { payment_method });
      await payments.refunds.create({ payment_intent_id: id }, { operationId: refundId });
      await sandbox.clock.advance('2 minutes');
    };
    await payAndRefund('order-100', 'order-100/refund', 'pm_card_refund_fails_once');
    await payAndRefund('order-100/more', 'order-100', 'pm_card_visa');
    expect(await story('order-100')).toMatchObject({ charges: 2, needs: { why: 'refund_failed' } });
  });

  it('stays after a smaller refund', async () => {
    const { sandbox, payments, story } = record();
    const { id: payment_intent_id } = await payments.paymentIntents.create(order, once);
    sandbox.pay(payment_intent_id, { payment_method: 'pm_card_refund_fails_once' });
    await payments.refunds.create({ payment_intent_id, amount: 1500 }, once);
    await sandbox.clock.advance('2 minutes');
    const less = { operationId: 'order-100/less' };
    const { id } = await payments.refunds.create({ payment_intent_id, amount: 1499 }, less);
    await sandbox.clock.advance('2 minutes');
    await payments.refunds.retry(id, less);
    await sandbox.clock.advance('2 minutes');
    expect(await story('order-100')).toMatchObject({ net: 4001, needs: { why: 'refund_failed' } });
  });
});

describe('the need to answer a dispute', () => {
  const end = Date.UTC(2026, 1, 2) - 1;

  it('ends with the last millisecond of the due date, in UTC', async () => {
    const { sandbox, payments, story } = record();
    await payments.transact.sale(sale);
    sandbox.trigger('chargeback.received', { due_date: '2026-02-01' });
    expect((await story('shop-7')).needs).toMatchObject({ why: 'dispute_due', due: end });
    await sandbox.clock.advance(end - sandbox.clock.now());
    expect((await story('shop-7')).needs).toMatchObject({
      action: expect.stringContaining('by 1 February 2026'),
      due: end,
    });
    await sandbox.clock.advance(1);
    expect((await story('shop-7')).needs).toBeNull();
  });

  it('is that of the dispute that is due first, and then that of the next one', async () => {
    const { sandbox, payments, story } = record();
    await payments.transact.sale(sale);
    sandbox.trigger('chargeback.received', { amount: '7.00', due_date: '2026-02-03' });
    sandbox.trigger('chargeback.received', { amount: '5.00', due_date: '2026-02-01' });
    expect((await story('shop-7')).needs).toMatchObject({
      action: expect.stringContaining('$5.00'),
      due: end,
    });
    await sandbox.clock.advance(end + 1 - sandbox.clock.now());
    expect((await story('shop-7')).needs).toMatchObject({
      action: expect.stringContaining('$7.00'),
      due: Date.UTC(2026, 1, 4) - 1,
    });
  });
});

describe('a story', () => {
  it('whose id looks like a card number is found by it, and shows it to nobody', async () => {
    const { sandbox, payments, call, stories, story } = record();
    for (const operationId of ['4111111111111111', '5555555555554444'])
      sandbox.pay((await payments.paymentIntents.create(order, { operationId })).id);
    const [second, first] = await stories();
    expect([first?.charges, second?.charges]).toEqual([1, 1]);
    expect(first?.id).not.toBe(second?.id);
    for (const one of [first, second]) expect((await story(one?.id ?? '')).id).toBe(one?.id);
    expect((await story('4111111111111111')).id).toBe(first?.id);
    for (const path of ['stories', 'entries', `stories/${first?.id}`]) {
      const text = JSON.stringify((await call(path)).body);
      expect(text).not.toMatch(/4111111111111111|5555555555554444|"links"/);
    }
  });

  it('stays unknown to the app when only the dashboard repeats the request', async () => {
    const { sandbox, payments, story, call } = record();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    await fails(payments.paymentIntents.create(order, once));
    const [repeat] = (await story('order-100')).actions;
    const { body } = await call('commands', { name: repeat?.name, args: repeat?.args });
    expect(body).toMatchObject({ message: expect.stringContaining('It is a replay of the first reply.') });
    expect(await story('order-100')).toMatchObject({ verdict: 'unknown_to_app', attempts: 1 });
  });

  it.each([
    ['voids', 'USD', '12.00', 'Void $12.00', undefined],
    ['voids', 'JPY', '1200', 'Void ¥1,200', undefined],
    ['refunds', 'USD', '12.00', 'Refund $12.00', '3 days'],
    ['refunds', 'JPY', '1200', 'Refund ¥1,200', '3 days'],
    ['refunds', 'KWD', '1.200', 'Refund KWD\u00a01.200', '3 days'],
  ])(
    'of a form sale that was charged twice %s one of them in %s',
    async (_, currency, amount, label, wait) => {
      const { sandbox, payments, story, call } = record();
      for (const _time of [1, 2]) await payments.transact.sale({ ...sale, amount, currency });
      if (wait !== undefined) await sandbox.clock.advance(wait);
      const before = await story('shop-7');
      expect(before).toMatchObject({ verdict: 'charged_twice', net: 2400 });
      const action = before.actions.find((one) => one.label === label);
      expect(await call('commands', { name: action?.name, args: action?.args })).toMatchObject({
        status: 200,
      });
      expect(await story('shop-7')).toMatchObject({ verdict: 'charged_once', net: 1200, needs: null });
    },
  );
});
