/** What another process does between any two accesses of a call to the store: nothing happens twice, and nothing is lost. */

import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { everyNth } from '../support/size.ts';
import { gatedStore, interruptAt } from './gated-store.ts';
import { openShop, type Shop } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const back = { id: 'return-1', amount: 500, currency: 'USD' };

type Act = (shop: Shop) => Promise<unknown>;

/** Runs a call again and again, interrupted before another access each time, until it has no more accesses. */
async function atEachAccess(
  before: Act,
  call: Act,
  act: Act,
  check: (shop: Shop, step: string) => Promise<void>,
): Promise<void> {
  for (let step = 1; ; step += 1) {
    const gated = gatedStore();
    const shop = openShop({ store: gated.store });
    await before(shop);
    shop.sent();
    const count = interruptAt(gated, step, () => act(shop));
    await call(shop);
    const accesses = count();
    await shop.orders.refresh('order-1');
    await check(shop, `access ${step} of ${accesses}`);
    if (step >= accesses) return;
  }
}

const open: Act = async ({ pageOf, sandbox }) => sandbox.pay((await pageOf()).session);
const create: Act = ({ orders }) => orders.get('order-1');
const refresh: Act = ({ orders }) => orders.refresh('order-1');
const capture: Act = ({ orders }) => orders.capture('order-1');
const refund: Act = ({ orders }) => orders.refund('order-1', back);
const cancel: Act = ({ orders }) => orders.cancel('order-1');
const authorize = {
  intent: ({ orders }: Shop) => orders.charge('order-1', 'pm_1', { capture: false }),
  sale: ({ orders }: Shop) => orders.sell('order-1', card, { capture: false }),
} as const;
const pay = {
  intent: ({ orders }: Shop) => orders.charge('order-1', 'pm_1'),
  sale: ({ orders }: Shop) => orders.sell('order-1', card),
} as const;
const kinds = ['intent', 'sale'] as const;

it('ships once', async () => {
  await atEachAccess(open, refresh, refresh, async ({ orders, shipped }, step) => {
    expect([step, (await orders.get('order-1')).state]).toEqual([step, 'paid']);
    expect([step, shipped]).toEqual([step, ['order-1 for 1200 USD']]);
  });
});

it.each(everyNth(kinds, 2, 1))('captures an authorized %s once', async (by) => {
  const method = by === 'intent' ? 'paymentIntents.capture' : 'transact.capture';
  await atEachAccess(authorize[by], capture, capture, async ({ orders, keysOf, shipped }, step) => {
    const { state, paid, needs } = await orders.get('order-1');
    expect([step, state, paid.amount, needs, shipped.length]).toEqual([step, 'paid', 1200, [], 1]);
    // The service executes a key once. The form endpoint has none.
    const keys = keysOf(method);
    expect([step, by === 'intent' ? new Set(keys).size : keys.length]).toEqual([step, 1]);
  });
});

it.each(everyNth(kinds, 2, 0))('captures an authorized %s, or cancels its order', async (by) => {
  const states = new Set<string>();
  await atEachAccess(authorize[by], capture, cancel, async ({ orders, shipped }, step) => {
    const { state, paid, refunding, refunded, needs } = await orders.get('order-1');
    states.add(state);
    const kept = paid.amount - refunding.amount - refunded.amount;
    const expected = state === 'paid' ? [step, 1200, [], 1] : [step, 0, [], 0];
    expect([step, kept, needs, shipped.length]).toEqual(expected);
  });
  expect([...states].sort()).toEqual(['canceled', 'paid']);
});

it.each(everyNth(kinds, 2, 1))(
  'charges a new %s once, or gives its money back to a canceled order',
  async (by) => {
    for (const act of [pay[by], pay.intent, cancel])
      await atEachAccess(create, pay[by], act, async ({ orders, payments, sandbox, shipped, sent }, step) => {
        const { state, paid, refunding, refunded, needs } = await orders.get('order-1');
        const kept = paid.amount - refunding.amount - refunded.amount;
        const expected = state === 'canceled' ? [step, state, 0, [], 0] : [step, 'paid', 1200, [], 1];
        expect([step, state, kept, needs, shipped.length]).toEqual(expected);
        const taken = (await payments.charges.list()).items.length;
        const sold = sandbox.transactions.filter(({ type }) => type === 'sale').length;
        expect([step, paid.amount / 1200]).toEqual([step, taken + sold]);
        // Nothing is closed but what another kind of payment made needless.
        if (act === pay[by]) expect([step, ...sent()]).not.toContain('paymentIntents.cancel');
      });
  },
);

it.each(everyNth(kinds, 2, 0))('gives back of a paid %s once', async (by) => {
  await atEachAccess(pay[by], refund, refund, async ({ orders, payments, sandbox }, step) => {
    const { refunding, refunded, refunds, needs } = await orders.get('order-1');
    expect([step, refunding.amount + refunded.amount, refunds.length, needs]).toEqual([step, 500, 1, []]);
    const made = (await payments.refunds.list()).items.length + sandbox.transactions.length;
    expect([step, made]).toEqual([step, by === 'intent' ? 1 : 2]);
  });
});
