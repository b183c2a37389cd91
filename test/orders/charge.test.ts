import type { PaymentIntent } from 'payments-client';
import { expect, it } from 'vitest';
import { codeOf, openShop, type Shop, sumsOf } from './shop.ts';

/** Lets the service answer the next confirmation so, and the intent be so from then on. */
function answerConfirm({ sandbox }: Shop, id: string, fields: Partial<PaymentIntent>): void {
  const intent = sandbox.update('payment_intent', id, fields);
  sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.confirm', status: 200, body: intent });
}

/** Charges a card that is declined, so that the order has an intent. */
async function intentOf({ orders, sandbox }: Shop): Promise<PaymentIntent> {
  await orders.charge('order-1', 'pm_card_declined');
  const [payment] = (await orders.get('order-1')).payments;
  const intent = sandbox.get('payment_intent', payment?.reference ?? '');
  if (intent === undefined) throw new Error('Expected an intent.');
  return intent;
}

it('charges a stored card for what is due, once', async () => {
  const { orders, row, shipped, sent, sandbox, payments } = openShop();
  row.customer = (await payments.customers.create({ email: 'buyer@example.com' })).id;
  sent();
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(sent()).toEqual(['paymentIntents.create', 'paymentIntents.confirm']);
  expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
  expect(sent()).toEqual([]);
  const { payments: paid } = await orders.get('order-1');
  expect(paid).toMatchObject([{ kind: 'intent', status: 'paid', paid: { amount: 1200, currency: 'USD' } }]);
  expect(sandbox.get('payment_intent', paid[0]?.reference ?? '')).toMatchObject({
    amount: 1200,
    customer: row.customer,
    capture_method: 'automatic',
    payment_method: 'pm_1',
  });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('charges another card by the same intent after a decline', async () => {
  const { orders, payments, keysOf } = openShop();
  for (const _ of [1, 2])
    expect(await orders.charge('order-1', 'pm_card_declined')).toEqual({
      state: 'declined',
      reason: 'CARD_DECLINED',
    });
  expect(sumsOf(await orders.get('order-1'))).toEqual({ state: 'unpaid', total: 1200, due: 1200 });
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect((await payments.paymentIntents.list()).items).toHaveLength(1);
  expect(new Set(keysOf('paymentIntents.confirm')).size).toBe(3);
});

it('repeats a card whose outcome is not known, whatever card is named', async () => {
  const { sandbox, orders, payments, shipped, keysOf } = openShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
  expect(await codeOf(orders.charge('order-1', 'pm_1'))).toBe('ECONNRESET');
  expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
  const [first, second] = keysOf('paymentIntents.confirm');
  expect(second).toBe(first);
  expect((await payments.charges.list()).items.map(({ payment_method }) => payment_method)).toEqual(['pm_1']);
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('lets another card be charged after a refusal for good, not after one for now if nothing can be read', async () => {
  const { sandbox, orders, keysOf } = openShop();
  const fail = (status: number) =>
    sandbox.faults.inject({
      kind: 'respond',
      operation: 'paymentIntents.confirm',
      status,
      body: { error: { code: 'NO' } },
    });
  fail(429);
  sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.retrieve', status: 404 });
  expect(await codeOf(orders.charge('order-1', 'pm_1'))).toBe('NO');
  fail(400);
  expect(await codeOf(orders.charge('order-1', 'pm_2'))).toBe('NO');
  expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
  const [first, second, third] = keysOf('paymentIntents.confirm');
  expect([second === first, third === first]).toEqual([true, false]);
});

it('lets the buyer authenticate, and asks for the secret again without another charge', async () => {
  const shop = openShop();
  const { sandbox, orders, sent } = shop;
  const { id } = await intentOf(shop);
  answerConfirm(shop, id, { status: 'requires_action', payment_method: 'pm_1' });
  const { client_secret: clientSecret } = await shop.payments.paymentIntents.retrieve(id);
  const expected = { state: 'requires_action', intent: id, clientSecret };
  expect(await orders.charge('order-1', 'pm_1')).toEqual(expected);
  expect(clientSecret).toEqual(expect.any(String));
  sent();
  expect(await orders.charge('order-1', 'pm_1')).toEqual(expected);
  expect(sent()).toEqual(['paymentIntents.retrieve']);
  sandbox.update('payment_intent', id, { status: 'succeeded' });
  expect((await orders.refresh('order-1')).state).toBe('paid');
});

it('names the intent alone if the service cannot be asked for its secret', async () => {
  const shop = openShop();
  const { id } = await intentOf(shop);
  answerConfirm(shop, id, { status: 'requires_action' });
  shop.sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.retrieve', status: 404 });
  const result = await shop.orders.charge('order-1', 'pm_1');
  expect(result).toEqual({ state: 'requires_action', intent: id, clientSecret: null });
});

it('says that the card was charged when the buyer has authenticated meanwhile', async () => {
  const shop = openShop();
  const { id } = await intentOf(shop);
  answerConfirm(shop, id, { status: 'requires_action' });
  await shop.orders.charge('order-1', 'pm_1');
  shop.sandbox.update('payment_intent', id, { status: 'succeeded' });
  expect(await shop.orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
});

it('charges another card while the buyer does not authenticate, and after a failed authentication', async () => {
  const shop = openShop();
  const { sandbox, orders, keysOf } = shop;
  const { id } = await intentOf(shop);
  answerConfirm(shop, id, { status: 'requires_action' });
  await orders.charge('order-1', 'pm_1');
  answerConfirm(shop, id, { status: 'requires_action' });
  await orders.charge('order-1', 'pm_2');
  sandbox.update('payment_intent', id, { status: 'requires_payment_method', payment_method: null });
  await orders.refresh('order-1');
  expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
  expect(new Set(keysOf('paymentIntents.confirm')).size).toBe(4);
});

it('takes an answer that asks for another card for a decline', async () => {
  const shop = openShop();
  const { id } = await intentOf(shop);
  answerConfirm(shop, id, { status: 'requires_payment_method', payment_method: null });
  expect(await shop.orders.charge('order-1', 'pm_1')).toEqual({ state: 'declined', reason: null });
  expect(await shop.orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
});

it('does not report a decline when an earlier request has taken the money', async () => {
  const { sandbox, orders, shipped } = openShop();
  sandbox.faults.inject({
    kind: 'respond',
    operation: 'paymentIntents.confirm',
    status: 402,
    body: { error: { code: 'CARD_DECLINED' } },
    committed: true,
  });
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('says that a rest is due when the row was edited during the charge', async () => {
  const { sandbox, orders, row, shipped } = openShop();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.confirm' });
  const charging = orders.charge('order-1', 'pm_1');
  await hold.reached;
  row.cups = 2;
  hold.release();
  expect(await charging).toEqual({ state: 'part_paid' });
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(shipped).toEqual(['order-1 for 2400 USD']);
});

it('charges a card once when it is called twice at a time', async () => {
  const { orders, payments, shipped } = openShop();
  const results = await Promise.all([orders.charge('order-1', 'pm_1'), orders.charge('order-1', 'pm_1')]);
  expect(results).toContainEqual({ state: 'paid' });
  expect((await payments.charges.list()).items).toHaveLength(1);
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('closes the page, and gives the money back that comes from it all the same', async () => {
  const { sandbox, orders, pageOf, deliver } = openShop();
  const { session } = await pageOf();
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(sandbox.get('checkout_session', session)?.status).toBe('expired');
  sandbox.pay(session);
  await deliver('checkout.session.completed');
  expect(sumsOf(await orders.get('order-1'))).toEqual({
    state: 'paid',
    total: 1200,
    paid: 2400,
    refunding: 1200,
    refundable: 1200,
  });
});

it('refuses what is no payment method, and sends nothing', async () => {
  const { orders, sent } = openShop();
  await expect(orders.charge('order-1', 'cus_1' as never)).rejects.toThrow(
    /^paymentMethod: expected .*pm_.*Nothing was sent/s,
  );
  expect(await codeOf(orders.charge(' ', 'pm_1'))).toBe('INVALID_CONFIGURATION');
  expect(sent()).toEqual([]);
});

it('makes another intent after the first could not be created', async () => {
  const { sandbox, orders, keysOf } = openShop();
  sandbox.faults.inject({ kind: 'respond', status: 400, body: { error: { code: 'BAD' } } });
  expect(await codeOf(orders.charge('order-1', 'pm_1'))).toBe('BAD');
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(new Set(keysOf('paymentIntents.create')).size).toBe(2);
});

it('charges only what the buyer has agreed to', async () => {
  const { orders, row, sent } = openShop();
  row.cups = 2;
  for (const due of [
    { amount: 1200, currency: 'USD' },
    { amount: 2400, currency: 'EUR' },
  ]) {
    expect(await codeOf(orders.charge('order-1', 'pm_1', { due }))).toBe('ORDER_CHANGED');
    expect(await codeOf(orders.sell('order-1', { payment_token: 'token' }, { due }))).toBe('ORDER_CHANGED');
  }
  expect(sent()).toEqual([]);
  const due = { amount: 2400, currency: 'usd' };
  expect(await orders.charge('order-1', 'pm_1', { due })).toEqual({ state: 'paid' });
});

it('charges nothing once an order is canceled', async () => {
  const { orders, sent } = openShop();
  await orders.cancel('order-1');
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'canceled' });
  expect(await orders.sell('order-1', { payment_token: 'token' })).toEqual({ state: 'canceled' });
  expect(sent()).toEqual([]);
});

it('gives back what a card was charged while its order was canceled', async () => {
  const { sandbox, orders } = openShop();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.confirm' });
  const charging = orders.charge('order-1', 'pm_1');
  await hold.reached;
  await orders.cancel('order-1');
  hold.release();
  await charging.catch(() => undefined);
  sandbox.faults.clear();
  const view = await orders.refresh('order-1');
  expect(view.paid.amount - view.refunding.amount).toBe(0);
});

it.each([403, 404, 422])(
  'finds the money of a lost reply when the repeat is refused with %i',
  async (status) => {
    const { sandbox, orders, shipped } = openShop();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.confirm' });
    expect(await codeOf(orders.charge('order-1', 'pm_1'))).toBe('ECONNRESET');
    sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.confirm', status, body: {} });
    expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
    expect(shipped).toEqual(['order-1 for 1200 USD']);
  },
);

it.each(['charge', 'sell'] as const)(
  '%s takes nothing if a page is paid of which no event has told',
  async (call) => {
    const { sandbox, orders, pageOf, payments, shipped } = openShop();
    sandbox.pay((await pageOf()).session);
    const result =
      call === 'charge'
        ? orders.charge('order-1', 'pm_1')
        : orders.sell('order-1', { payment_token: 'tok_1' });
    expect(await result).toEqual({ state: 'paid' });
    expect((await payments.charges.list()).items).toHaveLength(1);
    expect(shipped).toEqual(['order-1 for 1200 USD']);
  },
);
