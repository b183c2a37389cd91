import { expect, test } from 'vitest';
import { codeOf, json, start } from '../../test/support/sandbox-requests.ts';

test('a request with a missing or wrong key is rejected and changes nothing', async () => {
  const { sandbox, send, request } = start();
  const missing = await send('/v1/customers', { method: 'POST', body: '{}' });
  expect([missing.status, await codeOf(missing)]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
  const basic = await send('/v1/customers', { headers: { authorization: `Basic ${sandbox.secretKey}` } });
  expect(basic.status).toBe(401);
  const wrong = await request('/v1/customers', { body: {}, secretKey: 'sk_v1_test_other' });
  expect([wrong.status, await codeOf(wrong)]).toEqual([401, 'INVALID_SECRET_KEY']);
  expect(await (await request('/v1/customers')).json()).toEqual({ data: [], has_more: false });
});

test('an unknown path is rejected, under /v1 only after authentication', async () => {
  const { send, request } = start();
  const unknown = await request('/v1/teapots');
  expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'ROUTE_NOT_FOUND']);
  expect((await send('/v1/teapots')).status).toBe(401);
  expect((await send('/v2')).status).toBe(404);
  expect((await request('/v1/products', { method: 'DELETE' })).status).toBe(404);
});

test.each(['/v2', '/js/none.js', '/checkout/cs_1/x'])(
  'the unknown path %s is logged, and a fault drops it, beside pages too',
  async (path) => {
    const { sandbox, send } = start();
    const unknown = await send(path);
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'ROUTE_NOT_FOUND']);
    sandbox.faults.inject({ kind: 'drop_request' });
    await expect(send(path)).rejects.toThrow();
    expect(sandbox.requests).toEqual([
      expect.objectContaining({ operation: undefined, path, status: 404 }),
      expect.objectContaining({ operation: undefined, path, status: undefined, dropped: true }),
    ]);
  },
);

test('a body must be JSON with its content type', async () => {
  const { sandbox, send, request } = start();
  const broken = await request('/v1/customers', { body: '{"email":' });
  expect([broken.status, await codeOf(broken)]).toEqual([400, 'INVALID_JSON']);
  const authorization = `Bearer ${sandbox.secretKey}`;
  const untyped = await send('/v1/customers', { method: 'POST', headers: { authorization }, body: '{}' });
  expect(untyped.status).toBe(415);
  expect((await request('/v1/customers', { body: '[]' })).status).toBe(400);
});

test('every response has its own request id', async () => {
  const { send, request } = start();
  const responses = [
    await request('/v1/customers'),
    await send('/v1/customers'),
    await request('/v1/teapots'),
    await send('/api/transact.php', { method: 'POST' }),
  ];
  expect(responses.map(({ headers }) => headers.get('x-request-id'))).toEqual([
    'req_000000000001',
    'req_000000000002',
    'req_000000000003',
    'req_000000000004',
  ]);
});

test('requests are logged without their bodies, queries and secrets', async () => {
  const { sandbox, request } = start();
  await request('/v1/customers', { body: { email: 'ada@example.com' }, key: 'sign-up-7' });
  await request('/v1/products?limit=1');
  await request('/v1/teapots');
  const common = { idempotencyKey: undefined, replayed: false, dropped: false };
  expect(sandbox.requests).toEqual([
    {
      ...common,
      operation: 'customers.create',
      method: 'POST',
      path: '/v1/customers',
      idempotencyKey: 'sign-up-7',
      status: 200,
    },
    { ...common, operation: 'products.list', method: 'GET', path: '/v1/products', status: 200 },
    { ...common, operation: undefined, method: 'GET', path: '/v1/teapots', status: 404 },
  ]);
  expect(JSON.stringify(sandbox.requests)).not.toMatch(/sk_|ada@/);
});

test('the log keeps the latest 1,000 requests', async () => {
  const { sandbox, request } = start();
  await request('/v1/customers');
  for (let count = 0; count < 1_000; count += 1) await request('/v1/products');
  expect(sandbox.requests).toHaveLength(1_000);
  expect(sandbox.requests[0]?.path).toBe('/v1/products');
});

test('an aborted call rejects with the reason of the signal', async () => {
  const { sandbox, send } = start();
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const controller = new AbortController();
  const call = send('/v1/customers', json(sandbox, { body: {}, signal: controller.signal }));
  await hold.reached;
  controller.abort(new Error('too slow'));
  await expect(call).rejects.toThrow('too slow');
  hold.release();
  const late = json(sandbox, { body: {}, signal: controller.signal });
  const before = sandbox.requests.length;
  await expect(send('/v1/customers', late)).rejects.toThrow('too slow');
  expect(sandbox.requests).toHaveLength(before);
});
