import { createSandbox, type SandboxKind } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { fieldTables } from '../../../test/support/field-tables.ts';
import { read, readPage, start } from '../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

test.each(Object.entries(fieldTables))('a new %s has exactly the fields of the interface', (name, rows) => {
  const always = rows.filter(({ optional }) => !optional).map(({ field }) => field);
  const some = rows.filter(({ optional }) => optional).map(({ field }) => field);
  const fields = Object.keys(createSandbox().add(name as SandboxKind)).filter(
    (field) => !some.includes(field),
  );
  expect(fields.sort()).toEqual(always.sort());
});

test('given fields override defaults', async () => {
  const { sandbox, request } = start();
  const invoice = sandbox.add('invoice', { total: 5000, status: 'uncollectible' });
  expect(invoice).toMatchObject({ total: 5000, status: 'uncollectible', currency: 'USD' });
  expect(await read(await request(`/v1/invoices/${invoice.id}`))).toEqual(invoice);
});

test('an open kind accepts any fields, and an id', async () => {
  const { sandbox, request } = start();
  const price = sandbox.add('price', { id: 'price_gold', unit_amount: 900, tiers: [{ up_to: 10 }] });
  expect(price).toMatchObject({ id: 'price_gold', unit_amount: 900, tiers: [{ up_to: 10 }] });
  expect(await read(await request('/v1/prices/price_gold'))).toEqual(price);
});

describe('a field of an open kind that resembles a known one is refused:', () => {
  test.each([
    ['price', 'unit_amout', 'unit_amount'],
    ['price', 'unitAmount', 'unit_amount'],
    ['webhook_endpoint', 'enabled_event', 'enabled_events'],
    ['account', 'payment_enabled', 'payments_enabled'],
  ] as const)('%s.%s', (kind, name, meant) => {
    const { sandbox } = start();
    const misspelt = { [name]: 900 };
    const message = `${kind}.${name}: expected another name, got an unknown one (did you mean '${meant}'?)`;
    expect(() => sandbox.add(kind, misspelt)).toThrow(message);
    const { id } = sandbox.add(kind);
    expect(() => sandbox.update(kind, id, misspelt)).toThrow(message);
  });

  test('unless the object has both', () => {
    const { sandbox } = start();
    const price = sandbox.add('price', { unit_amount: 900, unit_amounts: [900] });
    expect(sandbox.update('price', price.id, { unit_amounts: [800] })).toMatchObject({ unit_amounts: [800] });
  });
});

test('invalid fields are rejected by name, and nothing is added', async () => {
  const { sandbox, request } = start();
  expect(() => sandbox.add('refund', { amount: 12.5 })).toThrow(/^refund\.amount: /);
  const wrong: object = { lines: [{ id: 'il_1' }] };
  expect(() => sandbox.add('invoice', wrong)).toThrow(/lines\[0\]\.description/);
  expect((await readPage(await request('/v1/refunds'))).data).toEqual([]);
});

test('an id of an existing or deleted object is rejected', async () => {
  const { sandbox, request } = start();
  sandbox.add('product', { id: 'prod_1' });
  expect(() => sandbox.add('product', { id: 'prod_1' })).toThrow(/got 'prod_1', which is taken/);
  await request('/v1/products/prod_1', { method: 'DELETE' });
  expect(() => sandbox.add('product', { id: 'prod_1' })).toThrow(/got 'prod_1', which is taken/);
});

test('an unknown kind is rejected with the list of kinds', () => {
  const { sandbox } = start();
  // An untyped caller can name any kind.
  const untyped: { add(kind: string): unknown; get(kind: string, id: string): unknown } = sandbox;
  expect(() => untyped.add('teapot')).toThrow(/^sandbox\.add\.kind: .*checkout_session, .*got 'teapot'/);
  expect(() => untyped.get('toString', 'id')).toThrow(/^sandbox\.get\.kind: /);
});

test('an update changes the named fields and the time, and appears in responses', async () => {
  const { sandbox, request } = start();
  const refund = sandbox.add('refund');
  await sandbox.clock.advance(5_000);
  const updated = sandbox.update('refund', refund.id, { status: 'succeeded', settled_at: second + 4 });
  expect(updated).toEqual({
    ...refund,
    status: 'succeeded',
    settled_at: second + 4,
    settlement_batch_id: expect.stringMatching(/^tmb_/),
    updated_at: second + 5,
  });
  expect(sandbox.get('refund', refund.id)).toEqual(updated);
  expect(await read(await request(`/v1/refunds/${refund.id}`))).toEqual(updated);
});

test('an update adds no time to a kind without one', () => {
  const { sandbox } = start();
  const note = sandbox.add('credit_note');
  expect(sandbox.update('credit_note', note.id, { memo: 'Sorry' })).toEqual({ ...note, memo: 'Sorry' });
});

test('an update that is invalid, changes the id or finds no object is rejected', () => {
  const { sandbox } = start();
  const charge = sandbox.add('charge');
  expect(() => sandbox.update('charge', charge.id, { amount: 0.5 })).toThrow(/^charge\.amount: /);
  expect(() => sandbox.update('charge', charge.id, { id: 'ch_other' })).toThrow(/cannot be changed/);
  expect(() => sandbox.update('charge', 'ch_nowhere', {})).toThrow(
    /the id of a charge, got 'ch_nowhere', which does not exist/,
  );
  expect(sandbox.get('charge', charge.id)).toEqual(charge);
  expect(sandbox.get('charge', 'ch_nowhere')).toBeUndefined();
});

test('an update of an added refund leaves a charge that never counted it as it is', () => {
  const { sandbox } = start();
  const { id: charge_id } = sandbox.add('charge', { amount: 100, amount_refunded: 30 });
  const refunded = () => sandbox.get('charge', charge_id)?.amount_refunded;
  const { id } = sandbox.add('refund', { charge_id, amount: 40 });
  sandbox.update('refund', id, { status: 'failed' });
  expect(refunded()).toBe(30);
  const counted = sandbox.add('refund', { charge_id, amount: 30 });
  sandbox.update('refund', counted.id, { status: 'failed' });
  expect(refunded()).toBe(0);
  sandbox.update('refund', id, { status: 'pending' });
  expect(refunded()).toBe(40);
});

test('changing a passed or returned object does not change the sandbox', () => {
  const { sandbox } = start();
  const tags = ['tea'];
  const { id } = sandbox.add('product', { tags });
  tags.push('late');
  expect(sandbox.get('product', id)).toMatchObject({ tags: ['tea'] });
  const labels = ['green'];
  sandbox.update('product', id, { labels });
  labels.push('late');
  expect(sandbox.get('product', id)).toMatchObject({ tags: ['tea'], labels: ['green'] });
});

test('an added open session expires at its time', async () => {
  const { sandbox } = start();
  const { id } = sandbox.add('checkout_session', { expires_at: second + 60 });
  const closed = sandbox.add('checkout_session', { status: 'complete', expires_at: second + 60 });
  await sandbox.clock.advance(59_999);
  expect(sandbox.get('checkout_session', id)?.status).toBe('open');
  await sandbox.clock.advance(1);
  expect(sandbox.get('checkout_session', id)?.status).toBe('expired');
  expect(sandbox.get('checkout_session', closed.id)?.status).toBe('complete');
});
