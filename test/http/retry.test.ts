import {
  ApiError,
  ConflictError,
  ConnectionError,
  IdempotencyKeyInProgressError,
  PaymentsError,
  RateLimitError,
  RequestAbortedError,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import {
  customer,
  intentParams,
  paymentIntent,
  refund,
  refundParams,
  saleParams,
} from '../support/fixtures.ts';
import {
  brokenConnection,
  createClient,
  json,
  skipBackOff,
  useMockService,
} from '../support/mock-service.ts';

const service = useMockService();
const operation = { operationId: 'order-1' };

beforeEach(skipBackOff);

const inProgress = () => json({ code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }, { status: 409 });
const neverResponds = () => new Promise<Response>(() => {});

describe('a POST with a key', () => {
  it.each<[string, Response | (() => Promise<Response>)]>([
    ['a broken connection', brokenConnection()],
    ['a time-out', neverResponds],
    ['408', json({}, { status: 408 })],
    ['409 IDEMPOTENCY_KEY_IN_PROGRESS', inProgress()],
    ['429', json({}, { status: 429 })],
    ['500', json({}, { status: 500 })],
    ['503', json({}, { status: 503 })],
  ])('is retried after %s, with the same key and the same bytes', async (_what, failure) => {
    service.answers(failure, json(paymentIntent));
    const payments = createClient({ timeout: 500 });
    const { response } = await payments.paymentIntents.create(intentParams, operation).withResponse();
    expect(response.attempts).toBe(2);
    const [first, second] = service.arrivals;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  });

  it.each([400, 401, 403, 404, 409, 422])('is not retried after %i', async (status) => {
    service.answers(json({ code: 'REFUSED' }, { status }));
    const error = await failureOf(createClient().paymentIntents.create(intentParams, operation), ApiError);
    expect(error.attempts).toBe(1);
    expect(service.arrivals).toHaveLength(1);
  });

  it('is retried up to maxRetries times', async () => {
    service.answers(json({}, { status: 500 }));
    const error = await failureOf(
      createClient({ maxRetries: 4 }).refunds.create(refundParams, operation),
      ServerError,
    );
    expect(error.attempts).toBe(5);
    await failureOf(
      createClient().refunds.create(refundParams, { ...operation, maxRetries: 0 }),
      ServerError,
    );
    expect(service.arrivals).toHaveLength(6);
  });
});

describe('a network failure on Workers, which is a plain error with flags', () => {
  it.each([
    ['during the request', { remote: true, retryable: true }],
    ['before it had an address', { remote: true }],
    ['in the body', { retryable: true }],
  ])('is recognized %s', async (_what, flags) => {
    const fetch = vi.fn<() => Promise<Response>>();
    const lost = Object.assign(new Error('Network connection lost.'), flags);
    fetch.mockRejectedValueOnce(lost).mockResolvedValueOnce(json(refund));
    const { response } = await createClient({ fetch }).refunds.create(refundParams, operation).withResponse();
    expect(response.attempts).toBe(2);
    fetch.mockRejectedValueOnce(lost);
    const error = await failureOf(createClient({ fetch }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'NETWORK', outcome: 'unknown', attempts: 1 });
  });
});

it('says that a DELETE may be repeated', async () => {
  service.answers(brokenConnection());
  const call = createClient({ maxRetries: 0 }).products.delete('prod_1');
  const error = await failureOf(call, ConnectionError);
  expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
  expect(error.message).toContain(
    'The call may have taken effect: calling again has no second effect. products',
  );
});

describe('a call that could act twice', () => {
  it.each([
    ['a POST without a key', () => createClient().customers.create({ first_name: 'Ada' })],
    ['a sale', () => createClient().transact.sale(saleParams)],
    [
      'a PATCH, even with a key',
      () => createClient().request({ method: 'PATCH', path: '/v1/x', body: {} }, operation),
    ],
  ])('(%s) is not retried after a broken connection, a 429 or a 503', async (_what, call) => {
    for (const failure of [brokenConnection(), json({}, { status: 429 }), json({}, { status: 503 })]) {
      service.answers(failure);
      const before = service.arrivals.length;
      await failureOf(call(), PaymentsError);
      expect(service.arrivals).toHaveLength(before + 1);
    }
  });

  it('is to be looked up, even if it is a PATCH with a key', async () => {
    service.answers(brokenConnection());
    const call = createClient().request({ method: 'PATCH', path: '/v1/x', body: {} }, operation);
    const error = await failureOf(call, ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toContain('Money may have moved: look the call up before you send it again.');
  });

  it('asks for an operationId if it moves no money', async () => {
    service.answers(brokenConnection());
    const error = await failureOf(createClient().paymentIntents.cancel('pi_1'), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toContain('The call may have taken effect: give such calls an operationId.');
  });

  it('is to be looked up too if it is a PATCH that moves no money, with and without an operationId', async () => {
    for (const options of [undefined, operation]) {
      service.answers(brokenConnection());
      const request = { method: 'PATCH', path: '/v1/x', body: {}, movesMoney: false } as const;
      const error = await failureOf(createClient().request(request, options), ConnectionError);
      expect(error.message).toContain(
        'The call may have taken effect: look the call up before you send it again.',
      );
    }
  });

  it('is retried if the request was never sent', async () => {
    const refused = Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
    });
    const fetch = vi.fn<() => Promise<Response>>().mockRejectedValueOnce(refused);
    fetch.mockResolvedValueOnce(new Response('response=1&responsetext=OK&transactionid=1'));
    expect(await createClient({ fetch }).transact.sale(saleParams)).toMatchObject({ approved: true });
    fetch.mockRejectedValueOnce(refused).mockResolvedValueOnce(json(customer));
    expect(await createClient({ fetch }).customers.create({})).toEqual(customer);
    expect(fetch).toHaveBeenCalledTimes(4);
  });
});

it.each([
  ['a POST without a key', () => createClient({ timeout: 50 }).customers.create({ first_name: 'Ada' })],
  ['a sale', () => createClient({ timeout: 50 }).transact.sale(saleParams)],
])('%s is not retried after a time-out', async (_what, call) => {
  service.answers(neverResponds);
  expect(await failureOf(call(), TimeoutError)).toMatchObject({ attempts: 1, outcome: 'unknown' });
  expect(service.arrivals).toHaveLength(1);
});

it('an aborted call is not retried', async () => {
  const controller = new AbortController();
  service.answers(() => {
    controller.abort();
    return neverResponds();
  });
  const retry = vi.fn();
  const payments = createClient({ hooks: { retry } });
  const call = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
  expect(await failureOf(call, RequestAbortedError)).toMatchObject({ attempts: 1 });
  expect(retry).not.toHaveBeenCalled();
});

describe('a GET and a DELETE', () => {
  it('are retried without a key', async () => {
    service.answers(json({}, { status: 502 }), json(refund), brokenConnection(), json({ id: 'cus_1' }));
    expect(await createClient().refunds.retrieve('rf_1')).toEqual(refund);
    expect(await createClient().customers.delete('cus_1')).toEqual({ id: 'cus_1' });
    expect(service.arrivals.map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE', 'DELETE']);
  });
});

describe('the wait before a retry', () => {
  async function retryDelays(responses: readonly Response[], options = {}): Promise<number[]> {
    const waits: number[] = [];
    service.answers(...responses);
    const payments = createClient({ hooks: { retry: ({ wait }) => waits.push(wait) }, ...options });
    await payments.refunds.create(refundParams, operation).catch(() => {});
    return waits;
  }

  it('is the value of Retry-After', async () => {
    const zero = json({}, { status: 429, headers: { 'retry-after': '0' } });
    const hundredth = json({}, { status: 503, headers: { 'retry-after': '0.01' } });
    expect(await retryDelays([zero, hundredth, json(refund)])).toEqual([0, 10]);
  });

  it.each([
    ['12', 12_000],
    [' 12 ', 12_000],
    ['1.5', 1_500],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
    ['2025-12-31T23:59:59Z', 0],
    // If it cannot be parsed, the SDK uses its own delay.
    ['', 0.5],
    ['-1', 0.5],
    ['x12', 0.5],
    ['12x', 0.5],
    ['1.2.3', 0.5],
    ['2026', 2_026_000],
    ['soon', 0.5],
  ])('reads Retry-After: %s as %s ms', async (after, wait) => {
    vi.mocked(Math.random).mockReturnValue(0.001);
    const headers = { 'retry-after': after, date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    service.answers(json({}, { status: 503, headers }));
    const controller = new AbortController();
    const waits: number[] = [];
    const payments = createClient({
      totalTimeout: 10_000_000,
      hooks: {
        retry: ({ wait }) => {
          waits.push(wait);
          // No test waits for so long.
          controller.abort();
        },
      },
    });
    const call = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
    await failureOf(call, RequestAbortedError);
    expect(waits).toEqual([wait]);
  });

  it('is drawn from a range that doubles up to a limit', async () => {
    vi.mocked(Math.random).mockReturnValue(0.001);
    const failing = json({}, { status: 500 });
    const waits = await retryDelays([failing], { maxRetries: 7 });
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 8, 8]);
  });

  it('is never shortened: if it exceeds the total time, the call ends', async () => {
    service.answers(json({}, { status: 429, headers: { 'retry-after': '9' } }));
    const call = createClient({ totalTimeout: 5_000 }).refunds.create(refundParams, operation);
    expect(await failureOf(call, RateLimitError)).toMatchObject({ attempts: 1, retryAfter: 9 });
  });

  it.each([
    ['0.49', [490]],
    ['0.5', []],
  ])('must be shorter than the remaining time: of 500 ms, %s s', async (after, waits) => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const failing = json({}, { status: 429, headers: { 'retry-after': after } });
    expect(await retryDelays([failing, json(refund)], { totalTimeout: 500 })).toEqual(waits);
  });

  it('elapses before the next attempt', async () => {
    service.answers(json({}, { status: 429, headers: { 'retry-after': '0.1' } }), json(refund));
    const startedAt = performance.now();
    await createClient().refunds.create(refundParams, operation);
    // A timer may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(99);
  });

  it('may be a date', async () => {
    const now = new Date('2026-01-01T00:00:00Z').toUTCString();
    expect(
      await retryDelays([
        json({}, { status: 503, headers: { 'retry-after': now, date: now } }),
        json(refund),
      ]),
    ).toEqual([0]);
  });
});

describe('the total time', () => {
  it('is not extended by a retry, even if a timer fires early', async () => {
    // The clock is stopped, so time seems to remain when the timer of the total time fires.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    service.answers(neverResponds);
    const call = createClient({ timeout: 1_000, totalTimeout: 30 }).refunds.create(refundParams, operation);
    expect(await failureOf(call, TimeoutError)).toMatchObject({ code: 'TOTAL_TIMEOUT', attempts: 1 });
  });

  it('limits all attempts together', async () => {
    service.answers(neverResponds);
    const payments = createClient({ timeout: 30, totalTimeout: 75, maxRetries: 50 });
    const error = await failureOf(payments.refunds.create(refundParams, operation), TimeoutError);
    expect(error.outcome).toBe('unknown');
    expect(error.attempts).toBeLessThan(5);
  });
});

describe('the outcome of several attempts', () => {
  it('stays unknown if an early attempt may have taken effect, whatever the last response is', async () => {
    service.answers(brokenConnection(), json({}, { status: 400 }));
    const error = await failureOf(createClient().refunds.create(refundParams, operation), ApiError);
    expect(error).toMatchObject({ status: 400, outcome: 'unknown', attempts: 2 });
  });

  it('is settled by a replayed error response, which is the result of the first attempt', async () => {
    const replayed = json({}, { status: 422, headers: { 'idempotent-replayed': 'true' } });
    service.answers(brokenConnection(), replayed);
    const error = await failureOf(createClient().refunds.create(refundParams, operation), ApiError);
    expect(error).toMatchObject({ status: 422, outcome: 'not_executed' });
  });

  it('is unknown while another call with the key is in progress', async () => {
    service.answers(inProgress());
    const call = createClient({ maxRetries: 1 }).refunds.create(refundParams, operation);
    const error = await failureOf(call, IdempotencyKeyInProgressError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 2 });
    expect(error).not.toBeInstanceOf(ConflictError);
  });

  it('of a read is always not_executed', async () => {
    service.answers(brokenConnection());
    const error = await failureOf(createClient().refunds.retrieve('rf_1'), ConnectionError);
    expect(error).toMatchObject({ outcome: 'not_executed', attempts: 3 });
  });
});
