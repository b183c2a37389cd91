/** What a person may name in `resolve`, and what is refused: of the wrong need, another payment, another amount or currency. */

import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number, id = 'return-1') => ({ id, amount, currency: 'USD' });
const lost = { kind: 'drop_reply' } as const;
const short = { client: { keyLifetime: 1000 } } as const;

async function refused({ sandbox }: Shop, call: () => Promise<unknown>): Promise<void> {
  sandbox.faults.inject({ kind: 'respond', status: 422, body: { error: { code: 'NO' } } });
  await call().catch(() => undefined);
}

async function lose({ sandbox }: Shop, call: () => Promise<unknown>): Promise<void> {
  sandbox.faults.inject(lost);
  expect(await codeOf(call())).toBe('ECONNRESET');
}

/** Loses the answer of a return, whose key is then forgotten. Returns its operation and its refund. */
async function loseReturn(shop: Shop, amount: number, id: string) {
  await lose(shop, () => shop.orders.refund('order-1', usd(amount, id)));
  await shop.sandbox.clock.advance(1000);
  const needs = (await shop.orders.get('order-1')).needs.filter(({ kind }) => kind === 'refund_unknown');
  const { items } = await shop.payments.refunds.list();
  const refund = items.find((one) => one.amount === amount);
  return { operation: needs.at(-1)?.operation ?? '', refund: refund?.id ?? '' };
}

async function refundBySomebody({ orders, payments, deliver }: Shop, amount: number): Promise<string> {
  const [payment] = (await orders.get('order-1')).payments;
  const payment_intent_id = payment?.intent as `pi_${string}`;
  const { id } = await payments.refunds.create({ payment_intent_id, amount }, { operationId: `${amount}` });
  await deliver('refund.created', id);
  return id;
}

const cases: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  payment_unknown: (shop) => lose(shop, () => shop.orders.sell('order-1', card)),
  capture_unknown: async (shop) => {
    await shop.orders.sell('order-1', card, { capture: false });
    await lose(shop, () => shop.orders.capture('order-1'));
  },
  hold_refused: async (shop) => {
    await shop.orders.charge('order-1', 'pm_1', { capture: false });
    await refused(shop, () => shop.orders.capture('order-1'));
  },
  refund_unknown: async (shop) => {
    await shop.pay();
    await loseReturn(shop, 500, 'return-1');
  },
  refund_failed: async (shop) => {
    await shop.pay();
    await refused(shop, () => shop.orders.refund('order-1', usd(500)));
  },
  refunded_elsewhere: async (shop) => {
    await shop.pay();
    await refundBySomebody(shop, 500);
  },
  chargeback: async (shop) => {
    await shop.orders.sell('order-1', card);
    shop.sandbox.trigger('chargeback.received', { chargeback_id: 'cb_1' });
    await shop.deliver('chargeback.received');
  },
};

it.each(Object.entries(cases))('takes nothing about another operation for %s', async (kind, open) => {
  const shop = openShop(short);
  await open(shop);
  const before = await shop.orders.get('order-1');
  expect(before.needs.map((need) => need.kind)).toEqual([kind]);
  for (const found of [null, 'found'])
    await expect(shop.orders.resolve('order-1', 'another', found)).rejects.toMatchObject({
      code: 'ORDER_NOTHING_OPEN',
      message:
        'resolve: expected the operation of a need of order order-1, got "another". Nothing was changed.',
      outcome: 'not_executed',
    });
  expect(await shop.orders.get('order-1')).toEqual(before);
});

it('says that a sale was declined, and that held money is still held, if a person found none', async () => {
  const sold = openShop();
  await cases['payment_unknown']?.(sold);
  const unknown = await onlyNeed(sold, 'payment_unknown');
  const { payments } = await sold.orders.resolve('order-1', unknown.operation, null);
  expect(payments).toMatchObject([{ status: 'declined', paid: null }]);
  const held = openShop();
  await cases['capture_unknown']?.(held);
  const capture = await onlyNeed(held, 'capture_unknown');
  const view = await held.orders.resolve('order-1', capture.operation, null);
  expect([view.state, view.paid.amount, held.shipped]).toEqual(['authorized', 0, []]);
});

it('does not read how much was taken, once a person said that a capture was executed', async () => {
  const shop = openShop(short);
  const { orders, sandbox, deliver, sent } = shop;
  await orders.charge('order-1', 'pm_1', { capture: false });
  await lose(shop, () => orders.capture('order-1'));
  await sandbox.clock.advance(1000);
  const { operation, reference } = await onlyNeed(shop, 'capture_unknown');
  expect((await orders.resolve('order-1', operation, reference)).state).toBe('paid');
  sent();
  await deliver('payment_intent.succeeded');
  expect(sent()).toEqual([]);
});

it.each(['transfer-7', '7-transfer', 'cash'])('takes one %s for two returns', async (found) => {
  const shop = openShop();
  const { orders, pay } = shop;
  await pay();
  for (const id of ['return-1', 'return-2']) {
    await refused(shop, () => orders.refund('order-1', usd(500, id)));
    const { operation } = await onlyNeed(shop, 'refund_failed');
    await orders.resolve('order-1', operation, found);
  }
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 1000, refundable: 200 });
});

it('refuses the transaction of another payment and of another refund of the order', async () => {
  const shop = openShop();
  const { orders, row, sandbox, pageOf } = shop;
  await orders.sell('order-1', card);
  await orders.refund('order-1', usd(500));
  const before = await orders.get('order-1');
  await refused(shop, () => orders.refund('order-1', usd(500, 'return-2')));
  const { operation } = await onlyNeed(shop, 'refund_failed');
  for (const id of [before.refunds[0]?.reference ?? '', before.payments[0]?.reference ?? ''])
    await expect(orders.resolve('order-1', operation, id)).rejects.toMatchObject({
      code: 'ORDER_MISMATCH',
      message: `resolve: expected the id of what the need is about, got "${id}", which the order knows as something else. Nothing was changed.`,
    });
  row.createdAt = 2;
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  await lose(shop, () => orders.sell('order-1', card));
  const unknown = (await orders.get('order-1')).needs.find(({ kind }) => kind === 'payment_unknown');
  expect(await codeOf(orders.resolve('order-1', unknown?.operation ?? '', session))).toBe('ORDER_MISMATCH');
  const foreign = before.payments[0]?.reference ?? '';
  await expect(orders.resolve('order-1', unknown?.operation ?? '', foreign)).rejects.toThrow(
    `got "${foreign}", which belongs to another order. Nothing was changed.`,
  );
});

it('takes the refund of the second of two lost returns for the second', async () => {
  const shop = openShop(short);
  await shop.pay();
  await loseReturn(shop, 500, 'return-1');
  const { operation, refund } = await loseReturn(shop, 300, 'return-2');
  const { refunds } = await shop.orders.resolve('order-1', operation, refund);
  expect(refunds.map(({ id, reference }) => [id, reference])).toEqual([
    ['return-1', null],
    ['return-2', refund],
  ]);
});

it('refuses a refund of another currency', async () => {
  const shop = openShop(short);
  const { orders, sandbox } = shop;
  await shop.pay();
  const { operation, refund } = await loseReturn(shop, 500, 'return-1');
  const body = { ...sandbox.get('refund', refund), currency: 'EUR' };
  sandbox.faults.inject({ kind: 'respond', operation: 'refunds.retrieve', status: 200, body });
  expect(await codeOf(orders.resolve('order-1', operation, refund))).toBe('ORDER_MISMATCH');
  expect((await orders.resolve('order-1', operation, refund)).needs).toEqual([]);
});

it('knows a refund by its event where the service has no reads', async () => {
  const shop = openShop(short);
  const { orders, sandbox, pay } = shop;
  await pay();
  const others = [await refundBySomebody(shop, 100), await refundBySomebody(shop, 200)];
  for (const id of others) await orders.resolve('order-1', id, null);
  await lose(shop, () => orders.refund('order-1', usd(200)));
  await sandbox.clock.advance(1000);
  for (const operation of ['refunds.retrieve', 'refunds.list'] as const)
    sandbox.faults.inject({ kind: 'respond', operation, status: 404, times: 99 });
  const { operation } = await onlyNeed(shop, 'refund_unknown');
  expect(await codeOf(orders.resolve('order-1', operation, others[0] ?? ''))).toBe('ORDER_MISMATCH');
  const view = await orders.resolve('order-1', operation, others[1] ?? '');
  expect(view.refunds.map(({ why, reference }) => [why, reference])).toEqual([
    ['return', others[1]],
    ['elsewhere', others[0]],
  ]);
});

it.each([
  ['none', 'approved'],
  ['it', 'PaymentsError'],
  ['that of another payment', 'OperationUnresolvedError'],
] as const)('closes a sale in the journal as a person found it: %s', async (found, expected) => {
  const shop = openShop({ client: { journal: createJournal({ store: memoryStore() }) } });
  const { orders, payments, row, sandbox, pageOf } = shop;
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  await cases['payment_unknown']?.(shop);
  const [, sale] = (await orders.get('order-1')).payments;
  const operation = sale?.operation ?? '';
  const ids = { none: null, it: sandbox.transactions[0]?.id ?? '', 'that of another payment': session };
  await orders.resolve('order-1', operation, ids[found]).catch(() => undefined);
  const operationId = `orders:tea-shop-test/order/order-1@1/${operation}`;
  const again = payments.transact.sale({ ...card, orderid: 'order-1', amount: '12.00' }, { operationId });
  const end = again.then(({ approved }) => (approved ? 'approved' : 'declined'));
  expect(await end.catch(({ name }) => name)).toBe(expected);
});
