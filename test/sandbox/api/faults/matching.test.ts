import { ConfigurationError } from 'payments-client';
import type { Fault } from 'payments-client/sandbox';
import { expect, test } from 'vitest';
import { start } from '../../../support/sandbox-requests.ts';

const always = Number.POSITIVE_INFINITY;

async function statusesOf({ request }: ReturnType<typeof start>, count: number): Promise<number[]> {
  const statuses = [];
  for (let index = 0; index < count; index += 1) statuses.push((await request('/v1/products')).status);
  return statuses;
}

/** Returns which requests a fault with a probability hits. */
async function pattern(seed: string | number | undefined, count = 60): Promise<number[]> {
  const service = start({ seed });
  service.sandbox.faults.inject({ kind: 'respond', status: 500, probability: 0.3 });
  return statusesOf(service, count);
}

test('a probability hits the expected share, and the same requests for the same seed', async () => {
  const first = await pattern('a', 200);
  const hits = first.filter((status) => status === 500).length;
  expect(hits).toBeGreaterThan(35);
  expect(hits).toBeLessThan(85);
  expect(await pattern('a', 200)).toEqual(first);
  expect(await pattern('b', 200)).not.toEqual(first);
  expect(await pattern(undefined)).toEqual(await pattern(undefined));
});

test('the draws of one fault do not depend on another, and restart when faults are cleared', async () => {
  const alone = await pattern(7);
  const service = start({ seed: 7 });
  const inject = () => service.sandbox.faults.inject({ kind: 'respond', status: 500, probability: 0.3 });
  inject();
  service.sandbox.faults.inject({
    kind: 'respond',
    status: 500,
    operation: 'refunds.list',
    probability: 0.5,
  });
  expect(await statusesOf(service, 60)).toEqual(alone);
  service.sandbox.faults.clear();
  inject();
  expect(await statusesOf(service, 60)).toEqual(alone);
});

test('a probability of 1 always hits, one of 0 never, up to `times`', async () => {
  const service = start();
  const { faults } = service.sandbox;
  faults.inject({ kind: 'respond', status: 500, probability: 0 });
  faults.inject({ kind: 'respond', status: 502, probability: 1, times: 2 });
  expect(await statusesOf(service, 4)).toEqual([502, 502, 200, 200]);
});

test('a fault skips the configured number of requests', async () => {
  const service = start();
  service.sandbox.faults.inject({ kind: 'respond', status: 500, skip: 2, times: 2 });
  expect(await statusesOf(service, 5)).toEqual([200, 200, 500, 500, 200]);
});

test('a fault hits the method and the path that it names', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'respond', status: 500, route: 'GET /v1/customers/*', times: always });
  sandbox.faults.inject({ kind: 'respond', status: 502, route: 'POST /v1/refunds', times: always });
  const status = async (path: string, body?: object) => (await request(path, { body })).status;
  expect(await status('/v1/customers/cus_1')).toBe(500);
  expect(await status('/v1/customers')).toBe(200);
  expect(await status('/v1/refunds')).toBe(200);
  expect(await status('/v1/refunds', {})).toBe(502);
  expect(await status('/v1/refundsx')).toBe(404);
});

test('the history records which fault hit which request, and in which phase', async () => {
  const { sandbox, request } = start();
  const before: Fault = { kind: 'respond', status: 503, operation: 'products.list' };
  const after: Fault = { kind: 'drop_reply', operation: 'customers.create' };
  sandbox.faults.inject(before);
  sandbox.faults.inject(after);
  await request('/v1/refunds');
  const refused = await request('/v1/products');
  await expect(request('/v1/customers', { body: {}, key: 'order-1' })).rejects.toThrow(TypeError);
  sandbox.faults.clear();
  expect(sandbox.faults.history()).toEqual([
    {
      requestId: refused.headers.get('x-request-id'),
      operation: 'products.list',
      method: 'GET',
      path: '/v1/products',
      idempotencyKey: undefined,
      fault: before,
      phase: 'arrival',
      status: undefined,
    },
    expect.objectContaining({
      operation: 'customers.create',
      idempotencyKey: 'order-1',
      fault: after,
      phase: 'departure',
      status: 200,
    }),
  ]);
});

test('the history contains held requests, and keeps 1,000 hits', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'hold' }).release();
  await request('/v1/products');
  expect(sandbox.faults.history()).toMatchObject([{ fault: { kind: 'hold' }, phase: 'work' }]);
  sandbox.faults.inject({ kind: 'respond', status: 500, times: always });
  for (let index = 0; index < 1_001; index += 1) await request('/v1/products');
  const history = sandbox.faults.history();
  expect(history).toHaveLength(1_000);
  expect(history[0]).toMatchObject({ requestId: 'req_000000000003' });
});

test('a later change of the injected object has no effect', async () => {
  const service = start();
  const fault = { kind: 'respond' as const, status: 500 };
  service.sandbox.faults.inject(fault);
  fault.status = 502;
  expect(await statusesOf(service, 1)).toEqual([500]);
});

test('a malformed body is the first half of the real one, with its status', async () => {
  const { sandbox, request } = start();
  const whole = await (await request('/v1/products')).text();
  sandbox.faults.inject({ kind: 'malformed_body' });
  const response = await request('/v1/products');
  expect([response.status, await response.text()]).toEqual([200, whole.slice(0, whole.length / 2)]);
});

test('a cut body has the full content-length', async () => {
  const { sandbox, request } = start();
  const whole = await (await request('/v1/products')).text();
  sandbox.faults.inject({ kind: 'truncate_body' });
  const response = await request('/v1/products');
  expect(response.headers.get('content-length')).toBe(String(whole.length));
  await expect(response.text()).rejects.toMatchObject({ name: 'TypeError', message: 'terminated' });
});

const wrong: readonly object[] = [
  { kind: 'no_such_kind' },
  { kind: 'drop_reply', operation: 'refunds.creat' },
  { kind: 'drop_reply', route: '/v1/refunds' },
  { kind: 'drop_reply', skip: -1 },
  { kind: 'drop_reply', probability: 1.1 },
  { kind: 'drop_reply', probability: Number.NaN },
  { kind: 'latency' },
  { kind: 'latency', ms: -1 },
  { kind: 'latency', ms: 2 ** 31 },
  { kind: 'hold', ms: Number.NaN },
  { kind: 'rate_limit', retryAfter: 1.5 },
  { kind: 'rate_limit', retryAfter: 'a\nb' },
  { kind: 'idempotency_error', code: 'IDEMPOTENCY' },
  { kind: 'idempotency_error' },
  { kind: 'respond' },
  { kind: 'respond', status: 500, headers: { 'not a name': 'x' } },
];

test.each(wrong)('%j is rejected, also as JSON', async (fault) => {
  const { sandbox, request } = start();
  // As an untyped program could pass it.
  expect(() => Reflect.apply(sandbox.faults.inject, sandbox.faults, [fault])).toThrow(ConfigurationError);
  if (!JSON.stringify(fault).includes('null')) {
    expect(
      (await request('/_sandbox/commands', { body: { name: 'faults.inject', args: fault } })).status,
    ).toBe(400);
  }
  expect((await request('/v1/products')).status).toBe(200);
});
