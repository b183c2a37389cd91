/** What the service answers to a refund: refusals, repeats, and what changed since it was sent. */

import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { gatedStore } from './gated-store.ts';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number) => ({ id: 'return-1', amount, currency: 'USD' });
const refused = { status: 422, body: { error: { code: 'NO_REFUND' } } } as const;

/** An order that was paid on its page, or by the form endpoint. */
async function paid(by: 'page' | 'sale', options?: Parameters<typeof openShop>[0]): Promise<Shop> {
  const shop = openShop(options);
  await (by === 'page' ? shop.pay() : shop.orders.sell('order-1', card));
  shop.sent();
  return shop;
}

/** Lets the bank of the buyer take money back. */
async function takeBack({ orders }: Shop, amount: string): Promise<void> {
  const [payment] = (await orders.get('order-1')).payments;
  const object = {
    chargeback_id: 'cb_1',
    transaction_id: payment?.intent ?? payment?.reference,
    amount,
    reason_code: '10.4',
    reason: 'fraud',
    due_date: '2030-01-02',
  };
  await orders.on['chargeback.received'](anything({ type: 'chargeback.received', data: { object } }));
}

const kindsOf = async ({ orders }: Shop) => (await orders.get('order-1')).needs.map(({ kind }) => kind);

it('does not end a refund by a refusal of another process, while an earlier request may have been executed', async () => {
  const shop = await paid('page');
  const { orders, sandbox, payments, restart } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('ECONNRESET');
  const other = restart();
  sandbox.faults.inject({ kind: 'respond', ...refused });
  expect(await codeOf(other.refund('order-1', usd(500)))).toBe('NO_REFUND');
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ refunding: 500, refundable: 700 });
  expect(await kindsOf(shop)).toEqual([]);
  await other.resume();
  expect((await orders.get('order-1')).refunds).toMatchObject([{ status: 'pending' }]);
  expect((await payments.refunds.list()).items).toHaveLength(1);
});

it('ends a refund by a replayed refusal: it is that of the first request', async () => {
  const shop = await paid('page');
  const { orders, sandbox, payments, restart, keysOf } = shop;
  const [payment] = (await orders.get('order-1')).payments;
  const payment_intent_id = payment?.intent as `pi_${string}`;
  await payments.refunds.create({ payment_intent_id, amount: 1200 }, { operationId: 'by-hand' });
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.refund('order-1', usd(500)))).toBe('ECONNRESET');
  const other = restart();
  const view = await other.refund('order-1', usd(500));
  expect(view.needs).toMatchObject([{ kind: 'refund_failed' }]);
  await other.resume();
  const [, first, second, ...others] = keysOf('refunds.create');
  expect([second === first, others]).toEqual([true, []]);
});

it('repeats a lost refund, though a bank has taken money back since', async () => {
  const shop = await paid('page');
  const { orders, sandbox, keysOf } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.refund('order-1', usd(1200)).catch(() => undefined);
  sandbox.faults.inject({ kind: 'unavailable', operation: 'refunds.create' });
  await takeBack(shop, '12.00').catch(() => undefined);
  await orders.refresh('order-1');
  expect((await orders.get('order-1')).refunds).toMatchObject([{ status: 'pending' }]);
  expect(new Set(keysOf('refunds.create')).size).toBe(1);
});

it.each(['page', 'sale'] as const)(
  'sends no refund of a %s that was refused for now, once a bank has taken the money back',
  async (by) => {
    const shop = await paid(by);
    const { orders, sandbox, sent } = shop;
    sandbox.faults.inject({ kind: 'rate_limit', retryAfter: 0, times: 9 });
    await orders.refund('order-1', usd(1200)).catch(() => undefined);
    sandbox.faults.clear();
    sent();
    await takeBack(shop, '0.01');
    expect(sent()).toEqual([]);
    expect((await orders.get('order-1')).needs).toMatchObject([
      { kind: 'refund_failed', detail: 'NOT_LEFT' },
      { kind: 'chargeback' },
    ]);
  },
);

it.each([
  ['page', 'refunds.create', refused.status, refused.body],
  ['sale', 'transact.refund', 200, 'response=2&responsetext=NO&transactionid='],
] as const)(
  'ignores a refusal that comes after a person said that there is no refund of a %s',
  async (by, operation, status, body) => {
    const { store, gate } = gatedStore();
    const shop = await paid(by, { store, client: { keyLifetime: 3_600_000 } });
    const { orders, sandbox, sent } = shop;
    sandbox.faults.inject({ kind: 'respond', operation, status, body });
    gate.beforeLoad = async () => {
      if (!sent().includes(operation)) return;
      gate.beforeLoad = async () => undefined;
      await sandbox.clock.advance('1 hour');
      await orders.resolve('order-1', (await onlyNeed(shop, 'refund_unknown')).operation, null);
    };
    const view = await orders.refund('order-1', usd(500));
    expect(view.needs).toMatchObject([{ kind: 'refund_failed', detail: 'not_found' }]);
  },
);

it.each([
  [422, { error: { code: 'NOT_TODAY' } }, 'NOT_TODAY'],
  [400, 'no', 'BadRequestError'],
  [200, 'response=2&responsetext=NO&transactionid=', '2'],
] as const)('says why the form endpoint refused a refund: %i', async (status, body, detail) => {
  const shop = await paid('sale');
  const { orders, sandbox, sent } = shop;
  sandbox.faults.inject({ kind: 'respond', operation: 'transact.refund', status, body });
  expect((await orders.refund('order-1', usd(500))).needs).toMatchObject([{ kind: 'refund_failed', detail }]);
  await orders.resume();
  expect(sent()).toEqual(['transact.refund']);
});
