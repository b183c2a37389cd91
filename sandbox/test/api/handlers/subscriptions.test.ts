import { expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { read, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z
const invalid = [400, 'INVALID_PARAMETER'];
const unknown = [422, 'OBJECT_NOT_FOUND'];

function shop() {
  const service = start();
  const customer = service.sandbox.add('customer').id;
  for (const id of ['price_gold', 'price_tea']) service.sandbox.add('price', { id });
  const params = { customer, items: [{ price: 'price_gold', quantity: 2, metadata: { seat: 'a' } }] };
  return { ...service, customer, params };
}

async function withSubscription(more: Readonly<Record<string, unknown>> = {}) {
  const service = shop();
  const created = parse(
    'subscription',
    await service.post('/v1/subscriptions', { ...service.params, ...more }),
  );
  const path = `/v1/subscriptions/${created.id}`;
  await service.sandbox.clock.advance(5_000);
  const update = async (body: unknown) =>
    parse('subscription', await read(await service.request(path, { body })));
  const cancel = async () =>
    parse('subscription', await read(await service.request(`${path}/cancel`, { method: 'POST' })));
  const now = async () => read(await service.request(path));
  return { ...service, created, path, update, cancel, now };
}

test('a subscription is incomplete at first, with a period of 30 days', async () => {
  const { created, customer, now } = await withSubscription({ metadata: { plan: 'gold' } });
  expect(created).toMatchObject({
    status: 'incomplete',
    collection_method: 'send_invoice',
    customer,
    billing_cycle_anchor: second,
    current_period_start: second,
    current_period_end: second + 30 * 86_400,
    cancel_at_period_end: false,
    items: [{ id: expect.stringMatching(/^si_/), price: 'price_gold', quantity: 2, metadata: { seat: 'a' } }],
    metadata: { plan: 'gold' },
  });
  expect(created).not.toHaveProperty('canceled_at');
  expect(await now()).toEqual(created);
});

test('a subscription is created with its parameters', async () => {
  const { created } = await withSubscription({
    items: [{ price: 'price_tea' }, { price: 'price_gold', quantity: null, metadata: null }],
    collection_method: 'charge_automatically',
    cancel_at_period_end: true,
  });
  expect(created).toMatchObject({
    collection_method: 'charge_automatically',
    cancel_at_period_end: true,
    items: [
      { price: 'price_tea', quantity: 1, metadata: {} },
      { price: 'price_gold', quantity: 1, metadata: {} },
    ],
  });
});

test('an update schedules the end, and cancels nothing yet', async () => {
  const { created, update, now } = await withSubscription();
  const updated = await update({ cancel_at_period_end: true });
  expect(updated).toEqual({ ...created, cancel_at_period_end: true, updated_at: second + 5 });
  expect(await now()).toEqual(updated);
  expect(await update({ metadata: { plan: 'tea' } })).toMatchObject({ cancel_at_period_end: true });
  expect(await update({ cancel_at_period_end: false })).toMatchObject({ cancel_at_period_end: false });
});

test('an update changes the named fields only', async () => {
  const { created, update } = await withSubscription();
  const updated = await update({
    items: [{ price: 'price_tea', quantity: 3 }],
    collection_method: 'charge_automatically',
    metadata: { plan: 'tea' },
  });
  expect(updated).toEqual({
    ...created,
    items: [{ id: expect.stringMatching(/^si_/), price: 'price_tea', quantity: 3, metadata: {} }],
    collection_method: 'charge_automatically',
    metadata: { plan: 'tea' },
    updated_at: second + 5,
  });
  expect(updated.items[0]?.id).not.toBe(created.items[0]?.id);
});

test('an invalid update is rejected and changes nothing', async () => {
  const { created, path, request, now } = await withSubscription();
  expect(await refusal(await request(path, { body: { items: [] } }))).toEqual(invalid);
  const half = { metadata: { plan: 'x' }, items: [{ price: 'price_unknown' }] };
  expect(await refusal(await request(path, { body: half }))).toEqual(unknown);
  expect(await now()).toEqual(created);
  expect((await request('/v1/subscriptions/sub_nowhere', { body: {} })).status).toBe(404);
});

test('a subscription is canceled at once, and canceling again changes nothing', async () => {
  const { sandbox, created, cancel, now } = await withSubscription();
  const canceled = await cancel();
  expect(canceled).toEqual({
    ...created,
    status: 'canceled',
    canceled_at: second + 5,
    ended_at: second + 5,
    updated_at: second + 5,
  });
  await sandbox.clock.advance(1_000);
  expect(await cancel()).toEqual(canceled);
  expect(await now()).toEqual(canceled);
});

test('a canceled subscription can be updated, and stays canceled', async () => {
  const { update, cancel } = await withSubscription();
  await cancel();
  expect(await update({ metadata: { note: 'gone' } })).toMatchObject({
    status: 'canceled',
    metadata: { note: 'gone' },
  });
});
