/** Which way to pay a call finds or makes, while other processes and edits of the row come in between. */

import type { OrderRow } from 'payments-client/orders';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { gatedStore } from './gated-store.ts';
import { codeOf, openShop, type Shop } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };

it('opens another page once the first has expired, where the service has no reads', async () => {
  // A lost creation could be repeated for longer.
  const { sandbox, pageOf } = openShop({ client: { keyLifetime: 1e9 } });
  const operation = 'checkoutSessions.retrieve';
  sandbox.faults.inject({ kind: 'respond', operation, status: 404, times: 9 });
  const { session } = await pageOf();
  const expiresAt = Number(sandbox.get('checkout_session', session)?.expires_at) * 1000;
  await sandbox.clock.advance(expiresAt - 1 - sandbox.clock.now());
  expect((await pageOf()).session).toBe(session);
  await sandbox.clock.advance(1);
  expect((await pageOf()).session).not.toBe(session);
});

it('opens another page while the service does not close the first', async () => {
  const { orders, sandbox, pageOf } = openShop();
  const { session } = await pageOf();
  sandbox.faults.inject({ kind: 'unavailable', operation: 'checkoutSessions.expire' });
  sandbox.faults.inject({ kind: 'unavailable', operation: 'checkoutSessions.retrieve' });
  await orders.charge('order-1', 'pm_card_declined');
  expect(sandbox.get('checkout_session', session)?.status).toBe('open');
  expect((await pageOf()).session).not.toBe(session);
});

it('names the lines of the row on a page of the whole order', async () => {
  const { payments, row, pageOf } = openShop();
  row.cups = 2;
  const { line_items } = await payments.checkoutSessions.retrieve((await pageOf()).session);
  expect(line_items).toMatchObject([{ name: 'Tea', amount: 1200, quantity: 2 }]);
});

it('says what is due instead of what the buyer agreed to', async () => {
  const { orders } = openShop();
  const due = { amount: 900, currency: 'USD' };
  await expect(orders.charge('order-1', 'pm_1', { due })).rejects.toMatchObject({
    code: 'ORDER_CHANGED',
    message:
      'order order-1: expected 900 USD to be due, in minor units, got 1200 USD. Show the buyer what is due. Nothing was sent.',
    outcome: 'not_executed',
  });
});

/** An order that was paid for one cup while its row asked for two, and asks for one again. */
async function paidByEdit() {
  const tea = (quantity: number): OrderRow => ({
    createdAt: 1,
    currency: 'usd',
    lines: [{ name: 'Tea', amount: 1200, quantity }],
  });
  let cups = 1;
  let onSecondRead = async (): Promise<unknown> => undefined;
  let reads = Number.NEGATIVE_INFINITY;
  const shop = openShop({
    order: async () => {
      reads += 1;
      if (reads === 2) await onSecondRead();
      return tea(cups);
    },
  });
  const { session } = await shop.pageOf();
  cups = 2;
  shop.sandbox.pay(session);
  await shop.orders.refresh('order-1');
  cups = 1;
  return {
    ...shop,
    edit: async () => {
      cups = 2;
    },
    /** Acts between the decision of the next call and that about the shipment. */
    meanwhile: (act: () => Promise<unknown>) => {
      reads = 0;
      onSecondRead = act;
    },
  };
}

it.each(['checkout', 'charge', 'sell'] as const)('%s ships what is paid by an edit', async (name) => {
  for (const [change, state, shipments] of [
    [undefined, 'paid', 1],
    ['edit', 'in_progress', 0],
    ['cancel', 'canceled', 0],
  ] as const) {
    const { orders, meanwhile, edit, shipped, sent } = await paidByEdit();
    if (change !== undefined) meanwhile(change === 'edit' ? edit : () => orders.cancel('order-1'));
    sent();
    const call = {
      checkout: () => orders.checkout('order-1'),
      charge: () => orders.charge('order-1', 'pm_1'),
      sell: () => orders.sell('order-1', card),
    }[name];
    expect(await call()).toEqual({ state });
    expect([sent().filter((method) => method !== 'refunds.create'), shipped.length]).toEqual([[], shipments]);
  }
});

/** Another process checks the order out between the answer of a creation and its record. */
function checkoutMeanwhile({ store, gate }: ReturnType<typeof gatedStore>, before: (shop: Shop) => void) {
  const shop = openShop({ store });
  const { sent } = shop;
  const other = shop.restart();
  gate.beforeLoad = async () => {
    if (!sent().includes('checkoutSessions.create')) return;
    gate.beforeLoad = async () => undefined;
    before(shop);
    await other.checkout('order-1').catch(() => undefined);
  };
  return shop;
}

const refusal = {
  kind: 'respond',
  operation: 'checkoutSessions.create',
  status: 400,
  body: { error: { code: 'BAD' } },
} as const;

it('keeps the page of another process when its own creation was refused', async () => {
  const shop = checkoutMeanwhile(gatedStore(), () => undefined);
  shop.sandbox.faults.inject(refusal);
  expect(await codeOf(shop.orders.checkout('order-1'))).toBe('BAD');
  const { payments } = await shop.orders.get('order-1');
  expect(payments).toMatchObject([{ status: 'open' }]);
  expect((await shop.pageOf()).session).toBe(payments[0]?.reference);
});

it('keeps its page when the creation of another process was refused, and sells beside it', async () => {
  const shop = checkoutMeanwhile(gatedStore(), ({ sandbox }) => sandbox.faults.inject(refusal));
  const { orders, sandbox } = shop;
  const { session } = await shop.pageOf();
  expect((await orders.get('order-1')).payments).toMatchObject([{ status: 'open', reference: session }]);
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
  const { payments } = await orders.get('order-1');
  expect(payments.map(({ kind, status }) => [kind, status])).toEqual([
    ['page', 'expired'],
    ['sale', 'paid'],
  ]);
  expect(sandbox.get('checkout_session', session)?.status).toBe('expired');
});
