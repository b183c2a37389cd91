/** What a charge does after answers that came late, twice, or from another process. */

import { expect, it } from 'vitest';
import { gatedStore } from './gated-store.ts';
import { codeOf, openShop } from './shop.ts';

const declined = { kind: 'respond', status: 402, body: { error: { code: 'CARD_DECLINED' } } } as const;

it.each([null, undefined])('charges a card and opens a page without a customer: %s', async (customer) => {
  const { orders, row, sandbox, pageOf } = openShop();
  row.customer = customer;
  expect(sandbox.get('checkout_session', (await pageOf()).session)?.customer).toBe(null);
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
});

it('charges no card for an intent that was paid before the answer of its creation came', async () => {
  const { orders, sandbox, payments, sent, shipped } = openShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  expect(await codeOf(orders.charge('order-1', 'pm_1'))).toBe('ECONNRESET');
  const [intent] = (await payments.paymentIntents.list()).items;
  if (intent === undefined) throw new Error('Expected an intent.');
  const options = { operationId: 'by-hand' };
  await payments.paymentIntents.confirm(intent.id, { payment_method: 'pm_3' }, options);
  sent();
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  expect(sent()).not.toContain('paymentIntents.confirm');
  expect(shipped).toEqual(['order-1 for 1200 USD']);
});

it('charges its intent when the creation of another process was refused', async () => {
  const { store, gate } = gatedStore();
  const shop = openShop({ store });
  const { orders, sandbox, sent, payments } = shop;
  const other = shop.restart();
  gate.beforeLoad = async () => {
    if (!sent().includes('paymentIntents.create')) return;
    gate.beforeLoad = async () => undefined;
    const operation = 'paymentIntents.create';
    sandbox.faults.inject({ kind: 'respond', operation, status: 400, body: { error: { code: 'BAD' } } });
    expect(await codeOf(other.charge('order-1', 'pm_2'))).toBe('BAD');
  };
  expect(await orders.charge('order-1', 'pm_1')).toEqual({ state: 'paid' });
  const { items } = await payments.charges.list();
  expect(items.map(({ payment_method }) => payment_method)).toEqual(['pm_1']);
});

it('says authorized if an earlier request holds the money of a refused one', async () => {
  const { orders, sandbox } = openShop();
  sandbox.faults.inject({ ...declined, operation: 'paymentIntents.confirm', committed: true });
  const result = await orders.charge('order-1', 'pm_1', { capture: false });
  expect(result).toEqual({ state: 'authorized' });
});

it('lets the buyer authenticate another card, though the first is declined only then', async () => {
  const { store, gate } = gatedStore();
  const { orders, sandbox, sent } = openShop({ store });
  const confirm = 'paymentIntents.confirm';
  sandbox.faults.inject({ ...declined, operation: confirm });
  gate.beforeLoad = async () => {
    if (!sent().includes(confirm)) return;
    gate.beforeLoad = async () => undefined;
    sandbox.faults.inject({ ...declined, operation: confirm });
    expect(await orders.charge('order-1', 'pm_1')).toMatchObject({ state: 'declined' });
    const [payment] = (await orders.get('order-1')).payments;
    const body = sandbox.update('payment_intent', payment?.reference ?? '', { status: 'requires_action' });
    sandbox.faults.inject({ kind: 'respond', operation: confirm, status: 200, body });
    expect(await orders.charge('order-1', 'pm_2')).toMatchObject({ state: 'requires_action' });
    // A read would tell of the new card.
    sandbox.faults.inject({ kind: 'respond', operation: 'paymentIntents.retrieve', status: 404 });
  };
  expect(await orders.charge('order-1', 'pm_1')).toMatchObject({ state: 'declined' });
  sent();
  expect(await orders.charge('order-1', 'pm_2')).toMatchObject({ state: 'requires_action' });
  expect(sent()).toEqual(['paymentIntents.retrieve']);
});
