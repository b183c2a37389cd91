/** Refunds of what is left, after others gave a part back. */

import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { all, codeOf, onlyNeed, openBrokenShop, openShop, type Shop, sumsOf } from './shop.ts';

const usd = (amount: number, id = 'return-1') => ({ id, amount, currency: 'USD' });

/** Another program gives a part of the only payment back. Returns the id of the refund. */
async function refundElsewhere({ payments, orders }: Shop, amount: number): Promise<string> {
  const [payment] = (await orders.get('order-1')).payments;
  const intent = payment?.intent as `pi_${string}`;
  const { id } = await payments.refunds.create(
    { payment_intent_id: intent, amount },
    { operationId: `panel-${amount}` },
  );
  return id;
}

/** An order of two cups of which one is paid, and is canceled while a refund of 3.00 is not known yet. */
async function canceled() {
  const shop = openShop();
  const { orders, row, sandbox, pageOf, deliver } = shop;
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  const known = await refundElsewhere(shop, 300);
  await orders.cancel('order-1');
  await deliver('refund.created', known);
  const need = (await orders.get('order-1')).needs.find(({ kind }) => kind === 'refund_failed');
  return {
    ...shop,
    operation: need?.operation ?? '',
    id: (await orders.get('order-1')).refunds[0]?.id ?? '',
    need,
  };
}

it('says how much of a refund that failed is left, and gives that back again', async () => {
  const { orders, need, id } = await canceled();
  expect(need).toMatchObject({ money: { amount: 900 }, detail: 'REFUND_EXCEEDS_CHARGE' });
  const view = await orders.retryRefund('order-1', id);
  expect(sumsOf(view)).toMatchObject({ paid: 1200, refunding: 1200 });
  expect(view.needs.map(({ kind }) => kind)).toEqual(['refunded_elsewhere']);
});

it('takes the refund of what was left that a person made', async () => {
  const shop = await canceled();
  const made = await refundElsewhere(shop, 900);
  const view = await shop.orders.resolve('order-1', shop.operation, made);
  expect(sumsOf(view)).toMatchObject({ paid: 1200, refunding: 1200 });
});

it('lowers a planned refund of what was too much to what is left, if none was sent', async () => {
  const { orders, sandbox, pageOf, deliver } = openShop();
  const { session } = await pageOf();
  await orders.sell('order-1', { ccnumber: testCards.fullMatch.number, ccexp: '1230' });
  sandbox.pay(session);
  sandbox.faults.inject({ kind: 'refuse_connection', operation: 'transact.refund', times: 9 });
  await deliver('checkout.session.completed', session).catch(() => undefined);
  sandbox.faults.clear();
  const [sale] = sandbox.transactions;
  sandbox.trigger('chargeback.received', { transaction_id: sale?.id ?? '', amount: '5.00' });
  await deliver('chargeback.received');
  const { refunds, needs } = await orders.get('order-1');
  expect(refunds).toMatchObject([{ why: 'extra', status: 'succeeded', money: { amount: 700 } }]);
  expect(needs.map(({ kind }) => kind)).toEqual(['chargeback']);
});

it('does not ship what failed to go back in full, until a person decides', async () => {
  const shop = openBrokenShop();
  const { orders, pay, sandbox, deliver, shipped, mend } = shop;
  await pay().catch(() => undefined);
  await orders.refund('order-1', usd(1200)).catch(() => undefined);
  mend();
  const reference = (await orders.get('order-1')).refunds[0]?.reference ?? '';
  sandbox.update('refund', reference, { status: 'failed', failure_message: 'already_refunded' });
  await deliver('refund.failed', reference);
  await sandbox.clock.advance('1 day');
  await orders.resume();
  expect(shipped).toEqual([]);
  const { operation } = await onlyNeed(shop, 'refund_failed');
  await orders.resolve('order-1', operation, null);
  expect(shipped).toEqual(['order-1']);
});

it('ships what is paid, though a return of another payment failed that a bank took back', async () => {
  const shop = openBrokenShop();
  const { orders, row, sandbox, pageOf, deliver, shipped, mend } = shop;
  const first = await pageOf();
  row.cups = 2;
  sandbox.pay(first.session);
  await orders.refresh('order-1');
  sandbox.pay((await pageOf()).session);
  await orders.refresh('order-1').catch(() => undefined);
  sandbox.faults.inject({ kind: 'respond', operation: 'refunds.create', status: 422, body: {} });
  await orders.refund('order-1', usd(1200)).catch(() => undefined);
  const [one] = (await orders.get('order-1')).payments;
  sandbox.trigger('chargeback.received', { transaction_id: one?.intent ?? '', amount: '12.00' });
  await deliver('chargeback.received').catch(() => undefined);
  mend();
  await sandbox.clock.advance('1 day');
  await orders.resume();
  expect(shipped).toEqual(['order-1']);
});

it('takes no late event of a refund that failed for another refund', async () => {
  const shop = openShop();
  const { orders, sandbox, pay, deliver } = shop;
  await pay();
  await orders.refund('order-1', usd(1200));
  const reference = (await orders.get('order-1')).refunds[0]?.reference ?? '';
  sandbox.update('refund', reference, { status: 'failed', failure_message: 'already_refunded' });
  const { updated_at: at } = sandbox.get('refund', reference) ?? { updated_at: 0 };
  await deliver('refund.failed', reference);
  const { operation } = await onlyNeed(shop, 'refund_failed');
  await orders.resolve('order-1', operation, 'wire-7');
  await deliver('refund.created', reference, { status: 'succeeded', updated_at: at - 1 });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 1200 });
  expect(await all(orders.needs())).toEqual([]);
  await deliver('refund.created', reference, { status: 'succeeded', updated_at: at + 1 });
  await onlyNeed(shop, 'refunded_elsewhere');
});

it('retries what of a return over two payments is left', async () => {
  const { orders, row, sandbox, pageOf, deliver } = openShop();
  const first = await pageOf();
  row.cups = 2;
  sandbox.pay(first.session);
  await orders.refresh('order-1');
  sandbox.pay((await pageOf()).session);
  await orders.refresh('order-1');
  sandbox.faults.inject({
    kind: 'respond',
    operation: 'refunds.create',
    status: 422,
    body: { error: { code: 'NO' } },
    times: 2,
  });
  await orders.refund('order-1', usd(2400));
  const [one] = (await orders.get('order-1')).payments;
  sandbox.trigger('chargeback.received', { transaction_id: one?.intent ?? '', amount: '12.00' });
  await deliver('chargeback.received');
  expect((await orders.retryRefund('order-1', 'return-1')).refunding.amount).toBe(1200);
  expect(await codeOf(orders.retryRefund('order-1', 'return-1'))).toBe('ORDER_REFUND_REFUSED');
});
