import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { idOf, read, readPage, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

const created = {
  '/v1/products': ['product', /^prod_/],
  '/v1/prices': ['price', /^price_/],
  '/v1/payment_methods': ['payment_method', /^pm_/],
  '/v1/terminals': ['terminal', /^tmr_/],
  '/v1/api_keys': ['api_key', /^key_/],
  '/v1/webhook_endpoints': ['webhook_endpoint', /^we_/],
  '/v1/account_links': ['account_link', /^alnk_/],
} as const;
const updated = [
  '/v1/products',
  '/v1/prices',
  '/v1/payment_methods',
  '/v1/terminals',
  '/v1/webhook_endpoints',
];
const deleted = [...updated, '/v1/api_keys'];
/** The first snapshot of a link. */
const firstOf = {
  '/v1/account_links': { version: 1, version_scope: 'account_link', status: 'open' },
} as const;
/** Fields that a body must not override. */
const forged = { id: 'mine', object: 'teapot', livemode: true, created_at: 1, updated_at: 1 };
const forgedOrder = { version: 9, version_scope: 'account', status: 'completed' };
const fields = { name: 'Tea', nested: { list: [1, null, { deep: true }] }, nothing: null };

describe.each(Object.entries(created))('%s', (path, [object, id]) => {
  test('stores all fields except those that the sandbox sets', async () => {
    const { post, request } = start();
    const own = path in firstOf ? firstOf['/v1/account_links'] : {};
    const item = await post(path, { ...fields, ...forged, ...(path in firstOf && forgedOrder) });
    expect(parse(object, item)).toEqual({
      ...fields,
      ...own,
      id: expect.stringMatching(id),
      object,
      livemode: false,
      created_at: second,
      updated_at: second,
    });
    expect(await read(await request(`${path}/${idOf(item)}`))).toEqual(item);
  });

  test('rejects a body that is not an object', async () => {
    const { request } = start();
    expect(await refusal(await request(path, { body: ['Tea'] }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await read(await request(path))).toEqual({ data: [], has_more: false });
  });
});

describe.each(updated)('%s', (path) => {
  test('keeps omitted fields on update, except those that the sandbox sets', async () => {
    const { sandbox, post, request } = start();
    const item = await post(path, { ...fields, colour: 'green' });
    await sandbox.clock.advance(5_000);
    const changed = await post(`${path}/${idOf(item)}`, { colour: 'black', size: 2, ...forged });
    expect(changed).toEqual({ ...item, colour: 'black', size: 2, updated_at: second + 5 });
    expect(await read(await request(`${path}/${idOf(item)}`))).toEqual(changed);
  });

  test('rejects an update of a missing or deleted object, and one without an object', async () => {
    const { post, request } = start();
    const one = `${path}/${idOf(await post(path, {}))}`;
    expect((await request(one, { body: [] })).status).toBe(400);
    expect((await request(`${path}/nowhere`, { body: {} })).status).toBe(404);
    await request(one, { method: 'DELETE' });
    expect((await request(one, { body: {} })).status).toBe(404);
    expect((await readPage(await request(path))).data).toEqual([]);
  });
});

describe.each(deleted)('%s', (path) => {
  test('deletes an object, and repeats the response on a repeated deletion', async () => {
    const { post, request } = start();
    const [gone, kept] = [await post(path, {}), await post(path, {})];
    const remove = () => request(`${path}/${idOf(gone)}`, { method: 'DELETE' });
    const confirmation = { id: idOf(gone), object: gone['object'], deleted: true };
    expect(await read(await remove())).toEqual(confirmation);
    expect((await readPage(await request(path))).data).toEqual([kept]);
    expect(await refusal(await request(`${path}/${idOf(gone)}`))).toEqual([404, 'OBJECT_NOT_FOUND']);
    expect(await read(await remove())).toEqual(confirmation);
    expect((await readPage(await request(path))).data).toEqual([kept]);
  });

  test('rejects a deletion of an unknown object', async () => {
    const { request } = start();
    const refused = await request(`${path}/nowhere`, { method: 'DELETE' });
    expect(await refusal(refused)).toEqual([404, 'OBJECT_NOT_FOUND']);
  });
});

test.each([
  ['POST', '/v1/settlement_profiles'],
  ['POST', '/v1/accounts'],
  ['POST', '/v1/connections'],
  ['POST', '/v1/api_keys/key_1'],
  ['DELETE', '/v1/account_links/alnk_1'],
])('there is no %s %s', async (method, path) => {
  const { request } = start();
  expect(await refusal(await request(path, { method }))).toEqual([404, 'ROUTE_NOT_FOUND']);
});
