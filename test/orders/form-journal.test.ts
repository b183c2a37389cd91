/** The form endpoint: how its amounts are written, and how `resolve` closes its operations in the client's journal. */

import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { all, codeOf, openShop, type Shop } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const usd = (amount: number, id: string) => ({ id, amount, currency: 'USD' });

it('sells in a currency with two decimals where the form endpoint takes no other', async () => {
  const { orders, sandbox } = openShop({ client: { formAmounts: 'two-decimals' } });
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
  expect(sandbox.transactions).toMatchObject([{ amount: '12.00' }]);
  const other = openShop({ saleCurrency: 'JPY', client: { formAmounts: 'two-decimals' } });
  other.row.currency = 'jpy';
  await expect(other.orders.sell('order-1', card)).rejects.toThrow(
    "saleCurrency: expected a currency with two decimals, since the client's formAmounts are 'two-decimals', got 'JPY'. Nothing was sent.",
  );
});

async function lose({ sandbox }: Shop, call: () => Promise<unknown>): Promise<void> {
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(call())).toBe('ECONNRESET');
  await sandbox.clock.advance('3 min');
}

/** An order that a page paid in part, in a shop whose client has a journal. */
async function partPaid(store = memoryStore()) {
  const shop = openShop({ client: { journal: createJournal({ store }), keyLifetime: 60_000 } });
  const { orders, row, sandbox, pageOf, payments } = shop;
  const { session } = await pageOf();
  row.cups = 2;
  sandbox.pay(session);
  await orders.refresh('order-1');
  const open = async () => (await all(payments.journal.open())).map(({ operation }) => operation);
  const unknown = async () => {
    const { needs } = await orders.get('order-1');
    return needs.filter(({ kind }) => kind.endsWith('_unknown')).map(({ operation }) => operation ?? '');
  };
  return { ...shop, open, unknown };
}

it('closes each operation of an order in the journal, and no other', async () => {
  const shop = await partPaid();
  const { orders, sandbox, open, unknown } = shop;
  const last = () => sandbox.transactions.at(-1)?.id ?? '';
  await lose(shop, () => orders.sell('order-1', card, { capture: false }));
  expect(await open()).toEqual(['transact.auth']);
  await orders.resolve('order-1', (await unknown())[0] ?? '', last());
  expect(await open()).toEqual([]);
  await lose(shop, () => orders.capture('order-1'));
  expect(await open()).toEqual(['transact.capture']);
  await orders.resolve('order-1', (await unknown())[0] ?? '', last());
  expect(await open()).toEqual([]);
  // Of the page first, then of the sale.
  await orders.refund('order-1', usd(1200, 'return-1'));
  await lose(shop, () => orders.refund('order-1', usd(300, 'return-2')));
  await lose(shop, () => orders.refund('order-1', usd(200, 'return-3')));
  expect(await open()).toEqual(['transact.refund', 'transact.refund']);
  const [first = '', second = ''] = await unknown();
  await orders.resolve('order-1', second, last());
  expect(await unknown()).toEqual([first]);
  expect(await open()).toEqual(['transact.refund']);
});

it('leaves a refund of a page in the journal: it has a key', async () => {
  const shop = await partPaid();
  const { orders, row, open, unknown } = shop;
  row.cups = 1;
  await orders.checkout('order-1');
  await lose(shop, () => orders.refund('order-1', usd(500, 'return-1')));
  const [operation = ''] = await unknown();
  expect((await orders.resolve('order-1', operation, null)).needs).toMatchObject([{ kind: 'refund_failed' }]);
  expect(await open()).toEqual(['refunds.create']);
});

it('changes nothing while the store of the journal fails', async () => {
  const store = memoryStore();
  const shop = await partPaid(store);
  const { orders, unknown } = shop;
  await lose(shop, () => orders.sell('order-1', card));
  const [operation = ''] = await unknown();
  const { claim } = store;
  store.claim = () => Promise.reject(new RangeError('no connection'));
  await expect(orders.resolve('order-1', operation, null)).rejects.toThrow();
  expect(await unknown()).toEqual([operation]);
  store.claim = claim;
  await orders.resolve('order-1', operation, null);
  expect(await unknown()).toEqual([]);
});
