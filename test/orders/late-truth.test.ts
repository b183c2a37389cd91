/** What is known late, or from somebody else, counts as the service says it. */

import type { OrderRow } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { all, codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const later = { capture: false } as const;
const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number) => ({ id: 'return-1', amount, currency: 'USD' });

const referenceOf = async ({ orders }: Shop) =>
  (await orders.get('order-1')).payments[0]?.reference as `pi_${string}`;

/** An order of two cups whose money is held, and whose capture never arrived. */
async function lostCapture(options: Parameters<typeof openShop>[0] = {}) {
  const shop = openShop(options);
  shop.row.cups = 2;
  await shop.orders.charge('order-1', 'pm_1', later);
  shop.sandbox.faults.inject({ kind: 'drop_request', times: 9 });
  await shop.orders.capture('order-1').catch(() => undefined);
  shop.sandbox.faults.clear();
  shop.sent();
  return shop;
}

it.each([
  ['less', 500, { state: 'part_paid', total: 2400, paid: 500, due: 1900 }],
  ['all', 2400, { state: 'paid', total: 2400, paid: 2400, refundable: 2400 }],
] as const)('counts what the panel took after a lost capture: %s', async (_name, amount, sums) => {
  const shop = await lostCapture();
  const { orders, payments, shipped } = shop;
  await payments.paymentIntents.capture(await referenceOf(shop), { amount }, { operationId: 'panel' });
  expect(sumsOf(await orders.refresh('order-1'))).toEqual(sums);
  expect(shipped).toHaveLength(sums.state === 'paid' ? 1 : 0);
});

it('counts what the panel took, though a person found no capture', async () => {
  const shop = await lostCapture({ client: { keyLifetime: 3_600_000 } });
  const { orders, payments, sandbox } = shop;
  await sandbox.clock.advance('1 hour');
  const { operation } = await onlyNeed(shop, 'capture_unknown');
  await payments.paymentIntents.capture(await referenceOf(shop), { amount: 500 }, { operationId: 'panel' });
  const view = await orders.resolve('order-1', operation, null);
  expect(sumsOf(view)).toMatchObject({ state: 'part_paid', paid: 500 });
});

it.each([
  ['intent', 'planned'],
  ['intent', 'lost'],
  ['sale', 'planned'],
] as const)(
  'takes nothing of an %s for an order that ended meanwhile; its capture is %s',
  async (by, how) => {
    for (const end of ['edited', 'gone', 'canceled'] as const) {
      const table = {
        row: { createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] },
      };
      let row: OrderRow | undefined = table.row;
      const { orders, sandbox, sent } = openShop({ order: () => row });
      if (by === 'intent') await orders.charge('order-1', 'pm_1', later);
      else await orders.sell('order-1', card, later);
      sandbox.faults.inject({ kind: how === 'planned' ? 'refuse_connection' : 'drop_request', times: 9 });
      await orders.capture('order-1').catch(() => undefined);
      sandbox.faults.clear();
      const view = await orders.get('order-1');
      if (end === 'edited') row = { ...table.row, currency: 'eur' };
      if (end === 'gone') row = undefined;
      sent();
      if (end === 'edited') expect((await orders.checkout('order-1')).state).toBe('open');
      if (end === 'canceled') await orders.cancel('order-1');
      await sandbox.clock.advance('1 hour');
      await orders.resume();
      expect(sent().filter((method) => /capture|refund/.test(String(method)))).toEqual([]);
      if (end === 'gone')
        expect((await all(orders.needs()))[0]?.needs).toMatchObject([{ kind: 'row_missing' }]);
      else expect((await orders.get(view)).payments[0]?.status).toBe('expired');
    }
  },
);

it('takes what is due by the row as it is then, whoever continues a capture', async () => {
  const { orders, sandbox, row, payments } = openShop();
  row.cups = 3;
  await orders.charge('order-1', 'pm_1', later);
  sandbox.faults.inject({ kind: 'refuse_connection', times: 9 });
  await orders.capture('order-1').catch(() => undefined);
  sandbox.faults.clear();
  row.cups = 1;
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect((await payments.charges.list()).items.map(({ amount }) => amount)).toEqual([1200]);
});

it('believes the service about an unknown card, and not its reference alone', async () => {
  const shop = openShop();
  const { orders, sandbox, shipped } = shop;
  sandbox.faults.inject({ kind: 'drop_request', operation: 'paymentIntents.confirm', times: 9 });
  await orders.charge('order-1', 'pm_1').catch(() => undefined);
  sandbox.faults.clear();
  sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.retrieve', status: 404, times: 99 });
  await sandbox.clock.advance('9 days');
  await orders.resume();
  const { operation, reference } = await onlyNeed(shop, 'payment_unknown');
  sandbox.faults.clear();
  expect(await codeOf(orders.resolve('order-1', operation, reference))).toBe('ORDER_MISMATCH');
  expect(shipped).toEqual([]);
  expect((await orders.resolve('order-1', operation, null)).state).toBe('unpaid');
});

it('releases held money once more after a person found nothing taken', async () => {
  for (const by of ['intent', 'sale'] as const) {
    const { orders, sandbox } = openShop();
    if (by === 'intent') await orders.charge('order-1', 'pm_1', later);
    else await orders.sell('order-1', card, later);
    const body =
      by === 'intent' ? { error: { code: 'NO' } } : 'response=2&responsetext=DECLINED&transactionid=';
    sandbox.faults.inject({ kind: 'respond', status: by === 'intent' ? 422 : 200, body });
    const { needs, payments } = await orders.cancel('order-1');
    await orders.resolve('order-1', needs[0]?.operation ?? '', null);
    const status =
      sandbox.transactions[0]?.status ?? sandbox.get('payment_intent', payments[0]?.reference ?? '')?.status;
    expect(status).toMatch(/canceled|voided/);
    expect((await orders.get('order-1')).needs).toEqual([]);
  }
});

it('releases held money though a page cannot be closed', async () => {
  const { orders, sandbox } = openShop();
  sandbox.faults.inject({ kind: 'drop_request', operation: 'checkoutSessions.create', times: 99 });
  await orders.checkout('order-1').catch(() => undefined);
  await orders.sell('order-1', card, later);
  await orders.cancel('order-1').catch(() => undefined);
  expect(sandbox.transactions[0]?.status).toBe('voided');
});

it('does not ship what was given back in full before onPaid succeeded', async () => {
  let row: OrderRow | undefined = {
    createdAt: 1,
    currency: 'usd',
    lines: [{ name: 'Tea', amount: 1200, quantity: 1 }],
  };
  const present = row;
  let fails = true;
  const shipped: string[] = [];
  const { orders, pay, sandbox } = openShop({
    order: () => row,
    onPaid: ({ id }) => {
      if (fails) throw new Error('down');
      shipped.push(id);
    },
  });
  await pay().catch(() => undefined);
  row = undefined;
  await orders.resume();
  const [paid] = await all(orders.needs());
  await orders.refund(paid ?? '', usd(1200));
  expect(await all(orders.needs())).toEqual([]);
  row = present;
  fails = false;
  await sandbox.clock.advance('1 day');
  expect(await orders.resume()).toEqual([]);
  expect(shipped).toEqual([]);
});

it('joins a chargeback of another charge of its intent, and refunds nothing of it', async () => {
  const shop = openShop();
  const { orders, sandbox, deliver, payments } = shop;
  await orders.charge('order-1', 'pm_1');
  const intent = await payments.paymentIntents.retrieve(await referenceOf(shop));
  const charge = await payments.charges.retrieve(intent.latest_charge_id as `ch_${string}`);
  sandbox.faults.inject({
    kind: 'respond',
    operation: 'charges.retrieve',
    status: 200,
    body: { ...charge, id: 'ch_other' },
  });
  sandbox.trigger('chargeback.received', { transaction_id: 'ch_other', amount: '12.00' });
  await deliver('chargeback.received');
  await onlyNeed(shop, 'chargeback');
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('ORDER_REFUND_REFUSED');
});

it('says that the rest of an order is held', async () => {
  const shop = openShop();
  const { session } = await shop.pageOf();
  shop.row.cups = 2;
  shop.sandbox.pay(session);
  await shop.orders.refresh('order-1');
  expect(await shop.orders.charge('order-1', 'pm_1', later)).toEqual({ state: 'authorized' });
  const view = await shop.orders.get('order-1');
  expect([view.state, view.due.amount, view.needs]).toEqual(['authorized', 1200, []]);
  expect(await shop.orders.capture('order-1')).toEqual({ state: 'paid' });
});

it.each(['no_payment_required', 'unpaid'])(
  'opens another page after one that is complete and %s',
  async (payment_status) => {
    const { orders, sandbox, pageOf } = openShop();
    const { session } = await pageOf();
    sandbox.update('checkout_session', session, {
      status: 'complete',
      payment_status: anything(payment_status),
    });
    const next = await pageOf();
    expect(next.session).not.toBe(session);
    expect((await orders.get('order-1')).needs).toEqual([]);
  },
);

it('counts a refund of the form endpoint that is approved after a person found none', async () => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-1', card);
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'transact.refund' });
  const refunding = orders.refund('order-1', usd(500));
  await hold.reached;
  await sandbox.clock.advance('3 minutes');
  await orders.resolve('order-1', (await onlyNeed(shop, 'refund_unknown')).operation, null);
  hold.release();
  await refunding;
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 500, refundable: 700 });
  expect(await codeOf(orders.retryRefund('order-1', 'return-1'))).toBe('ORDER_NOTHING_OPEN');
});

it('lists an order that moves while others are listed', async () => {
  const { orders, sandbox, deliver, payments } = openShop({
    order: () => ({ createdAt: 1, currency: 'usd', lines: [{ name: 'Tea', amount: 1200, quantity: 1 }] }),
  });
  const ids = Array.from({ length: 55 }, (_, index) => `order-${String(index).padStart(2, '0')}`);
  for (const id of ids) {
    await orders.charge(id, 'pm_1');
    const reference = (await orders.get(id)).payments[0]?.reference as `pi_${string}`;
    const { id: refund } = await payments.refunds.create(
      { payment_intent_id: reference, amount: 100 },
      { operationId: id },
    );
    sandbox.update('refund', refund, { status: 'succeeded' });
    await deliver('refund.succeeded', refund);
  }
  const listed: string[] = [];
  for await (const {
    id,
    payments: [payment],
  } of orders.needs()) {
    listed.push(id);
    if (listed.length > 1) continue;
    const last = (await orders.get('order-54')).payments[0]?.reference as `pi_${string}`;
    const { id: refund } = await payments.refunds.create(
      { payment_intent_id: last, amount: 50 },
      { operationId: 'last' },
    );
    await deliver('refund.created', refund);
    expect(payment?.status).toBe('paid');
  }
  expect(listed.toSorted()).toEqual(ids);
});

it.each([5n, 7, null, undefined])('refuses %s as a name of a return or of a need', async (value) => {
  const { orders } = openShop();
  const name = anything(value);
  expect(await codeOf(orders.retryRefund('order-1', name))).toBe('INVALID_CONFIGURATION');
  expect(await codeOf(orders.resolve('order-1', name, null))).toBe('INVALID_CONFIGURATION');
});
