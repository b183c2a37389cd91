/** A call that was never sent leaves nothing unknown, and is made once its cause is mended. */

import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { codeOf, openShop, type Shop } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };

/** A shop in yen, whose client cannot write their amounts. */
function inYen(): Shop {
  const shop = openShop({ saleCurrency: 'jpy', client: { formAmounts: 'two-decimals' } });
  shop.row.currency = 'jpy';
  return shop;
}

it('lets an order be paid on a page whose sale could not be written', async () => {
  const shop = inYen();
  const { orders, sent } = shop;
  expect(await codeOf(orders.sell('order-1', card))).toBe('INVALID_CONFIGURATION');
  expect(sent()).toEqual([]);
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect((await orders.checkout('order-1')).state).toBe('open');
});

it.each(['capture', 'refund'] as const)('repeats a %s once the security key is right', async (method) => {
  const shop = openShop();
  const { orders, sandbox } = shop;
  await orders.sell('order-1', card, { capture: method === 'refund' });
  const body = 'response=3&responsetext=Authentication Failed&response_code=300';
  sandbox.faults.inject({ kind: 'respond', status: 200, body });
  const act = () =>
    method === 'capture'
      ? orders.capture('order-1')
      : orders.refund('order-1', { id: 'return-1', amount: 500, currency: 'USD' });
  expect(await codeOf(act())).not.toBe('ECONNRESET');
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(await act()).toMatchObject({ state: 'paid' });
  expect((await orders.get('order-1')).refunded.amount).toBe(method === 'refund' ? 500 : 0);
});

it.each([401, 403])('repeats a refund of a page that was refused with %i', async (status) => {
  const { orders, sandbox, pay } = openShop();
  await pay();
  sandbox.faults.inject({ kind: 'respond', status, body: { error: { code: 'unauthorized' } } });
  const returned = { id: 'return-1', amount: 500, currency: 'USD' };
  await orders.refund('order-1', returned).catch(() => undefined);
  expect((await orders.get('order-1')).needs).toEqual([]);
  await sandbox.clock.advance('1 hour');
  expect(await orders.resume()).toEqual([]);
  expect((await orders.get('order-1')).refunding.amount).toBe(500);
});

it('lets an order be paid again if the journal failed before the sale', async () => {
  const store = memoryStore();
  const { claim } = store;
  let isDown = false;
  const failing: typeof claim = (...args) => (isDown ? Promise.reject(new Error('down')) : claim(...args));
  const journal = createJournal({ store: { ...store, claim: failing } });
  const { orders, sent } = openShop({ client: { journal } });
  isDown = true;
  await orders.sell('order-1', card).catch(() => undefined);
  isDown = false;
  expect(sent()).toEqual([]);
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
});

/** An order whose sale its client cannot send any more, of which its journal cannot tell either. */
async function atItsEnd(method: 'sell' | 'refund') {
  const shop = openShop({ client: { journal: createJournal({ store: memoryStore(), account: 'shop' }) } });
  if (method === 'refund') await shop.orders.sell('order-1', card);
  shop.sent();
  await shop.payments.close();
  return shop;
}

it('lets an order be paid whose sale came after the end of its client', async () => {
  const { orders, restart, sent } = await atItsEnd('sell');
  expect(await codeOf(orders.sell('order-1', card))).toBe('CLIENT_CLOSED');
  expect(sent()).toEqual([]);
  const next = restart();
  expect((await next.get('order-1')).needs).toEqual([]);
  expect(await next.sell('order-1', card)).toEqual({ state: 'paid' });
});

it('sends a refund in the next process that came after the end of a client, at once', async () => {
  const { orders, restart } = await atItsEnd('refund');
  const returned = { id: 'return-1', amount: 500, currency: 'USD' };
  expect(await codeOf(orders.refund('order-1', returned))).toBe('CLIENT_CLOSED');
  const [failed, ...others] = await orders.resume();
  expect([Object(failed?.error).code, others]).toEqual(['CLIENT_CLOSED', []]);
  const next = restart();
  expect(await next.resume()).toEqual([]);
  expect((await next.get('order-1')).refunded.amount).toBe(500);
});
