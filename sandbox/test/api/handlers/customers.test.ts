import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { idOf, illegalMove, read, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

async function withCustomer() {
  const service = start();
  const created = await service.post('/v1/customers', {
    first_name: 'Ada',
    email: 'ada@example.com',
    billing_address: { city: 'London' },
    metadata: { tier: 'gold' },
  });
  const path = `/v1/customers/${idOf(created)}`;
  await service.sandbox.clock.advance(5_000);
  const update = async (body: unknown) =>
    parse('customer', await read(await service.request(path, { body })));
  return { ...service, created, path, update };
}

test('an update changes the named fields only', async () => {
  const { created, path, request, update } = await withCustomer();
  const updated = await update({ last_name: 'Lovelace', phone: '+44 20', shipping: { city: 'Paris' } });
  expect(updated).toEqual({
    ...created,
    last_name: 'Lovelace',
    phone: '+44 20',
    shipping: { city: 'Paris' },
    updated_at: second + 5,
  });
  expect(await read(await request(path))).toEqual(updated);
});

test('an update with null clears a field', async () => {
  const { created, update } = await withCustomer();
  expect(await update({ first_name: null, email: null, billing_address: null, metadata: null })).toEqual({
    ...created,
    first_name: '',
    email: '',
    billing_address: null,
    metadata: {},
    updated_at: second + 5,
  });
});

test('an update keeps every field of the settings, an address and the metadata', async () => {
  const { update } = await withCustomer();
  const details = {
    payment_settings: { default_payment_method: null, other: { nested: null } },
    billing_address: { city: 'Paris', line2: null },
    metadata: { order: '1042' },
  };
  expect(await update(details)).toMatchObject(details);
});

test("an update of a deleted customer restores it, as the interface's table says", async () => {
  const { path, request, update } = await withCustomer();
  await request(path, { method: 'DELETE' });
  expect(await update({ first_name: 'Grace' })).toMatchObject({ deleted: false, first_name: 'Grace' });
});

test('an invalid update is rejected and changes nothing', async () => {
  const { created, path, request } = await withCustomer();
  expect(await refusal(await request(path, { body: { email: 7, first_name: 'Grace' } }))).toEqual([
    400,
    'INVALID_PARAMETER',
  ]);
  expect(await read(await request(path))).toEqual(created);
  expect((await request('/v1/customers/cus_nowhere', { body: {} })).status).toBe(404);
});

describe('customers', () => {
  test('a repeated deletion changes nothing, since clients retry a DELETE after a lost reply', async () => {
    const { sandbox, post, request } = start();
    const path = `/v1/customers/${idOf(await post('/v1/customers', {}))}`;
    const once = await read(await request(path, { method: 'DELETE' }));
    await sandbox.clock.advance(1_000);
    expect(await read(await request(path, { method: 'DELETE' }))).toEqual(once);
  });

  test('only a deleted customer can be restored', async () => {
    const { sandbox, post, request } = start();
    const path = `/v1/customers/${idOf(await post('/v1/customers', {}))}`;
    const restore = () => request(`${path}/restore`, { method: 'POST' });
    expect(await refusal(await restore())).toEqual(illegalMove);
    await request(path, { method: 'DELETE' });
    expect((await restore()).status).toBe(200);
    await sandbox.clock.advance(1_000);
    const before = sandbox.events.length;
    expect(await refusal(await restore())).toEqual(illegalMove);
    expect(sandbox.events).toHaveLength(before);
  });
});
