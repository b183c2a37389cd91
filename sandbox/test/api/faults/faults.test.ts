import { expect, test } from 'vitest';
import { codeOf, readPage, start } from '../../../../test/support/sandbox-requests.ts';

const intent = { amount: 1200, currency: 'usd' };
const path = '/v1/payment_intents';
const reset = { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } };

test('a scripted reply replaces the real one', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({
    kind: 'respond',
    status: 503,
    headers: { 'Retry-After': '2', 'X-Request-Id': 'mine' },
    body: { error: { code: 'IDEMPOTENCY_STORE_UNAVAILABLE' } },
  });
  sandbox.faults.inject({
    kind: 'respond',
    status: 502,
    headers: { 'Content-Type': 'text/html' },
    body: '<h1>Bad',
  });
  sandbox.faults.inject({ kind: 'respond', status: 204 });

  const json = await request(path, { body: intent });
  expect([json.status, await codeOf(json)]).toEqual([503, 'IDEMPOTENCY_STORE_UNAVAILABLE']);
  expect(json.headers.get('retry-after')).toBe('2');
  expect(json.headers.get('x-request-id')).toBe('mine');
  const html = await request(path, { body: intent });
  expect([html.headers.get('content-type'), await html.text()]).toEqual(['text/html', '<h1>Bad']);
  expect((await request(path, { body: intent })).body).toBeNull();
  expect(await (await request(path)).json()).toEqual({ data: [], has_more: false });
});

test('a fault hits its operation only, at most `times` times', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'respond', status: 500, operation: 'refunds.list', times: 2 });
  const statuses = [];
  for (const list of ['/v1/products', '/v1/refunds', '/v1/refunds', '/v1/refunds']) {
    statuses.push((await request(list)).status);
  }
  expect(statuses).toEqual([200, 500, 500, 200]);
});

test('faults hit in the order of injection, one per request', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'respond', status: 429 });
  sandbox.faults.inject({ kind: 'drop_reply' });
  sandbox.faults.inject({ kind: 'drop_request' });
  expect((await request('/v1/products')).status).toBe(429);
  await expect(request('/v1/products')).rejects.toMatchObject(reset);
  await expect(request('/v1/products')).rejects.toMatchObject(reset);
  expect((await request('/v1/products')).status).toBe(200);
  expect(sandbox.requests.map(({ status }) => status)).toEqual([429, 200, undefined, 200]);
});

test('a held request waits for its release, and others overtake it', async () => {
  const { sandbox, request } = start();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
  const held = request('/v1/customers', { body: { email: 'first@example.com' } });
  await hold.reached;
  const passing = await request('/v1/customers', { body: { email: 'second@example.com' } });
  expect(passing.status).toBe(200);
  hold.release();
  hold.release();
  expect((await held).status).toBe(200);
  const list = await readPage(await request('/v1/customers'));
  expect(list.data.map(({ email }) => email)).toEqual(['first@example.com', 'second@example.com']);
});

test('a hold that was released before holds nothing', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'hold' }).release();
  expect((await request('/v1/products')).status).toBe(200);
});

test('clear removes the faults and releases held requests', async () => {
  const { sandbox, request } = start();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
  sandbox.faults.inject({ kind: 'drop_reply', times: Number.POSITIVE_INFINITY });
  const held = request('/v1/customers', { body: {} });
  await hold.reached;
  sandbox.faults.clear();
  expect((await held).status).toBe(200);
  expect((await request('/v1/products')).status).toBe(200);
});
