/** What `refresh` asks the service for, and what it does where the service has no reads. */

import { expect, it } from 'vitest';
import { codeOf, openShop, type Shop, sumsOf } from './shop.ts';

const usd = (amount: number, id: string) => ({ id, amount, currency: 'USD' });

/** Lets the service have none of the reads. */
function withoutReads({ sandbox }: Shop): void {
  const reads = ['checkoutSessions.retrieve', 'paymentIntents.retrieve', 'refunds.retrieve'] as const;
  for (const operation of reads) sandbox.faults.inject({ kind: 'respond', operation, status: 404, times: 9 });
}

async function refundBySomebody({ orders, payments }: Shop, amount: number) {
  const [payment] = (await orders.get('order-1')).payments;
  const payment_intent_id = payment?.intent as `pi_${string}`;
  return payments.refunds.create({ payment_intent_id, amount }, { operationId: `by-hand-${amount}` });
}

it('asks for each thing that can still change, and for nothing else', async () => {
  const shop = openShop();
  const { orders, sandbox, row, pageOf, pay, sent } = shop;
  await pay();
  const own = [usd(100, 'return-1'), usd(200, 'return-2')];
  for (const returned of own) await orders.refund('order-1', returned);
  const others = [await refundBySomebody(shop, 300), await refundBySomebody(shop, 400)];
  for (const { id } of others) await shop.deliver('refund.created', id);
  row.createdAt = 2;
  await pageOf();
  await orders.charge('order-1', 'pm_card_declined');
  row.createdAt = 1;
  const { refunds } = await orders.get('order-1');
  for (const index of [0, 2])
    sandbox.update('refund', refunds[index]?.reference ?? '', { status: 'succeeded' });
  sent();
  const all = Array(4).fill('refunds.retrieve');
  expect(sumsOf(await orders.refresh('order-1'))).toMatchObject({ refunded: 400, refunding: 600 });
  expect(sent()).toEqual(all);
  await orders.refresh('order-1');
  expect(sent()).toEqual(all.slice(2));
  row.createdAt = 2;
  await orders.refresh('order-1');
  expect(sent()).toEqual(['checkoutSessions.retrieve', 'paymentIntents.retrieve']);
});

it('asks for nothing that was never created', async () => {
  const { orders, sandbox, sent } = openShop();
  for (const call of [() => orders.checkout('order-1'), () => orders.charge('order-1', 'pm_1')]) {
    sandbox.faults.inject({ kind: 'drop_request' });
    expect(await codeOf(call())).toBe('ECONNRESET');
  }
  sent();
  await orders.refresh('order-1');
  expect(sent()).toEqual([]);
});

it('leaves all as it is where the service has no reads', async () => {
  const shop = openShop();
  const { orders, row, pageOf, pay } = shop;
  await pay();
  await orders.refund('order-1', usd(100, 'return-1'));
  const { id } = await refundBySomebody(shop, 300);
  await shop.deliver('refund.created', id);
  const paid = await orders.get('order-1');
  row.createdAt = 2;
  await pageOf();
  await orders.charge('order-1', 'pm_card_declined');
  const open = await orders.get('order-1');
  withoutReads(shop);
  expect(await orders.refresh('order-1')).toEqual(open);
  row.createdAt = 1;
  expect(await orders.refresh('order-1')).toEqual(paid);
});

it.each([
  ['requires_payment_method', 'pm_2'],
  ['processing', 'pm_1'],
] as const)(
  'charges, eight days after a card of unknown outcome, by an intent that is %s: %s',
  async (status, charged) => {
    const { orders, sandbox, payments } = openShop();
    sandbox.faults.inject({ kind: 'drop_request', operation: 'paymentIntents.confirm' });
    await orders.charge('order-1', 'pm_1').catch(() => undefined);
    const [payment] = (await orders.get('order-1')).payments;
    const id = payment?.reference ?? '';
    const intent = sandbox.get('payment_intent', id);
    await sandbox.clock.advance('9 days');
    const operation = 'paymentIntents.retrieve';
    sandbox.faults.inject({ kind: 'respond', operation, status: 200, body: { ...intent, status } });
    await orders.refresh('order-1');
    expect(await orders.charge('order-1', 'pm_2')).toEqual({ state: 'paid' });
    const { items } = await payments.charges.list();
    expect(items.map(({ payment_method }) => payment_method)).toEqual([charged]);
  },
);
