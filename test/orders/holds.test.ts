/** Held money that the service neither takes nor releases at once. */

import { createJournal } from 'payments-client/journal';
import { memoryStore } from 'payments-client/stores';
import { testCards } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { codeOf, holdMoney, onlyNeed, openShop, type Shop } from './shop.ts';

const later = { capture: false } as const;
const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230' };

/** An order whose money is held, by an intent or by the form endpoint. */
function authorized(by: 'intent' | 'sale', options: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = openShop(options);
  return holdMoney(shop, by);
}

/** Another program takes the held money. */
async function takeElsewhere({ payments, orders }: Shop): Promise<void> {
  const [payment] = (await orders.get('order-1')).payments;
  const id = payment?.reference ?? '';
  if (payment?.kind === 'sale') await payments.transact.capture({ transactionid: id, amount: '12.00' });
  else await payments.paymentIntents.capture(id as `pi_${string}`, {}, { operationId: 'by-hand' });
}

/** What the service says of the first payment. */
function statusOf({ sandbox }: Shop): string {
  const [intent] = sandbox.requests.flatMap(({ path }) => /pi_\w+/.exec(path)?.[0] ?? []);
  return String(sandbox.transactions[0]?.status ?? sandbox.get('payment_intent', intent ?? '')?.status);
}

/** Refuses the next request as the service refuses a capture or a release. */
function refuseNext({ sandbox }: Shop, by: 'intent' | 'sale'): void {
  const status = by === 'intent' ? 422 : 200;
  const body =
    by === 'intent' ? { error: { code: 'NO' } } : 'response=2&responsetext=DECLINED&transactionid=';
  sandbox.faults.inject({ kind: 'respond', status, body });
}

it.each(['intent', 'sale'] as const)('keeps an authorized %s whose capture was refused', async (by) => {
  const shop = await authorized(by);
  const { orders, keysOf } = shop;
  refuseNext(shop, by);
  await orders.capture('order-1').catch(() => undefined);
  const { money, reference } = await onlyNeed(shop, 'hold_refused');
  const view = await orders.get('order-1');
  expect([view.state, money.amount, reference]).toEqual(['authorized', 1200, view.payments[0]?.reference]);
  expect((await orders.checkout('order-1')).state).toBe('in_progress');
  expect(await orders.capture('order-1')).toEqual({ state: 'paid' });
  expect((await orders.get('order-1')).needs).toEqual([]);
  if (by === 'intent') expect(new Set(keysOf('paymentIntents.capture')).size).toBe(2);
});

it.each(['intent', 'sale'] as const)('lets a person say what became of a refused %s', async (by) => {
  for (const isTaken of [true, false]) {
    const shop = await authorized(by);
    const { orders } = shop;
    refuseNext(shop, by);
    await orders.capture('order-1').catch(() => undefined);
    const { operation, reference } = await onlyNeed(shop, 'hold_refused');
    if (isTaken) await takeElsewhere(shop);
    const view = await orders.resolve('order-1', operation, isTaken ? reference : null);
    expect([view.needs, view.state, view.paid.amount]).toEqual(
      isTaken ? [[], 'paid', 1200] : [[], 'unpaid', 0],
    );
    expect(statusOf(shop)).not.toMatch(/authorized|requires_capture/);
    expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
    if (!isTaken) expect((await orders.checkout('order-1')).state).toBe('open');
  }
});

it('learns by a refused capture that an intent was canceled elsewhere', async () => {
  const { orders, payments } = await authorized('intent');
  const [payment] = (await orders.get('order-1')).payments;
  await payments.paymentIntents.cancel(payment?.reference as `pi_${string}`);
  await orders.capture('order-1').catch(() => undefined);
  const view = await orders.get('order-1');
  expect([view.state, view.needs]).toEqual(['unpaid', []]);
});

it.each(['intent', 'sale'] as const)('asks a person about a held %s that is not released', async (by) => {
  const shop = await authorized(by);
  const { orders, sent, sandbox } = shop;
  refuseNext(shop, by);
  expect((await orders.cancel('order-1')).state).toBe('canceled');
  const { operation, reference } = await onlyNeed(shop, 'hold_refused');
  const requests = by === 'intent' ? ['paymentIntents.cancel', 'paymentIntents.retrieve'] : ['transact.void'];
  expect(sent()).toEqual(requests);
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect(sent().filter((method) => /cancel|void/.test(String(method)))).toEqual([]);
  expect(reference).toBe((await orders.get('order-1')).payments[0]?.reference);
  const view = await orders.resolve('order-1', operation, null);
  expect([view.state, view.needs, view.payments[0]?.status]).toEqual(['canceled', [], 'expired']);
});

it('gives back what was captured elsewhere before the order was canceled', async () => {
  const shop = await authorized('intent');
  const { orders } = shop;
  await takeElsewhere(shop);
  const view = await orders.cancel('order-1');
  expect([view.state, view.needs, view.refunding.amount]).toEqual(['canceled', [], 1200]);
});

it.each(['intent', 'sale'] as const)('releases a held %s whose release was not executed', async (by) => {
  const { orders, sandbox } = await authorized(by);
  sandbox.faults.inject({ kind: 'refuse_connection', times: 9 });
  await orders.cancel('order-1').catch(() => undefined);
  sandbox.faults.clear();
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect((await orders.get('order-1')).payments).toMatchObject([{ status: 'expired' }]);
});

it.each(['intent', 'sale'] as const)(
  'releases a held %s of another currency than the row, and takes the order anew',
  async (by) => {
    const { orders, row } = await authorized(by);
    row.currency = 'eur';
    const page = await orders.checkout('order-1');
    expect(page).toMatchObject({ state: 'open', due: { amount: 1200, currency: 'EUR' } });
    const { payments, needs } = await orders.get('order-1');
    expect([payments.map(({ status }) => status), needs]).toEqual([['expired', 'open'], []]);
  },
);

it('keeps a hold of another currency that the service does not release', async () => {
  const shop = await authorized('sale');
  shop.row.currency = 'eur';
  refuseNext(shop, 'sale');
  expect((await shop.orders.checkout('order-1')).state).toBe('in_progress');
  await onlyNeed(shop, 'hold_refused');
});

it.each(['intent', 'sale'] as const)('still releases a held %s whose capture was refused', async (by) => {
  for (const end of ['canceled', 'edited'] as const) {
    const shop = await authorized(by);
    const { orders, row } = shop;
    refuseNext(shop, by);
    await orders.capture('order-1').catch(() => undefined);
    if (end === 'canceled') await orders.cancel('order-1');
    row.currency = 'eur';
    if (end === 'edited') expect((await orders.checkout('order-1')).state).toBe('open');
    expect(statusOf(shop)).toMatch(/canceled|voided/);
    expect((await orders.get('order-1')).needs).toEqual([]);
  }
});

it('releases what nobody has taken, as a person found, and asks again if that is refused', async () => {
  const shop = await authorized('sale');
  const { orders, sent } = shop;
  refuseNext(shop, 'sale');
  await orders.capture('order-1');
  const { operation } = await onlyNeed(shop, 'hold_refused');
  refuseNext(shop, 'sale');
  sent();
  await orders.resolve('order-1', operation, null);
  expect(sent()).toEqual(['transact.void']);
  const again = await onlyNeed(shop, 'hold_refused');
  expect(again.operation).not.toBe(operation);
  expect(await codeOf(orders.resolve('order-1', operation, null))).toBe('ORDER_NOTHING_OPEN');
  expect((await orders.resolve('order-1', again.operation, null)).state).toBe('unpaid');
});

it('takes nothing that a person wants released', async () => {
  const shop = await authorized('sale');
  const { orders, sandbox } = shop;
  refuseNext(shop, 'sale');
  await orders.capture('order-1');
  const { operation } = await onlyNeed(shop, 'hold_refused');
  sandbox.faults.inject({ kind: 'refuse_connection', times: 9 });
  await orders.resolve('order-1', operation, null).catch(() => undefined);
  sandbox.faults.clear();
  expect(await codeOf(orders.capture('order-1'))).toBe('ORDER_NOTHING_OPEN');
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect(statusOf(shop)).toBe('voided');
});

it.each([
  ['intent', 'order-1'],
  ['intent', 'pi_other'],
  ['sale', 'order-1'],
  ['sale', '123456'],
] as const)('takes no other id of a refused %s: %s', async (by, found) => {
  const shop = await authorized(by);
  refuseNext(shop, by);
  await shop.orders.capture('order-1').catch(() => undefined);
  const { operation } = await onlyNeed(shop, 'hold_refused');
  expect(await codeOf(shop.orders.resolve('order-1', operation, found))).toBe('ORDER_MISMATCH');
  expect(shop.shipped).toEqual([]);
});

it('believes the service about an intent, and a person where it has no reads', async () => {
  for (const has of [true, false]) {
    const shop = await authorized('intent');
    const { orders, sandbox } = shop;
    if (!has)
      sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.retrieve', status: 404, times: 9 });
    refuseNext(shop, 'intent');
    await orders.capture('order-1').catch(() => undefined);
    const { operation, reference } = await onlyNeed(shop, 'hold_refused');
    const resolved = orders.resolve('order-1', operation, reference);
    if (has) await expect(resolved).rejects.toThrow('which the service has not taken. Nothing was changed.');
    else expect((await resolved).state).toBe('paid');
  }
});

it('counts an intent that was taken, though a person did not find it', async () => {
  const shop = await authorized('intent');
  refuseNext(shop, 'intent');
  await shop.orders.capture('order-1').catch(() => undefined);
  const { operation } = await onlyNeed(shop, 'hold_refused');
  await takeElsewhere(shop);
  expect((await shop.orders.resolve('order-1', operation, null)).state).toBe('paid');
  expect(shop.shipped).toEqual(['order-1 for 1200 USD']);
});

it('takes no answer to one question for that to another', async () => {
  const shop = openShop();
  const { orders, sandbox, payments } = shop;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.auth' });
  await orders.sell('order-1', card, later).catch(() => undefined);
  await orders.cancel('order-1');
  const [{ id } = { id: '' }] = sandbox.transactions;
  await payments.transact.void({ transactionid: id });
  const { operation } = await onlyNeed(shop, 'payment_unknown');
  const view = await orders.resolve('order-1', operation, id);
  expect(view.needs).toMatchObject([{ kind: 'hold_refused', reference: id }]);
  expect(await codeOf(orders.resolve('order-1', operation, id))).toBe('ORDER_NOTHING_OPEN');
  expect((await orders.get('order-1')).paid.amount).toBe(0);
});

it.each(['intent', 'sale'] as const)('releases a held %s once the key of the client is right', async (by) => {
  const shop = await authorized(by);
  const { orders, sandbox } = shop;
  const body =
    by === 'intent'
      ? { error: { code: 'unauthorized' } }
      : 'response=3&responsetext=Authentication Failed&response_code=300';
  sandbox.faults.inject({ kind: 'respond', status: by === 'intent' ? 401 : 200, body });
  await orders.cancel('order-1').catch(() => undefined);
  await sandbox.clock.advance('1 hour');
  await orders.resume();
  expect(statusOf(shop)).toMatch(/canceled|voided/);
  expect((await orders.get('order-1')).needs).toEqual([]);
});

it('releases held money with a journal too, though an answer was lost', async () => {
  for (const kind of ['drop_reply', 'drop_request'] as const) {
    const journal = createJournal({ store: memoryStore() });
    const shop = await authorized('sale', { client: { journal } });
    const { orders, row, sandbox } = shop;
    row.currency = 'eur';
    sandbox.faults.inject({ kind, operation: 'transact.void' });
    await orders.checkout('order-1').catch(() => undefined);
    const page = await orders.checkout('order-1');
    expect(statusOf(shop)).toBe('voided');
    if (kind === 'drop_request') expect(page.state).toBe('open');
    else await onlyNeed(shop, 'hold_refused');
  }
});
