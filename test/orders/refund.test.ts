/** Returns: once, by the oldest payment first, and again after a failure. */

import type { Refund } from 'payments-client';
import type { OrderView } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number, id = 'return-1') => ({ id, amount, currency: 'USD' });
const refused = { status: 422, body: { error: { code: 'NO_REFUND' } } } as const;

async function refundsOf({ payments }: Shop): Promise<readonly Refund[]> {
  return (await payments.refunds.list()).items;
}

/** An order that was paid on its page. */
async function paid(options?: Parameters<typeof openShop>[0]): Promise<Shop & { readonly session: string }> {
  const shop = openShop(options);
  const session = await shop.pay();
  shop.sent();
  return { ...shop, session };
}

it('gives a return back once, whatever is repeated', async () => {
  const shop = await paid();
  const { orders, sandbox, deliver } = shop;
  for (const _ of [1, 2]) await orders.refund('order-1', usd(500));
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 1200, refunding: 500, refundable: 700 });
  const [refund] = await refundsOf(shop);
  sandbox.update('refund', refund?.id ?? '', { status: 'succeeded' });
  for (const _ of [1, 2]) await deliver('refund.succeeded');
  await orders.refund('order-1', { ...usd(500), currency: 'usd' });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 500, refundable: 700 });
  expect((await orders.get('order-1')).refunds).toEqual([
    {
      id: 'return-1',
      why: 'return',
      status: 'succeeded',
      money: { amount: 500, currency: 'USD' },
      reference: refund?.id,
      message: null,
    },
  ]);
  expect(await refundsOf(shop)).toMatchObject([{ amount: 500 }]);
});

it('refuses more than is refundable, another currency, and another amount of a known return', async () => {
  const { orders, sent } = await paid();
  for (const returned of [usd(1201), { ...usd(1), currency: 'EUR' }])
    expect(await codeOf(orders.refund('order-1', returned))).toBe('ORDER_REFUND_REFUSED');
  expect(sent()).toEqual([]);
  await orders.refund('order-1', usd(1200));
  for (const returned of [usd(1199), { ...usd(1200), currency: 'EUR' }, usd(1, 'return-2')])
    expect(await codeOf(orders.refund('order-1', returned))).toBe('ORDER_REFUND_REFUSED');
  expect(sent()).toEqual(['refunds.create']);
});

it('refuses to return money of an order that is not paid', async () => {
  const { orders, row, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  await expect(orders.refund('order-1', usd(100))).rejects.toThrow(/expected a paid order.*cancel it/);
});

it.each([
  undefined,
  { id: '', amount: 1, currency: 'USD' },
  { id: 'a', amount: 0, currency: 'USD' },
  { id: 'a', amount: 1.5, currency: 'USD' },
  { id: 'a', amount: 1 },
  { amount: 1, currency: 'USD' },
])('refuses %j as what is to be returned', async (returned) => {
  const { orders } = openShop();
  await expect(orders.refund('order-1', returned as never)).rejects.toThrow(
    /^refund: expected \{ id, amount/,
  );
});

it('repeats a refund whose answer was lost, with its key', async () => {
  const shop = await paid({ client: { keyLifetime: 3_600_000 } });
  const { orders, sandbox, keysOf } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('ECONNRESET');
  await sandbox.clock.advance('59 minutes');
  await orders.resume();
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 500 });
  const [first, second] = keysOf('refunds.create');
  expect(second).toBe(first);
  expect(await refundsOf(shop)).toHaveLength(1);
});

it('asks a person about a lost refund once its key is forgotten', async () => {
  const shop = await paid({ client: { keyLifetime: 3_600_000 } });
  const { orders, sandbox, keysOf } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.refund('order-1', usd(500)).catch(() => undefined);
  await sandbox.clock.advance('60 minutes');
  await orders.resume();
  expect(keysOf('refunds.create')).toHaveLength(1);
  expect(await onlyNeed(shop, 'refund_unknown')).toMatchObject({
    money: { amount: 500 },
    reference: shop.session,
  });
});

it('takes the refund of an event for the lost one of its amount', async () => {
  const shop = await paid({ client: { keyLifetime: 3_600_000 } });
  const { orders, sandbox, deliver } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.refund('order-1', usd(500)).catch(() => undefined);
  await sandbox.clock.advance('60 minutes');
  await deliver('refund.created');
  expect(await orders.get('order-1')).toMatchObject({
    needs: [],
    refunding: { amount: 500 },
    refunds: [{ why: 'return' }],
  });
});

it('says what the service refused, and gives it back again by another refund', async () => {
  const shop = await paid();
  const { orders, sandbox, keysOf, sent } = shop;
  sandbox.faults.inject({ kind: 'respond', ...refused });
  await orders.refund('order-1', usd(500));
  expect(await onlyNeed(shop, 'refund_failed')).toMatchObject({
    detail: 'NO_REFUND',
    money: { amount: 500 },
  });
  await orders.resume();
  expect(sent()).toEqual(['refunds.create']);
  const again = await orders.retryRefund('order-1', 'return-1');
  expect(sumsOf(again)).toMatchObject({ refunding: 500 });
  expect([again.needs, again.refunds.length]).toEqual([[], 1]);
  expect(new Set(keysOf('refunds.create')).size).toBe(2);
  expect(await codeOf(orders.retryRefund('order-1', 'return-1'))).toBe('ORDER_NOTHING_OPEN');
  await orders.refund('order-1', usd(500));
  expect(await refundsOf(shop)).toHaveLength(1);
});

it('does not give back again what another return took since', async () => {
  const { orders, sandbox } = await paid();
  sandbox.faults.inject({ kind: 'respond', ...refused });
  await orders.refund('order-1', usd(500));
  await orders.refund('order-1', usd(1200, 'return-2'));
  expect(await codeOf(orders.retryRefund('order-1', 'return-1'))).toBe('ORDER_REFUND_REFUSED');
});

it('says why a refund failed later, and ignores what is told of it after another took its place', async () => {
  const shop = await paid();
  const { orders, sandbox, deliver } = shop;
  await orders.refund('order-1', usd(500));
  const [first] = await refundsOf(shop);
  await sandbox.clock.advance('1 hour');
  sandbox.update('refund', first?.id ?? '', { status: 'failed', failure_message: 'already_refunded' });
  await deliver('refund.failed');
  expect(await onlyNeed(shop, 'refund_failed')).toMatchObject({ detail: 'already_refunded' });
  // It is of the time before.
  await deliver('refund.created');
  await onlyNeed(shop, 'refund_failed');
  await orders.retryRefund('order-1', 'return-1');
  await deliver('refund.failed', first?.id);
  const view = await orders.get('order-1');
  expect([view.needs, sumsOf(view)['refunding']]).toEqual([[], 500]);
});

it('sends a refund again that was refused for now', async () => {
  const shop = await paid();
  const { orders, sandbox, keysOf } = shop;
  sandbox.faults.inject({ kind: 'rate_limit' });
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('RATE_LIMITED');
  await orders.resume();
  const [first, second] = keysOf('refunds.create');
  expect(second).toBe(first);
  expect(await refundsOf(shop)).toHaveLength(1);
});

it('does not end a refund by a late refusal, since an earlier request of it may have been executed', async () => {
  const shop = await paid();
  const { orders, sandbox } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.refund('order-1', usd(500)).catch(() => undefined);
  sandbox.faults.inject({ kind: 'respond', ...refused });
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('NO_REFUND');
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 500, refundable: 700 });
  await orders.resume();
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(await refundsOf(shop)).toHaveLength(1);
});

it('refunds a sale by the form endpoint, once', async () => {
  const shop = openShop();
  const { orders, sandbox, sent } = shop;
  await orders.sell('order-1', card);
  await orders.refund('order-1', usd(500));
  const [sale, refund] = sandbox.transactions;
  expect(refund).toMatchObject({ type: 'refund', amount: '5.00', refundOf: sale?.id });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunded: 500, refundable: 700 });
  expect((await orders.get('order-1')).refunds).toMatchObject([{ reference: refund?.id }]);
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.refund('order-1', usd(300, 'return-2')))).toBe('ECONNRESET');
  // Its process may still be at it.
  expect((await orders.get('order-1')).needs).toEqual([]);
  await sandbox.clock.advance('3 minutes');
  await orders.resume();
  await orders.refund('order-1', usd(300, 'return-2'));
  await onlyNeed(shop, 'refund_unknown');
  expect(sent().filter((operation) => operation === 'transact.refund')).toHaveLength(2);
});

it.each([
  ['declined', { kind: 'respond', status: 200, body: 'response=2&responsetext=NO&transactionid=' }, 'failed'],
  ['never sent', { kind: 'refuse_connection' }, 'planned'],
] as const)('says of a refund of a sale that was %s that it is so', async (_name, fault, status) => {
  const { orders, sandbox } = openShop();
  await orders.sell('order-1', card);
  sandbox.faults.inject(fault);
  await orders.refund('order-1', usd(500)).catch(() => undefined);
  expect((await orders.get('order-1')).refunds).toMatchObject([{ status }]);
  await orders.resume();
  const { refunds } = await orders.get('order-1');
  expect(refunds).toMatchObject([{ status: status === 'planned' ? 'succeeded' : 'failed' }]);
});

/** An order of three cups that was paid by a page of one cup and one of two. */
async function paidTwice(): Promise<Shop & { readonly sessions: readonly string[] }> {
  const shop = openShop();
  const first = await shop.pageOf();
  shop.row.cups = 3;
  shop.sandbox.pay(first.session);
  await shop.orders.refresh('order-1');
  return { ...shop, sessions: [first.session, await shop.pay()] };
}

it('gives back of the oldest payment first', async () => {
  const shop = await paidTwice();
  await shop.orders.refund('order-1', usd(2000));
  const amounts = (await refundsOf(shop)).map(({ amount }) => amount);
  expect(amounts.sort()).toEqual([1200, 800].sort());
  expect(sumsOf(await shop.orders.get('order-1'))).toMatchObject({ refunding: 2000, refundable: 1600 });
});

it('counts a refund of another program against its own payment, unless it fails', async () => {
  const shop = await paidTwice();
  const { orders, payments, sandbox, deliver } = shop;
  const session = await payments.checkoutSessions.retrieve(shop.sessions[0] as `cs_${string}`);
  const other = await payments.refunds.create(
    { payment_intent_id: session.payment_intent_id as `pi_${string}`, amount: 400 },
    { operationId: 'by-hand' },
  );
  await deliver('refund.created');
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 400, refundable: 3200 });
  await orders.refund('order-1', usd(2000));
  const own = (await refundsOf(shop)).filter(({ id }) => id !== other.id);
  expect(own.map(({ amount }) => amount).sort()).toEqual([1200, 800]);
  sandbox.update('refund', other.id, { status: 'failed' });
  await deliver('refund.failed', other.id);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 2000, refundable: 1600 });
  expect((await orders.get('order-1')).needs).toEqual([]);
});

it('does not give money back that a bank has taken since the refund was planned', async () => {
  const { sandbox, orders, pay, sent } = openShop();
  await pay();
  sandbox.faults.inject({ kind: 'rate_limit', retryAfter: 0, times: 9 });
  await orders.refund('order-1', { id: 'r', amount: 1200, currency: 'usd' }).catch(() => undefined);
  sandbox.faults.clear();
  const [payment] = (await orders.get('order-1')).payments;
  const notice = {
    chargeback_id: 'cb_1',
    transaction_id: payment?.intent,
    amount: '12.00',
    reason_code: '10.4',
  };
  sent();
  await orders.on['chargeback.received'](
    anything({
      type: 'chargeback.received',
      data: { object: { ...notice, reason: '', due_date: '2027-01-01' } },
    }),
  );
  expect(sent()).toEqual([]);
  const kinds = ({ needs }: OrderView) => needs.map(({ kind }) => kind);
  expect(kinds(await orders.get('order-1'))).toEqual(['chargeback']);
  expect(await codeOf(orders.retryRefund('order-1', 'r'))).toBe('ORDER_REFUND_REFUSED');
  expect(kinds(await orders.resolve('order-1', 'cb_1', null))).toEqual(['refund_failed']);
  expect((await orders.retryRefund('order-1', 'r')).refunding.amount).toBe(1200);
});

it('reads a return once, inherited fields too', async () => {
  const { orders, pay } = openShop();
  await pay();
  class Return {
    id = 'r';
    currency = 'usd';
    get amount() {
      return 500;
    }
  }
  expect((await orders.refund('order-1', new Return())).refunds).toMatchObject([{ money: { amount: 500 } }]);
});
