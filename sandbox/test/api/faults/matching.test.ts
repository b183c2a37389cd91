import { ConfigurationError } from 'payments-client';
import type { Fault } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { anything } from '../../../../test/support/anything.ts';
import { start } from '../../../../test/support/sandbox-requests.ts';
import { startForms } from '../../transact/support.ts';

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
  const first = await pattern('a', 120);
  const hits = first.filter((status) => status === 500).length;
  expect(hits).toBeGreaterThan(18);
  expect(hits).toBeLessThan(54);
  expect(await pattern('a', 120)).toEqual(first);
  expect(await pattern('b', 120)).not.toEqual(first);
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
  { kind: 'respond', status: 99 },
  { kind: 'drop_reply', times: 0 },
  { kind: 'drop_reply', times: 1.5 },
  { kind: 'drop_delivery', times: 0 },
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

describe('the operation of a form', () => {
  const card = { payment_token: 'tok_1' };

  test('is its type, which a fault hits alone', async () => {
    const { sandbox, transact } = startForms();
    sandbox.faults.inject({ kind: 'respond', status: 500, operation: 'transact.refund', times: always });
    const { transactionid } = await transact.sale({ amount: '12.00', ...card });
    await expect(transact.refund({ transactionid, amount: '1.00' })).rejects.toMatchObject({ status: 500 });
    expect((await transact.void({ transactionid })).approved).toBe(true);
    expect(sandbox.requests.map(({ operation }) => operation)).toEqual([
      'transact.sale',
      'transact.refund',
      'transact.void',
    ]);
    expect(sandbox.faults.history()).toMatchObject([{ operation: 'transact.refund' }]);
  });

  test('is transact.submit for an unknown type, and a fault of that hits every form', async () => {
    const { sandbox, transact, submit } = startForms();
    await submit({ type: 'pay' });
    expect(sandbox.requests).toMatchObject([{ operation: 'transact.submit' }]);
    sandbox.faults.inject({ kind: 'respond', status: 500, operation: 'transact.submit', times: always });
    await expect(transact.sale({ amount: '12.00', ...card })).rejects.toMatchObject({ status: 500 });
    await expect(transact.submit({ type: 'pay' })).rejects.toMatchObject({ status: 500 });
  });

  test('is found in a multipart form too, whose story has it though a fault hit it on its arrival', async () => {
    const { sandbox, transact } = startForms({ interface: { formEncoding: 'multipart' } });
    // The first story that is read begins the recording.
    expect(sandbox.story('order-1')).toBeUndefined();
    sandbox.faults.inject({ kind: 'drop_request', operation: 'transact.sale' });
    await transact.sale({ amount: '12.00', orderid: 'order-1', ...card }).catch(() => {});
    expect(sandbox.story('order-1')).toMatchObject({ id: 'order-1', verdict: 'nothing_happened' });
  });
});

describe('an unknown operation is refused with', () => {
  test.each([
    ['transact.pay', "got 'transact.pay'. Did you mean 'transact.sale'?"],
    ['refunds.make', "got 'refunds.make'. Did you mean 'refunds.create'?"],
    ['paymentIntent.create', "got 'paymentIntent.create'. Did you mean 'paymentIntents.create'?"],
    ['shipments.book', "got 'shipments.book'. Pass an operation."],
    ['sk_v1_test_0123456789', 'got a string of 21 characters. '],
  ])('its name, unless it may be a secret, and the nearest one: %s', (operation, text) => {
    const { sandbox } = start();
    const inject = () => sandbox.faults.inject(anything({ kind: 'drop_reply', operation }));
    expect(inject).toThrow(`expected an operation such as 'refunds.create', ${text}`);
  });
});
