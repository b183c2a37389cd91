import {
  ApiError,
  ConnectionError,
  type Outcome,
  type PaymentsError,
  RequestAbortedError,
  ResponseValidationError,
} from 'payments-client';
import { createSandbox, type Fault, type Sandbox } from 'payments-client-sandbox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../../../test/support/failure.ts';
import { clientOf, startSandbox } from '../../../../test/support/sandbox.ts';

/** What is awaited comes, however busy the machine is. */
const patient = { timeout: 15_000 };
const intent = { amount: 1200, currency: 'usd' };
const operation = { operationId: 'order-1' };

/** The two ways to reach a sandbox. A fault must have the same effect on both. */
const ways = ['in process', 'over HTTP'] as const;
type Way = (typeof ways)[number];

async function service(way: Way) {
  const sandbox = way === 'over HTTP' ? await startSandbox() : createSandbox();
  const send = way === 'over HTTP' ? fetch : sandbox.fetch;
  const client = clientOf(sandbox, { maxRetries: 0, ...(way === 'in process' && { fetch: sandbox.fetch }) });
  const create = (options: { readonly timeout?: number; readonly operationId?: string } = {}) =>
    client.paymentIntents.create(intent, { ...operation, ...options });
  return { sandbox, client, create, send };
}

function made(sandbox: Sandbox): number {
  return sandbox.events.filter(({ type }) => type === 'payment_intent.created').length;
}

afterEach(() => {
  vi.useRealTimers();
});

/** Wraps `fetch` so that it aborts after the response headers. */
function hangingUp(send: (request: Request) => Promise<Response>) {
  const controller = new AbortController();
  const hangUp = async (request: Request) => {
    const response = await send(request);
    setImmediate(() => controller.abort());
    return response;
  };
  return { fetch: hangUp, signal: controller.signal };
}

/** The result of a call with a fault, and the number of objects after it. */
interface Expected {
  readonly type: abstract new (...args: never[]) => PaymentsError;
  readonly outcome: Outcome;
  readonly objects: 0 | 1;
}

const broken = { type: ConnectionError, outcome: 'unknown' } as const;
const refused = { type: ApiError, outcome: 'not_executed', objects: 0 } as const;

const cases: readonly (readonly [Fault, Expected])[] = [
  [{ kind: 'drop_request' }, { ...broken, objects: 0 }],
  [{ kind: 'drop_reply' }, { ...broken, objects: 1 }],
  [{ kind: 'truncate_body' }, { type: ConnectionError, outcome: 'executed', objects: 1 }],
  [{ kind: 'malformed_body' }, { type: ResponseValidationError, outcome: 'executed', objects: 1 }],
  [{ kind: 'bad_gateway' }, { type: ApiError, outcome: 'unknown', objects: 0 }],
  [
    { kind: 'bad_gateway', committed: true },
    { type: ApiError, outcome: 'unknown', objects: 1 },
  ],
  [{ kind: 'unavailable' }, { type: ApiError, outcome: 'unknown', objects: 0 }],
  [
    { kind: 'unavailable', committed: true },
    { type: ApiError, outcome: 'unknown', objects: 1 },
  ],
  [
    { kind: 'respond', status: 504, committed: true },
    { type: ApiError, outcome: 'unknown', objects: 1 },
  ],
  [{ kind: 'rate_limit' }, refused],
];

describe.each(ways)('%s', (way) => {
  test.each(cases)('a retry after %j returns one result and creates one object', async (...given) => {
    const [fault, { type, outcome, objects }] = given;
    const { sandbox, create, client } = await service(way);
    sandbox.faults.inject(fault);
    expect((await failureOf(create(), type)).outcome).toBe(outcome);
    expect(made(sandbox)).toBe(objects);
    const isDropped = fault.kind.startsWith('drop_');
    expect(sandbox.requests[0]).toMatchObject({ dropped: isDropped, replayed: false });

    const { data, response } = await create().withResponse();
    expect(response.idempotentReplayed).toBe(objects === 1);
    const { items } = await client.paymentIntents.list();
    expect(items.map((item) => (objects === 1 ? { ...item, $recorded: true } : item))).toEqual([data]);
    expect(made(sandbox)).toBe(1);
  });

  test('the caller can abort a stalled body, and the result stands', async () => {
    const { sandbox, client, create, send } = await service(way);
    sandbox.faults.inject({ kind: 'stall_body' });
    const { fetch: fetchAndHangUp, signal } = hangingUp(send);
    const impatient = clientOf(sandbox, { fetch: fetchAndHangUp });
    const call = impatient.paymentIntents.create(intent, { ...operation, signal });
    expect((await failureOf(call, RequestAbortedError)).outcome).toBe('executed');
    expect((await create().withResponse()).response.idempotentReplayed).toBe(true);
    expect((await client.paymentIntents.list()).items).toHaveLength(1);
  });

  test('a stalled body continues when the faults are cleared', async () => {
    const { sandbox, send } = await service(way);
    sandbox.faults.inject({ kind: 'stall_body' });
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    const body = (await send(new Request(`${sandbox.url}/v1/products`, { headers }))).json();
    sandbox.faults.clear();
    expect(await body).toEqual({ data: [], has_more: false });
  });

  test('a cut body has the length of the whole one, and a malformed one its own', async () => {
    const { sandbox, send } = await service(way);
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    const get = () => send(new Request(`${sandbox.url}/v1/products`, { headers }));
    const whole = await (await get()).text();
    sandbox.faults.inject({ kind: 'truncate_body' });
    const cut = await get();
    expect(cut.headers.get('content-length')).toBe(String(whole.length));
    await expect(cut.text()).rejects.toMatchObject({ name: 'TypeError', message: 'terminated' });
    sandbox.faults.inject({ kind: 'malformed_body' });
    const malformed = await get();
    expect([malformed.status, await malformed.text()]).toEqual([200, whole.slice(0, whole.length / 2)]);
  });

  test('a connection that breaks during execution leaves the key in use until the work is done', async () => {
    const { sandbox, create } = await service(way);
    const hold = sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.create' });
    expect((await failureOf(create(), ConnectionError)).outcome).toBe('unknown');
    await hold.reached;
    const error = await failureOf(create(), ApiError);
    expect([error.code, error.outcome]).toEqual(['IDEMPOTENCY_KEY_IN_PROGRESS', 'unknown']);
    expect(made(sandbox)).toBe(0);
    hold.release();
    await vi.waitFor(() => expect(made(sandbox)).toBe(1), patient);
    expect((await create().withResponse()).response.idempotentReplayed).toBe(true);
    expect(made(sandbox)).toBe(1);
  });

  test('the webhooks of a request arrive before its response', async () => {
    const { sandbox, create } = await service(way);
    const order: string[] = [];
    sandbox.webhooks.deliverTo(
      async (request) => {
        const { type } = JSON.parse(await request.text());
        // A receiver that takes its time.
        await new Promise((resolve) => setImmediate(resolve));
        order.push(type);
        return new Response();
      },
      { events: ['payment_intent.created'] },
    );
    sandbox.faults.inject({ kind: 'webhook_before_reply' });
    await create();
    order.push('response');
    expect(order).toEqual(['payment_intent.created', 'response']);
  });
});

test.each<[Extract<Fault, { readonly kind: 'idempotency_error' }>['code'], number, Outcome]>([
  ['IDEMPOTENCY_KEY_TOO_LONG', 400, 'not_executed'],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', 409, 'unknown'],
  ['IDEMPOTENCY_BODY_MISMATCH', 422, 'unknown'],
  ['IDEMPOTENCY_ROUTE_CONFLICT', 422, 'unknown'],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', 503, 'not_executed'],
])('the error %s has the status %i, and nothing is executed', async (code, status, outcome) => {
  const { sandbox, create } = await service('in process');
  sandbox.faults.inject({ kind: 'idempotency_error', code });
  const error = await failureOf(create(), ApiError);
  expect([error.code, error.status, error.outcome]).toEqual([code, status, outcome]);
  expect(made(sandbox)).toBe(0);
});

test('Retry-After has the configured value', async () => {
  const { sandbox, create } = await service('in process');
  const date = 'Thu, 01 Jan 1970 00:00:00 GMT';
  const faults = [
    [{ kind: 'rate_limit' }, '1'],
    [{ kind: 'rate_limit', retryAfter: 30 }, '30'],
    [{ kind: 'unavailable', retryAfter: date }, date],
    [{ kind: 'unavailable' }, null],
  ] as const;
  for (const [fault, value] of faults) {
    sandbox.faults.inject(fault);
    expect((await failureOf(create(), ApiError)).headers.get('retry-after')).toBe(value);
  }
});

test('in process, a refused connection reports that nothing was sent', async () => {
  const { sandbox, create } = await service('in process');
  sandbox.faults.inject({ kind: 'refuse_connection' });
  const error = await failureOf(create(), ConnectionError);
  expect([error.code, error.outcome]).toEqual(['ECONNREFUSED', 'not_executed']);
  expect(made(sandbox)).toBe(0);
});

test('over HTTP, refuse_connection resets the connection', async () => {
  const { sandbox, create } = await service('over HTTP');
  sandbox.faults.inject({ kind: 'refuse_connection' });
  const error = await failureOf(create(), ConnectionError);
  expect([error.code, error.outcome]).toEqual(['ECONNRESET', 'unknown']);
  expect(made(sandbox)).toBe(0);
});

test('over HTTP, a closed sandbox refuses connections, and listens again with its state', async () => {
  const { sandbox, create } = await service('over HTTP');
  const { id } = await create();
  const port = Number(new URL(sandbox.url).port);
  await sandbox.close();
  const error = await failureOf(create({ operationId: 'order-2' }), ConnectionError);
  expect([error.code, error.outcome]).toEqual(['ECONNREFUSED', 'not_executed']);
  await sandbox.listen({ port });
  expect((await create()).id).toBe(id);
});

test.each([false, true])('latency uses real time or fake timers; committed: %j', async (committed) => {
  const { sandbox, create } = await service('in process');
  vi.useFakeTimers();
  sandbox.faults.inject({ kind: 'latency', ms: 3_000, committed });
  const call = create({ timeout: 60_000 });
  let settled = false;
  void call.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(2_999);
  expect([settled, made(sandbox)]).toEqual([false, committed ? 1 : 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect((await call).amount).toBe(1200);
});

test('latency ends when the caller aborts, and the work is done anyway', async () => {
  const { sandbox, client, create } = await service('over HTTP');
  sandbox.faults.inject({ kind: 'latency', ms: 60_000 });
  const controller = new AbortController();
  const { signal } = controller;
  const call = failureOf(client.paymentIntents.create(intent, { ...operation, signal }), RequestAbortedError);
  await vi.waitFor(() => expect(sandbox.faults.history()).toHaveLength(1), patient);
  controller.abort();
  expect([(await call).outcome, made(sandbox)]).toEqual(['unknown', 0]);
  sandbox.faults.clear();
  await vi.waitFor(() => expect(made(sandbox)).toBe(1), patient);
  expect((await create().withResponse()).response.idempotentReplayed).toBe(true);
});

test('a slow request keeps its key in use until it completes', async () => {
  const { sandbox, create } = await service('in process');
  vi.useFakeTimers();
  const hold = sandbox.faults.inject({ kind: 'hold', ms: 3_000 });
  const original = create({ timeout: 60_000 });
  await hold.reached;
  expect((await failureOf(create({ timeout: 60_000 }), ApiError)).code).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await original).amount).toBe(1200);
});

test('a client with retries survives all faults, and creates one object', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const sandbox = await startSandbox();
  const client = clientOf(sandbox, { maxRetries: 6 });
  const faults: readonly Fault[] = [
    { kind: 'drop_request' },
    { kind: 'rate_limit', retryAfter: 0 },
    { kind: 'bad_gateway', committed: true },
    { kind: 'drop_reply' },
    { kind: 'idempotency_error', code: 'IDEMPOTENCY_STORE_UNAVAILABLE' },
  ];
  for (const fault of faults) sandbox.faults.inject(fault);
  const { response } = await client.paymentIntents.create(intent, operation).withResponse();
  expect(response).toMatchObject({ idempotentReplayed: true, attempts: 6 });
  expect(made(sandbox)).toBe(1);
  expect(sandbox.faults.history().map(({ fault }) => fault)).toEqual(faults);
});

test('a form whose reply is lost has an unknown outcome, since it cannot be sent again', async () => {
  const sandbox = await startSandbox();
  const { transact } = clientOf(sandbox);
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.submit' });
  const sale = transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  expect(await failureOf(sale, ConnectionError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  expect(sandbox.transactions).toMatchObject([{ approved: true }]);
});
