/** Collections whose fields the interface does not show: they store any fields. */

import { describe, expect, test } from 'vitest';
import { idOf, read, readPage, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

const updated = ['products', 'prices', 'payment_methods', 'terminals', 'webhook_endpoints'];
const deleted = [...updated, 'api_keys'];
const created = [...deleted, 'account_links'];
/** Fields that a body must not override. */
const forged = { id: 'mine', object: 'teapot', livemode: true, created_at: 1, updated_at: 1 };
/** The first snapshot of a link, which a body must not override either. */
const snapshot = { version: 1, version_scope: 'account_link', status: 'open' };
const fields = { name: 'Tea', nested: { list: [1, null, { deep: true }] }, nothing: null };
const none = [404, 'OBJECT_NOT_FOUND'];

test.each(created)('%s store all fields except those that the sandbox sets', async (name) => {
  const { post, request } = start();
  const isLink = name === 'account_links';
  const forgedOrder = { version: 9, version_scope: 'account', status: 'completed' };
  const item = await post(`/v1/${name}`, { ...fields, ...forged, ...(isLink && forgedOrder) });
  expect(item).toEqual({
    ...fields,
    ...(isLink && snapshot),
    id: expect.not.stringContaining('mine'),
    object: name.slice(0, -1),
    livemode: false,
    created_at: second,
    updated_at: second,
  });
  expect(await read(await request(`/v1/${name}/${idOf(item)}`))).toEqual(item);
});

describe.each(updated)('an update of %s', (name) => {
  const path = `/v1/${name}`;

  test('keeps omitted fields, and those that the sandbox sets', async () => {
    const { sandbox, post, request } = start();
    const [item, other] = [await post(path, { ...fields, colour: 'green' }), await post(path, fields)];
    await sandbox.clock.advance(5_000);
    const changed = await post(`${path}/${idOf(item)}`, { colour: 'black', size: 2, ...forged });
    expect(changed).toEqual({ ...item, colour: 'black', size: 2, updated_at: second + 5 });
    expect((await readPage(await request(path))).data).toEqual([other, changed]);
  });

  test('refuses a missing or deleted object, and a body that is no object', async () => {
    const { post, request } = start();
    const one = `${path}/${idOf(await post(path, {}))}`;
    expect((await request(one, { body: [] })).status).toBe(400);
    expect(await refusal(await request(`${path}/nowhere`, { body: {} }))).toEqual(none);
    await request(one, { method: 'DELETE' });
    expect(await refusal(await request(one, { body: {} }))).toEqual(none);
  });
});

test('a webhook endpoint keeps its secret and its event types when it gets a new URL', async () => {
  const { post } = start();
  const created = await post('/v1/webhook_endpoints', {
    url: 'http://127.0.0.1:1/old',
    enabled_events: ['refund.failed'],
  });
  const url = 'http://127.0.0.1:1/new';
  const moved = await post(`/v1/webhook_endpoints/${idOf(created)}`, { url });
  expect(created['secret']).toMatch(/^whsec_/);
  expect(moved).toEqual({ ...created, url });
});

test.each(deleted)('%s are deleted once, and a repeated deletion has the same reply', async (name) => {
  const { post, request } = start();
  const path = `/v1/${name}`;
  const [gone, kept] = [await post(path, {}), await post(path, {})];
  const remove = () => request(`${path}/${idOf(gone)}`, { method: 'DELETE' });
  const confirmation = { id: idOf(gone), object: gone['object'], deleted: true };
  for (let time = 0; time < 2; time += 1) {
    expect(await read(await remove())).toEqual(confirmation);
    expect((await readPage(await request(path))).data).toEqual([kept]);
    expect(await refusal(await request(`${path}/${idOf(gone)}`))).toEqual(none);
  }
  expect(await refusal(await request(`${path}/nowhere`, { method: 'DELETE' }))).toEqual(none);
});

test.each([
  ['POST', '/v1/settlement_profiles'],
  ['POST', '/v1/accounts'],
  ['POST', '/v1/connections'],
  ['POST', '/v1/api_keys/key_1'],
  ['DELETE', '/v1/account_links/alnk_1'],
])('there is no %s %s', async (method, path) => {
  expect(await refusal(await start().request(path, { method }))).toEqual([404, 'ROUTE_NOT_FOUND']);
});
