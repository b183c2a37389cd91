/** How much goes back of which payment, with tips, returns, chargebacks and refunds that failed. */

import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { openShop, type Shop, sumsOf } from './shop.ts';

const usd = (amount: number, id = 'return-1') => ({ id, amount, currency: 'USD' });
const refusal = {
  kind: 'respond',
  operation: 'refunds.create',
  status: 422,
  body: { error: { code: 'NO' } },
};

/** Opens a page for some cups, of which nothing is told when it is paid. */
async function pageFor({ row, pageOf }: Shop, cups: number): Promise<string> {
  row.cups = cups;
  return (await pageOf()).session;
}

/** Pays a page. The service says that it took so much. */
async function pay({ sandbox, deliver }: Shop, session: string, amount_total?: number): Promise<void> {
  sandbox.pay(session);
  const changes = amount_total === undefined ? {} : { amount_total };
  await deliver('checkout.session.completed', session, changes);
}

/** The refunds of a view: of what they are, and of which amount. */
async function refundsOf({ orders }: Shop) {
  const { refunds } = await orders.get('order-1');
  return refunds.map(({ why, status, money }) => `${why} ${status} ${money.amount}`);
}

async function dispute({ orders }: Shop, index: number, amount = '12.00'): Promise<void> {
  const { payments } = await orders.get('order-1');
  const transaction_id = payments[index]?.reference;
  const notice = { chargeback_id: 'cb_1', transaction_id, amount, reason_code: '10.4' };
  const object = { ...notice, reason: 'fraud', due_date: '2030-01-02' };
  await orders.on['chargeback.received'](anything({ type: 'chargeback.received', data: { object } }));
}

it('gives a tip back with the whole of its payment, and keeps that of a payment of which a part stays', async () => {
  const whole = openShop();
  const pages = [await pageFor(whole, 1), await pageFor(whole, 2)];
  whole.row.cups = 1;
  await pay(whole, pages[0] ?? '', 1350);
  // The sandbox took no tip, so it refuses to give one back.
  await pay(whole, pages[1] ?? '', 2500);
  expect(await refundsOf(whole)).toEqual(['extra failed 2500']);
  expect(sumsOf(await whole.orders.get('order-1'))).toMatchObject({ paid: 3850, added: 250 });

  const part = openShop();
  const page = await pageFor(part, 3);
  part.row.cups = 1;
  await pay(part, page, 3700);
  expect(await refundsOf(part)).toEqual(['extra pending 2400']);
  expect(sumsOf(await part.orders.get('order-1'))).toMatchObject({
    paid: 3700,
    added: 100,
    refundable: 1300,
  });
});

it('does not give an older payment back instead of one whose refund failed', async () => {
  const shop = openShop();
  const pages = [await pageFor(shop, 1), await pageFor(shop, 2)];
  shop.row.cups = 1;
  await pay(shop, pages[0] ?? '');
  shop.sandbox.faults.inject(anything(refusal));
  await pay(shop, pages[1] ?? '');
  await shop.orders.refresh('order-1');
  await shop.orders.refund('order-1', usd(100));
  expect(await refundsOf(shop)).toEqual(['extra failed 2400', 'return pending 100']);
});

it.each([
  [1200, ['return pending 1200', 'extra pending 1200']],
  [700, ['return pending 700', 'extra pending 500', 'extra pending 700']],
])('gives an older payment back where a return of %d took the newer one', async (returned, expected) => {
  const shop = openShop();
  const { orders } = shop;
  const first = await pageFor(shop, 1);
  shop.row.cups = 2;
  await pay(shop, first);
  await dispute(shop, 0);
  const second = await pageFor(shop, 1);
  await pay(shop, second);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ state: 'paid', paid: 2400, refundable: 1200 });
  await orders.refund('order-1', usd(returned));
  await orders.resolve('order-1', 'cb_1', null);
  expect(await refundsOf(shop)).toEqual(expected);
  expect((await orders.get('order-1')).refundable.amount).toBe(1200 - returned);
  expect(shop.shipped).toEqual(['order-1 for 1200 USD']);
});

it('returns of as few payments as it can', async () => {
  const shop = openShop();
  const first = await pageFor(shop, 1);
  shop.row.cups = 2;
  await pay(shop, first);
  await pay(shop, await pageFor(shop, 2));
  await shop.orders.refund('order-1', usd(1200));
  expect(await refundsOf(shop)).toEqual(['return pending 1200']);
});

it('gives all back once for a canceled order, but not what failed', async () => {
  const shop = openShop();
  const pages = [await pageFor(shop, 2), await pageFor(shop, 3)];
  await pay(shop, pages[0] ?? '');
  shop.sandbox.faults.inject(anything(refusal));
  await shop.orders.cancel('order-1');
  expect(await refundsOf(shop)).toEqual(['extra failed 2400']);
  await pay(shop, pages[1] ?? '');
  await shop.orders.refresh('order-1');
  expect(await refundsOf(shop)).toEqual(['extra failed 2400', 'extra pending 3600']);
});

it('gives a second payment back, though a return of the first failed', async () => {
  const shop = openShop();
  const pages = [await pageFor(shop, 1), await pageFor(shop, 2)];
  shop.row.cups = 1;
  await pay(shop, pages[0] ?? '');
  await shop.orders.refresh('order-1');
  shop.sandbox.faults.inject(anything(refusal));
  await shop.orders.refund('order-1', usd(500));
  await pay(shop, pages[1] ?? '');
  expect(await refundsOf(shop)).toEqual(['return failed 500', 'extra pending 2400']);
});

it('gives a second payment back, after a refund of the first that failed was retried', async () => {
  const shop = openShop();
  const { orders } = shop;
  const pages = [await pageFor(shop, 3), await pageFor(shop, 2)];
  shop.row.cups = 1;
  shop.sandbox.faults.inject(anything(refusal));
  await pay(shop, pages[0] ?? '');
  const [failed] = (await orders.get('order-1')).refunds;
  await orders.retryRefund('order-1', failed?.id ?? '');
  await pay(shop, pages[1] ?? '');
  expect(await refundsOf(shop)).toEqual(['extra pending 2400', 'extra pending 2400']);
});

it('counts of a tip what its payment still has', async () => {
  const shop = openShop();
  const { orders, payments, deliver } = shop;
  const first = await pageFor(shop, 1);
  shop.row.cups = 3;
  await pay(shop, first, 1350);
  await pay(shop, await pageFor(shop, 3));
  const payment_intent_id = (await orders.get('order-1')).payments[0]?.intent as `pi_${string}`;
  const { id } = await payments.refunds.create({ payment_intent_id, amount: 1200 }, { operationId: 'x' });
  await deliver('refund.created', id, { amount: 1300 });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 3750, added: 50, refundable: 2450 });
});

it('counts a tip beside a payment of which more went back than was paid', async () => {
  const shop = openShop();
  const { orders, payments, deliver } = shop;
  const first = await pageFor(shop, 1);
  shop.row.cups = 3;
  await pay(shop, first);
  const payment_intent_id = (await orders.get('order-1')).payments[0]?.intent as `pi_${string}`;
  const { id } = await payments.refunds.create({ payment_intent_id, amount: 300 }, { operationId: 'x' });
  await deliver('refund.created', id);
  await dispute(shop, 0);
  shop.row.cups = 2;
  const second = await pageFor(shop, 2);
  shop.row.cups = 3;
  await pay(shop, second, 2500);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 3700, added: 100, due: 1200 });
});

/** Pays a page with a tip of 3.00, and lets the bank take 1.00 of that back before anybody hears of the payment. */
async function tipAndDispute(shop: Shop, session: string, amount_total: number): Promise<void> {
  shop.sandbox.update('checkout_session', session as `cs_${string}`, { amount_total });
  shop.sandbox.pay(session);
  const { payments } = await shop.orders.get('order-1');
  const index = payments.findIndex(({ reference }) => reference === session);
  await dispute(shop, index, '1.00');
}

it('gives the rest of a second payment with a tip back, once the bank has returned it', async () => {
  const shop = openShop();
  const { orders } = shop;
  const pages = [await pageFor(shop, 1), await pageFor(shop, 2)];
  shop.row.cups = 1;
  await pay(shop, pages[0] ?? '');
  await tipAndDispute(shop, pages[1] ?? '', 2700);
  await orders.refresh('order-1');
  expect(await refundsOf(shop)).toEqual(['extra pending 2600']);
  await orders.resolve('order-1', 'cb_1', null);
  expect(await refundsOf(shop)).toEqual(['extra pending 2600', 'extra pending 100']);
  expect(sumsOf(await orders.get('order-1'))).not.toHaveProperty('added');
});

it('gives the rest of a payment with a tip in another currency back, once the bank has returned it', async () => {
  const shop = openShop();
  const { orders } = shop;
  await tipAndDispute(shop, await pageFor(shop, 1), 1500);
  shop.row.currency = 'eur';
  await orders.refresh('order-1');
  await shop.pay();
  expect(await refundsOf(shop)).toEqual(['extra pending 1400']);
  await orders.resolve('order-1', 'cb_1', null);
  expect(await refundsOf(shop)).toEqual(['extra pending 1400', 'extra pending 100']);
});
