/** What a capture took: as the service says it, once, late, or never. */

import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { gatedStore, interruptAt } from './gated-store.ts';
import { codeOf, onlyNeed, openShop, type Shop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const later = { capture: false } as const;
const refusal = { kind: 'respond', operation: 'paymentIntents.capture', status: 422, body: {} } as const;

/** An order of some cups whose money an intent holds. */
async function authorized(cups: number, options?: Parameters<typeof openShop>[0]): Promise<Shop> {
  const shop = openShop(options);
  shop.row.cups = cups;
  await shop.orders.charge('order-1', 'pm_1', later);
  shop.sent();
  return shop;
}

async function intentOf({ orders }: Shop) {
  const { payments } = await orders.get('order-1');
  return payments.find(({ kind }) => kind === 'intent')?.reference as `pi_${string}`;
}

it('takes only what is due from the card', async () => {
  const shop = await authorized(3);
  shop.row.cups = 2;
  expect(await shop.orders.capture('order-1')).toEqual({ state: 'paid' });
  expect((await shop.payments.charges.list()).items.map(({ amount }) => amount)).toEqual([2400]);
});

it('repeats a lost capture with its amount, until the service forgets its key, counted from the first', async () => {
  const shop = await authorized(3, { client: { keyLifetime: 3_600_000 } });
  const { orders, row, sandbox, keysOf, sent } = shop;
  const lost = { kind: 'drop_request', operation: 'paymentIntents.capture', times: 9 } as const;
  sandbox.faults.inject(lost);
  row.cups = 2;
  await orders.capture('order-1').catch(() => undefined);
  expect(sent()).not.toContain('paymentIntents.retrieve');
  row.cups = 1;
  await sandbox.clock.advance('59 minutes');
  await orders.refresh('order-1').catch(() => undefined);
  const { length } = keysOf('paymentIntents.capture');
  expect(length).toBeGreaterThan(1);
  await sandbox.clock.advance('1 minute');
  await orders.refresh('order-1');
  expect(keysOf('paymentIntents.capture')).toHaveLength(length);
  expect((await onlyNeed(shop, 'capture_unknown')).money.amount).toBe(2400);
});

it('says authorized, and throws nothing, when the form endpoint declines a capture', async () => {
  const { orders, sandbox } = openShop();
  await orders.sell('order-1', card, later);
  const body = 'response=2&responsetext=DECLINED&transactionid=';
  sandbox.faults.inject({ kind: 'respond', operation: 'transact.capture', status: 200, body });
  expect(await orders.capture('order-1')).toEqual({ state: 'authorized' });
});

it('does not count a sale that was voided before the answer of its capture came', async () => {
  const gated = gatedStore();
  const { orders, sandbox, sent, shipped } = openShop({ store: gated.store });
  await orders.sell('order-1', card, later);
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'transact.capture' });
  const capturing = orders.capture('order-1');
  await hold.reached;
  interruptAt(gated, 1, async () => {
    await sandbox.clock.advance('3 minutes');
    await orders.cancel('order-1');
  });
  hold.release();
  expect(await capturing).toEqual({ state: 'canceled' });
  expect(sent()).toEqual(['transact.auth', 'transact.capture', 'transact.void']);
  expect(sandbox.transactions.map(({ status }) => status)).toEqual(['voided']);
  expect(sumsOf(await orders.get('order-1'))).toEqual({ state: 'canceled', total: 1200 });
  expect(shipped).toEqual([]);
});

it('ships what was captured, when the first onPaid after it failed', async () => {
  let isBroken = true;
  const { orders, sent } = await authorized(1, {
    onPaid: () => {
      if (isBroken) throw new RangeError('no stock');
    },
  });
  expect(await codeOf(orders.capture('order-1'))).toBe('RangeError');
  isBroken = false;
  expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
  expect(sent()).toEqual(['paymentIntents.capture']);
});

it('throws the refusal of a capture, also if the service then says nothing of the intent', async () => {
  const shop = await authorized(1);
  const { orders, sandbox } = shop;
  sandbox.faults.inject({ ...refusal, body: { error: { code: 'NO' } } });
  sandbox.faults.inject({ kind: 'unavailable', operation: 'paymentIntents.retrieve', times: 9 });
  expect(await codeOf(orders.capture('order-1'))).toBe('NO');
  await onlyNeed(shop, 'hold_refused');
});

/** An order of three cups: a page paid one, another program captured one of the two that an intent held. */
async function capturedElsewhere(): Promise<Shop> {
  const shop = openShop();
  const { orders, row, sandbox, payments, sent } = shop;
  const { session } = await shop.pageOf();
  row.cups = 3;
  sandbox.pay(session);
  await orders.refresh('order-1');
  await orders.charge('order-1', 'pm_1', later);
  await payments.paymentIntents.capture(await intentOf(shop), { amount: 1000 }, { operationId: 'by-hand' });
  sent();
  return shop;
}

it('reads once how much another program captured, of that intent alone', async () => {
  const shop = await capturedElsewhere();
  const { orders, deliver, sent } = shop;
  await deliver('payment_intent.succeeded', await intentOf(shop));
  expect(sent()).toEqual(['charges.retrieve']);
  const { payments } = await orders.refresh('order-1');
  expect(payments.map(({ paid }) => paid?.amount)).toEqual([1200, 1000]);
  expect(sent()).toEqual([]);
});

it('counts the amount of the intent where the service has no reads of charges', async () => {
  const shop = await capturedElsewhere();
  const { orders, deliver, sandbox, shipped } = shop;
  sandbox.faults.inject({ kind: 'respond', operation: 'charges.retrieve', status: 404, times: 9 });
  await deliver('payment_intent.succeeded', await intentOf(shop));
  expect((await orders.get('order-1')).payments.map(({ paid }) => paid?.amount)).toEqual([1200, 2400]);
  expect(shipped).toEqual(['order-1 for 3600 USD']);
});
