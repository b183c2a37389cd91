import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { all, codeOf, onlyNeed, openShop, sumsOf } from './shop.ts';

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };
const declined = { ccnumber: testCards.doNotHonor.number, ccexp: '1230' };
const failedAuthentication = { authenticated: false, cardholder_auth: null };

it('sells for what is due, once', async () => {
  const { sandbox, orders, shipped, sent } = openShop();
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
  expect(sent()).toEqual(['transact.sale']);
  expect(sandbox.transactions).toMatchObject([{ type: 'sale', amount: '12.00' }]);
  expect((await orders.get('order-1')).payments).toMatchObject([
    { kind: 'sale', status: 'paid', paid: { amount: 1200 }, reference: sandbox.transactions[0]?.id },
  ]);
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('tells why a card was declined, and takes another one', async () => {
  const { orders } = openShop();
  expect(await orders.sell('order-1', declined)).toEqual({ state: 'declined', reason: 'Do not honor' });
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
  const { payments, needs } = await orders.get('order-1');
  expect(payments.map(({ status }) => status)).toEqual(['declined', 'paid']);
  expect(needs).toEqual([]);
});

it.each([true, false])('sends nothing after a sale of unknown outcome; with a journal: %s', async (has) => {
  const shop = openShop(has ? { client: { journal: createJournal({ store: memoryStore() }) } } : {});
  const { sandbox, orders, sent } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect(await codeOf(orders.sell('order-1', card))).toBe('ECONNRESET');
  sent();
  expect(await orders.sell('order-1', card)).toEqual({ state: 'in_progress' });
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'in_progress' });
  await orders.resume();
  expect(sent()).toEqual([]);
  expect(await onlyNeed(shop, 'payment_unknown')).toMatchObject({ money: { amount: 1200, currency: 'USD' } });
});

it('sells again after a sale that was never sent', async () => {
  const { sandbox, orders } = openShop();
  sandbox.faults.inject({ kind: 'refuse_connection' });
  await orders.sell('order-1', card).catch(() => undefined);
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
});

it('sends no card whose authentication failed, unless it may', async () => {
  const { orders, sent } = openShop();
  const unauthenticated = { ...card, threeDSecure: failedAuthentication };
  expect(await orders.sell('order-1', unauthenticated)).toMatchObject({
    state: 'declined',
    reason: expect.any(String),
  });
  expect(sent()).toEqual([]);
  const allowed = await orders.sell('order-1', unauthenticated, { allowFailedAuthentication: true });
  expect(allowed).toEqual({ state: 'paid' });
});

it('keeps the sale in the journal of the client', async () => {
  const journal = createJournal({ store: memoryStore() });
  const shop = openShop({ client: { journal } });
  const { payments, sandbox, orders } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.sell('order-1', card).catch(() => undefined);
  const { operation } = await onlyNeed(shop, 'payment_unknown');
  const open = async () => (await all(payments.journal.open())).map(({ operationId }) => operationId);
  expect(await open()).toEqual([`orders:tea-shop-test/order/order-1@1/${operation}`]);
  await orders.resolve('order-1', operation, sandbox.transactions[0]?.id ?? '');
  expect(await open()).toEqual([]);
});

it.each(['transact.capture', 'transact.refund'] as const)(
  'closes a lost %s in the journal too',
  async (operation) => {
    const { payments, orders, sandbox } = openShop({
      client: { journal: createJournal({ store: memoryStore() }) },
    });
    const isCapture = operation === 'transact.capture';
    await orders.sell('order-1', card, { capture: !isCapture });
    sandbox.faults.inject({ kind: 'drop_reply' });
    const call = isCapture
      ? orders.capture('order-1')
      : orders.refund('order-1', { id: 'return-1', amount: 500, currency: 'USD' });
    expect(await codeOf(call)).toBe('ECONNRESET');
    await sandbox.clock.advance('3 min');
    expect((await all(payments.journal.open())).map((one) => one.operation)).toEqual([operation]);
    const [need] = (await orders.get('order-1')).needs;
    const view = await orders.resolve(
      'order-1',
      need?.operation ?? '',
      sandbox.transactions.at(-1)?.id ?? '',
    );
    expect(view).toMatchObject({ state: 'paid', needs: [] });
    expect(await all(payments.journal.open())).toEqual([]);
  },
);

it('takes what a person found of a sale that is closed in the journal already', async () => {
  const shop = openShop({ client: { journal: createJournal({ store: memoryStore() }) } });
  const { payments, sandbox, orders } = shop;
  sandbox.faults.inject({ kind: 'drop_reply' });
  await orders.sell('order-1', card).catch(() => undefined);
  const { operation } = await onlyNeed(shop, 'payment_unknown');
  const id = `orders:tea-shop-test/order/order-1@1/${operation}`;
  await payments.journal.settle(id, { operation: 'transact.sale', outcome: 'executed' });
  const view = await orders.resolve('order-1', operation, sandbox.transactions[0]?.id ?? '');
  expect([view.state, view.needs]).toEqual(['paid', []]);
});

it('sells only in the currency of the form endpoint, and only if it is known', async () => {
  const { orders, row, sent } = openShop();
  row.currency = 'eur';
  expect(await codeOf(orders.sell('order-1', card))).toBe('ORDER_AMOUNT');
  const without = openShop({ saleCurrency: undefined });
  await expect(without.orders.sell('order-1', card)).rejects.toThrow(
    /^createOrders\.saleCurrency: expected .* Nothing was sent/,
  );
  await expect(orders.sell('order-1', 'card' as never)).rejects.toThrow(/^sell\.card: expected/);
  expect([...sent(), ...without.sent()]).toEqual([]);
});

it.each([
  ['currency', '1200'],
  ['integer', '12.00'],
] as const)(
  'writes the amount of a currency without decimals by formAmounts %s',
  async (formAmounts, amount) => {
    const { sandbox, orders, row } = openShop({
      saleCurrency: 'JPY',
      client: { formAmounts },
      sandbox: { interface: { formAmounts } },
    });
    row.currency = 'jpy';
    expect(await orders.sell('order-1', card)).toEqual({ state: 'paid' });
    expect(sandbox.transactions[0]?.amount).toBe(amount);
  },
);

it('refuses a currency without decimals where the form endpoint takes two', async () => {
  const { orders, row, sent } = openShop({ saleCurrency: 'JPY', client: { formAmounts: 'two-decimals' } });
  row.currency = 'jpy';
  expect(await codeOf(orders.sell('order-1', card))).toBe('INVALID_CONFIGURATION');
  expect(sent()).toEqual([]);
});

it('waits for a sale whose process is alive, and asks a person about one whose process died', async () => {
  const shop = openShop();
  const { sandbox, orders, sent } = shop;
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const selling = orders.sell('order-1', card);
  await hold.reached;
  await sandbox.clock.advance('179 s');
  expect(await orders.sell('order-1', card)).toEqual({ state: 'in_progress' });
  expect((await orders.get('order-1')).needs).toEqual([]);
  await sandbox.clock.advance('1 s');
  await onlyNeed(shop, 'payment_unknown');
  hold.release();
  expect(await selling).toEqual({ state: 'paid' });
  expect((await orders.get('order-1')).needs).toEqual([]);
  expect(sent()).toEqual(['transact.sale']);
});

it('counts a sale that is approved after a person found none', async () => {
  const shop = openShop();
  const { sandbox, orders } = shop;
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const selling = orders.sell('order-1', card);
  await hold.reached;
  await sandbox.clock.advance('3 minutes');
  await orders.resolve('order-1', (await onlyNeed(shop, 'payment_unknown')).operation, null);
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  hold.release();
  expect(await selling).toEqual({ state: 'paid' });
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({
    paid: 2400,
    refunding: 1200,
    refundable: 1200,
  });
});

it('does not sell what a page was paid for in the meantime', async () => {
  const { sandbox, orders, pageOf, deliver, sent } = openShop();
  const { session } = await pageOf();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.expire' });
  const selling = orders.sell('order-1', card);
  await hold.reached;
  sandbox.pay(session);
  await deliver('checkout.session.completed');
  hold.release();
  expect(await selling).toEqual({ state: 'paid' });
  expect(sent()).not.toContain('transact.sale');
  const { payments } = await orders.get('order-1');
  expect(payments.map(({ status }) => status)).toEqual(['paid', 'declined']);
  expect(sumsOf(await orders.get('order-1'))).toMatchObject({ paid: 1200 });
});

it('sends one of two sales at a time', async () => {
  const { sandbox, orders } = openShop();
  const results = await Promise.all([orders.sell('order-1', card), orders.sell('order-1', card)]);
  expect(results.map(({ state }) => state).sort()).toEqual(['in_progress', 'paid']);
  expect(sandbox.transactions).toHaveLength(1);
});

it('charges the rest of an order that was paid in part', async () => {
  const { sandbox, orders, row, shipped } = openShop();
  const page = await orders.checkout('order-1');
  row.cups = 2;
  if (page.state === 'open') sandbox.pay(page.session);
  expect((await orders.refresh('order-1')).due.amount).toBe(1200);
  expect(await orders.sell('order-1', { payment_token: 'tok_1' })).toEqual({ state: 'paid' });
  expect(shipped).toEqual(['order-1 for 2400 USD']);
});

it('takes the currency from the order alone, and copies the card at once', async () => {
  const { orders, payments } = openShop();
  const foreign = orders.sell('order-1', anything({ payment_token: 'tok_1', currency: 'eur' }));
  await expect(foreign).rejects.toThrow('sell.card.currency: expected none: the order has it');
  const card = { payment_token: 'tok_1' };
  const sold = orders.sell('order-1', card);
  card.payment_token = '';
  expect(await sold).toEqual({ state: 'paid' });
  expect(payments).toBeDefined();
});
