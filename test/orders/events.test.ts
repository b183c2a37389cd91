/** Events in any order, of any age and any number of times, also of what no order knows. */

import fc from 'fast-check';
import type { Orders, UnknownPayment } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };

/** A page that was paid, a refund of another program, and a chargeback, of which nothing was told yet. */
async function untold(by: 'session' | 'intent') {
  const shop = openShop({ onUnknown: () => undefined, sandbox: { seed: 1, startsAt: 1_790_000_000_000 } });
  const { payments, sandbox, pageOf } = shop;
  const { session } = await pageOf();
  const { id } = sandbox.pay(session);
  const refund = await payments.refunds.create(
    { payment_intent_id: id, amount: 300 },
    { operationId: 'by-hand' },
  );
  await sandbox.clock.advance('1 hour');
  sandbox.update('refund', refund.id, { status: 'succeeded' });
  sandbox.trigger('chargeback.received', {
    transaction_id: by === 'session' ? session : id,
    amount: '2.00',
    chargeback_id: 'cb_1',
  });
  return shop;
}

const types = [
  'checkout.session.completed',
  'payment_intent.succeeded',
  'refund.created',
  'refund.succeeded',
  'chargeback.received',
] as const;

/** What a shop knows of the money after deliveries, without the name that each record has. */
async function moneyAfter(by: 'session' | 'intent', deliveries: readonly (keyof Orders['on'])[]) {
  const { deliver, orders } = await untold(by);
  for (const type of deliveries) await deliver(type);
  const { needs, paid, refunded, payments, refunds } = await orders.get('order-1');
  // What went back before the order was paid in full is due again.
  const told = needs.filter(({ kind }) => kind !== 'rest_unpaid');
  const text = JSON.stringify({ needs: told, paid, refunded, payments, refunds });
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'nonce'));
}

it.each(['session', 'intent'] as const)(
  'knows the same after any order, with a chargeback of the %s',
  async (by) => {
    const first = await moneyAfter(by, types);
    expect(first).toMatchObject({
      paid: { amount: 1200 },
      refunded: { amount: 300 },
      payments: [{ status: 'paid' }],
      needs: [{ kind: 'refunded_elsewhere' }, { kind: 'chargeback', money: { amount: 200 } }],
    });
    const orderings = fc.sample(fc.shuffledSubarray([...types, ...types], { minLength: 10 }), 8);
    for (const ordering of orderings) expect(await moneyAfter(by, ordering), `${ordering}`).toEqual(first);
  },
);

it.each([
  [['checkout.session.completed', 'refund.succeeded'], 'paid', 0],
  [['refund.succeeded', 'checkout.session.completed'], 'part_paid', 300],
] as const)('ships an order only if so much has not gone back before: %j', async (deliveries, state, due) => {
  const { deliver, orders, shipped } = await untold('intent');
  for (const type of deliveries) await deliver(type);
  expect(await orders.get('order-1')).toMatchObject({ state, due: { amount: due } });
  expect(shipped).toHaveLength(state === 'paid' ? 1 : 0);
});

it('keeps a refund that is told before its payment is known, and joins it then', async () => {
  const { deliver, orders } = await untold('intent');
  await deliver('refund.created');
  expect((await orders.get('order-1')).refunds).toEqual([]);
  await deliver('checkout.session.completed');
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 300 });
});

it.each([
  ['checkout.session.completed', { id: 'cs_foreign', mode: 'payment' }, 'cs_foreign'],
  ['chargeback.received', { chargeback_id: 'cb_1', transaction_id: '77', amount: '1.00' }, '77'],
] as const)('tells of a %s of no order', async (type, object, reference) => {
  const event = { id: 'evt_1', type, livemode: false, data: { object } };
  const strict = openShop();
  const failing = strict.orders.on[type](anything(event));
  await expect(failing).rejects.toThrow(`${type}: expected a payment of an order, got ${reference}.`);
  const told: UnknownPayment[] = [];
  const lenient = openShop({ onUnknown: (payment) => told.push(payment) });
  await lenient.orders.on[type](anything(event));
  expect(told).toEqual([{ type, reference }]);
});

it('fails an event whose onUnknown fails', async () => {
  const { orders } = openShop({ onUnknown: () => Promise.reject(new Error('broken')) });
  const event = { type: 'checkout.session.completed', data: { object: { id: 'cs_1', mode: 'payment' } } };
  await expect(orders.on['checkout.session.completed'](anything(event))).rejects.toThrow('broken');
});

it('ignores what else is told of no order', async () => {
  const { orders, sandbox, sent } = openShop();
  const subscribing = {
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', mode: 'subscription' } },
  };
  await orders.on['checkout.session.completed'](anything(subscribing));
  for (const type of [
    'checkout.session.expired',
    'payment_intent.succeeded',
    'payment_intent.canceled',
    'refund.created',
    'refund.succeeded',
    'refund.failed',
    'refund.settled',
  ] as const)
    await orders.on[type](anything(sandbox.trigger(type)));
  expect(sent()).toEqual([]);
});

it('does not take an unpaid completion for a payment, and takes a later one', async () => {
  const { deliver, orders, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  await deliver('checkout.session.completed', session, { payment_status: 'unpaid' });
  expect((await orders.get('order-1')).state).toBe('unpaid');
  await deliver('checkout.session.completed', session);
  await deliver('checkout.session.completed', session, { payment_status: 'unpaid', status: 'expired' });
  expect((await orders.get('order-1')).state).toBe('paid');
});

it('refuses an object of the other mode', async () => {
  const { deliver, orders, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  const call = deliver('checkout.session.completed', session, { livemode: true });
  await expect(call).rejects.toThrow(/expected an object of test mode, got cs_\w+ of live mode/);
  expect((await orders.get('order-1')).state).toBe('unpaid');
  expect(await codeOf(call)).toBe('ORDER_MODE');
});

it('ships by the event of an intent, and closes one that was canceled', async () => {
  const shop = openShop();
  const { deliver, orders, sandbox, shipped } = shop;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  await orders.charge('order-1', 'pm_1').catch(() => undefined);
  for (const _ of [1, 2]) await deliver('payment_intent.succeeded');
  expect(shipped).toEqual(['order-1 for 1200 USD']);
  const other = openShop();
  await other.orders.charge('order-1', 'pm_card_declined');
  const [payment] = (await other.orders.get('order-1')).payments;
  await other.payments.paymentIntents.cancel(payment?.reference as `pi_${string}`);
  await other.deliver('payment_intent.canceled');
  expect((await other.orders.get('order-1')).payments).toMatchObject([{ status: 'expired' }]);
});

it('does not pay an order by the intent behind its page alone', async () => {
  const { deliver, orders, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  await deliver('checkout.session.completed', session, { payment_status: 'unpaid' });
  await deliver('payment_intent.succeeded');
  expect((await orders.get('order-1')).state).toBe('unpaid');
});

it('keeps the newest state of a refund, and of one second the later in its life', async () => {
  const { deliver, orders, payments, pay } = openShop();
  await pay();
  await orders.refund('order-1', { id: 'return-1', amount: 500, currency: 'USD' });
  const at = (await payments.refunds.list()).items[0]?.updated_at ?? 0;
  const told = async (status: string, updated_at: number) => {
    await deliver('refund.created', undefined, { status, updated_at });
    return (await orders.get('order-1')).refunds[0]?.status;
  };
  expect(await told('succeeded', at)).toBe('succeeded');
  expect(await told('pending', at)).toBe('succeeded');
  expect(await told('pending', at - 1)).toBe('succeeded');
  expect(await told('reversed', at + 5)).toBe('succeeded');
  expect(await told('failed', at)).toBe('failed');
  expect(await told('succeeded', at)).toBe('failed');
  expect(await told('pending', at + 10)).toBe('pending');
});

it.each([
  ['5.00', 500],
  ['99.00', 9900],
  ['much', 1200],
])('counts a chargeback of %s as %d, and one need of it', async (amount, counted) => {
  const shop = openShop();
  const { deliver, orders, sandbox } = shop;
  await orders.sell('order-1', card);
  sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1', amount: '5.00', reason: 'fraud' });
  await deliver('chargeback.received', undefined, { amount });
  await deliver('chargeback.received', undefined, { amount, due_date: '2030-01-02' });
  expect(await onlyNeed(shop, 'chargeback')).toMatchObject({
    money: { amount: counted, currency: 'USD' },
    reference: sandbox.transactions[0]?.id,
    detail: '10.4 fraud: respond by 2030-01-02',
  });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 1200, state: 'paid' });
});

it('counts a chargeback of an authorization whose capture is not known yet', async () => {
  const shop = openShop();
  const { deliver, orders, sandbox } = shop;
  await orders.sell('order-1', card, { capture: false });
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.capture('order-1').catch(() => undefined);
  const { operation, reference } = await onlyNeed(shop, 'capture_unknown');
  sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1', amount: '5.00' });
  await deliver('chargeback.received');
  const { needs } = await orders.resolve('order-1', operation, reference);
  expect(needs).toContainEqual(
    expect.objectContaining({ kind: 'chargeback', money: { amount: 500, currency: 'USD' } }),
  );
});

it.each([undefined, null, -5, 12.5, '1200'])('stores no amount that is none: %j', async (amount_total) => {
  const { orders, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  sandbox.pay(session);
  const object = { ...sandbox.get('checkout_session', session), amount_total };
  const event = { type: 'checkout.session.completed', data: { object } };
  expect(await codeOf(orders.on['checkout.session.completed'](anything(event)))).toBe('ORDER_AMOUNT');
  expect(await orders.refresh('order-1')).toMatchObject({ state: 'paid', paid: { amount: 1200 } });
});

/** A service without reads: nothing but events tells. */
function withoutReads({ sandbox }: Shop): void {
  const operations = ['checkoutSessions.retrieve', 'paymentIntents.retrieve', 'charges.retrieve'] as const;
  for (const operation of operations)
    sandbox.faults.inject({ kind: 'respond', operation, status: 404, times: 100 });
}

it.each(['the intent first', 'the session first', 'no intent'])(
  'finds a chargeback by the charge of a page: %s',
  async (order) => {
    const shop = openShop();
    const { deliver, sandbox, pageOf, sent } = shop;
    const { session } = await pageOf();
    const { latest_charge_id: charge } = sandbox.pay(session);
    if (order !== 'no intent') withoutReads(shop);
    if (order === 'the intent first') await deliver('payment_intent.succeeded');
    await deliver('checkout.session.completed');
    if (order === 'the session first') await deliver('payment_intent.succeeded');
    sent();
    sandbox.trigger('chargeback.received', { transaction_id: charge ?? '', amount: '5.00' });
    await deliver('chargeback.received');
    expect(await onlyNeed(shop, 'chargeback')).toMatchObject({ money: { amount: 500 }, reference: session });
    expect(sent()).toEqual(order === 'no intent' ? ['charges.retrieve'] : []);
    await deliver('chargeback.received');
    expect(sent()).toEqual([]);
  },
);

it('joins a chargeback of a charge that came before all else', async () => {
  const shop = openShop();
  withoutReads(shop);
  const { deliver, orders, sandbox, pageOf } = shop;
  const { session } = await pageOf();
  const { latest_charge_id: charge } = sandbox.pay(session);
  sandbox.trigger('chargeback.received', { transaction_id: charge ?? '', amount: '5.00' });
  expect(await codeOf(deliver('chargeback.received'))).toBe('ORDER_UNKNOWN_PAYMENT');
  await deliver('payment_intent.succeeded');
  await deliver('checkout.session.completed');
  const { needs } = await orders.get('order-1');
  expect(needs.map(({ kind, money }) => [kind, money.amount])).toEqual([
    ['rest_unpaid', 500],
    ['chargeback', 500],
  ]);
});

it('keeps the chargeback of a charge whose page is not known to be paid yet', async () => {
  const shop = openShop({ onUnknown: () => undefined });
  const { deliver, orders, sandbox, pageOf } = shop;
  const { session } = await pageOf();
  const { latest_charge_id: charge } = sandbox.pay(session);
  sandbox.trigger('chargeback.received', { transaction_id: charge ?? '', amount: '12.00' });
  await deliver('chargeback.received');
  const { needs, due } = await orders.refresh('order-1');
  expect([needs.map(({ kind }) => kind), due.amount]).toEqual([['rest_unpaid', 'chargeback'], 1200]);
});
