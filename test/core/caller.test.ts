import { inspect } from 'node:util';
import {
  ConfigurationError,
  ConnectionError,
  type Logger,
  NotFoundError,
  RequestAbortedError,
  ResponseValidationError,
  type RetryEvent,
  ServerError,
  TimeoutError,
  unknownField,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { customer, intentParams, paymentIntent, refund, refundParams } from '../support/fixtures.ts';
import {
  baseUrl,
  brokenConnection,
  createClient,
  json,
  secretKey,
  skipBackOff,
  useMockService,
} from '../support/mock-service.ts';

const service = useMockService();
const by = { operationId: 'order-1' };

describe('a call', () => {
  it('sends the method, the path, the headers and the body', async () => {
    service.answers(json(paymentIntent));
    const payments = createClient({ headers: { 'x-all': 'a' } });
    await payments.paymentIntents.create(intentParams, { ...by, headers: { 'x-one': 'b' } });
    const [arrival] = service.arrivals;
    expect(arrival).toMatchObject({ method: 'POST', body: '{"amount":1200,"currency":"usd"}' });
    expect(arrival?.url.href).toBe(`${baseUrl}/v1/payment_intents`);
    expect(Object.fromEntries(arrival?.headers ?? [])).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:paymentIntents.create:order-1',
      'user-agent': 'payments-client/0.1.0',
      'x-all': 'a',
      'x-one': 'b',
    });
  });

  it('sends an explicit key as it is', async () => {
    service.answers(json(refund));
    await createClient().refunds.create(refundParams, { idempotencyKey: 'my own key' });
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe('my own key');
  });

  it('begins at once, not when it is awaited', async () => {
    const arrived = new Promise((resolve) => {
      service.answers((arrival) => {
        resolve(arrival.method);
        return json(refund);
      });
    });
    const call = createClient().refunds.create(refundParams, by);
    expect(await arrived).toBe('POST');
    await call;
    await call;
    expect(service.arrivals).toHaveLength(1);
  });

  it('gives the response behind its value', async () => {
    const headers = { 'x-request-id': 'req_1', 'idempotent-replayed': 'true', 'x-extra': 'yes' };
    service.answers(json(refund, { status: 201, headers }));
    const { data, response } = await createClient().refunds.create(refundParams, by).withResponse();
    expect(data).toEqual(refund);
    expect(response).toMatchObject({
      status: 201,
      requestId: 'req_1',
      idempotencyKey: 'pc1:refunds.create:order-1',
      idempotentReplayed: true,
      attempts: 1,
    });
    expect(response.headers.get('x-extra')).toBe('yes');
  });

  it('works with catch, finally and Promise.all', async () => {
    service.answers(json({ code: 'gone' }, { status: 404 }));
    const settled = vi.fn();
    const call = createClient().refunds.retrieve('rf_1').finally(settled);
    expect(await call.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    expect(settled).toHaveBeenCalledOnce();
    service.answers(json(refund));
    expect(await Promise.all([createClient().refunds.retrieve('rf_1')])).toEqual([refund]);
  });

  it('percent-encodes what stands in its path', async () => {
    service.answers(json(customer));
    await createClient().customers.retrieve('cus_1/../../x?y#z é');
    expect(service.arrivals[0]?.url.pathname).toBe('/v1/customers/cus_1%2F..%2F..%2Fx%3Fy%23z%20%C3%A9');
  });

  it('goes where the user corrected its route', async () => {
    service.answers(json(refund));
    const payments = createClient({ routes: { 'refunds.retrieve': 'POST /v2/refunds/{id}/get' } });
    await payments.refunds.retrieve('rf_1');
    expect(service.arrivals[0]).toMatchObject({ method: 'POST' });
    expect(service.arrivals[0]?.url.pathname).toBe('/v2/refunds/rf_1/get');
    service.answers(json({}, { status: 404 }));
    const error = await failureOf(payments.refunds.retrieve('rf_1'), NotFoundError);
    expect(error.message).not.toContain('inferred');
  });

  it('keeps fields that the SDK does not know, within reach of one helper', async () => {
    service.answers(json({ ...refund, risk_label: 'calm' }));
    const result = await createClient().refunds.retrieve('rf_1');
    expect(unknownField(result, 'risk_label')).toBe('calm');
    expect(unknownField(result, 'toString')).toBeUndefined();
  });
});

describe('payments.request', () => {
  it('sends what no module covers and gives the JSON, or what parse makes of it', async () => {
    service.answers(json({ id: 'po_1', amount: 5 }));
    const payments = createClient();
    const body = await payments.request({ method: 'POST', path: '/v1/payouts', body: { amount: 5 } }, by);
    expect(body).toEqual({ id: 'po_1', amount: 5 });
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe(
      'pc1:POST~0020~002fv1~002fpayouts:order-1',
    );
    const parse = (value: unknown) => JSON.stringify(value);
    const query = { a: 1, b: true, c: undefined, d: 'x y' };
    expect(await payments.request({ method: 'GET', path: '/v1/payouts/po_1', query, parse })).toBe(
      '{"id":"po_1","amount":5}',
    );
    expect(service.arrivals[1]?.url.search).toBe('?a=1&b=true&d=x+y');
  });

  it('gives undefined for an empty body', async () => {
    service.answers(new Response(null, { status: 204 }));
    expect(await createClient().request({ method: 'DELETE', path: '/v1/payouts/po_1' })).toBeUndefined();
  });

  it('needs no operationId where it says that no money moves', async () => {
    service.answers(json({}));
    await createClient().request({ method: 'POST', path: '/v1/notes', movesMoney: false });
    expect(service.arrivals[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it.each([
    [new Error('no amount'), 'no amount'],
    ['no amount', 'a value that is not an Error'],
  ])('tells a parse that throws %s as an effect that happened', async (thrown, reason) => {
    service.answers(json({ id: 'po_1' }));
    const parse = () => {
      throw thrown;
    };
    const call = createClient().request({ method: 'POST', path: '/v1/payouts', parse }, by);
    const error = await failureOf(call, ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
    expect(error.issues).toEqual([
      { path: '(root)', expected: 'a body that parse accepts', received: `a refusal: ${reason}` },
    ]);
  });
});

describe('a key that a function gives', () => {
  it('is asked for before each call', async () => {
    service.answers(json(refund));
    let number = 0;
    const payments = createClient({ secretKey: async () => `sk_v1_test_${++number}` });
    await payments.refunds.retrieve('rf_1');
    await payments.refunds.retrieve('rf_1');
    const sent = service.arrivals.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual(['Bearer sk_v1_test_1', 'Bearer sk_v1_test_2']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error(`vault down for ${secretKey}`)), 'a failure'],
    ['gives nothing', () => Promise.resolve(undefined as never), 'something else'],
    ['gives a line break', () => 'sk_v1_test_1\n', 'was it copied whole?'],
  ])('and that %s ends the call before anything is sent', async (_what, provider, received) => {
    const error = await failureOf(
      createClient({ secretKey: provider }).refunds.retrieve('rf_1'),
      ConfigurationError,
    );
    expect(error.message).toContain(received);
    expect(inspect(error)).not.toContain(secretKey);
    expect(service.arrivals).toHaveLength(0);
  });

  it('and that never comes ends with the time of the call', async () => {
    const payments = createClient({ secretKey: () => new Promise<string>(() => {}), totalTimeout: 20 });
    const error = await failureOf(payments.refunds.create(refundParams, by), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'not_executed', attempts: 0 });
  });
});

describe('a signal', () => {
  it('that is aborted before the call sends nothing', async () => {
    const signal = AbortSignal.abort('closed');
    const error = await failureOf(
      createClient().refunds.create(refundParams, { ...by, signal }),
      RequestAbortedError,
    );
    expect(error).toMatchObject({ outcome: 'not_executed', attempts: 0, cause: 'closed' });
    expect(service.arrivals).toHaveLength(0);
  });

  it('that is aborted while the request is away leaves its effect unknown', async () => {
    const controller = new AbortController();
    service.answers(() => {
      controller.abort();
      return new Promise<Response>(() => {});
    });
    const call = createClient().refunds.create(refundParams, { ...by, signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  it('that is aborted between attempts ends the wait', async () => {
    const controller = new AbortController();
    service.answers(json({}, { status: 500, headers: { 'retry-after': '60' } }));
    const payments = createClient({ hooks: { retry: () => controller.abort() } });
    const call = payments.refunds.create(refundParams, { ...by, signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});

describe('hooks and the logger', () => {
  it('are told of each request, response, retry and error', async () => {
    skipBackOff();
    service.answers(json({ code: 'busy' }, { status: 503 }));
    const seen: string[] = [];
    const payments = createClient({
      maxRetries: 1,
      hooks: {
        request: ({ operation, attempt, headers }) =>
          seen.push(`request ${operation} ${attempt} ${headers['authorization']}`),
        response: ({ status, attempt, duration }) =>
          seen.push(`response ${status} ${attempt} ${typeof duration}`),
        retry: ({ error, wait }: RetryEvent) => seen.push(`retry ${error.code} ${wait}`),
        error: ({ operation, error }) => seen.push(`error ${operation} ${error.name}`),
      },
    });
    await failureOf(payments.refunds.create(refundParams, by), ServerError);
    expect(seen).toEqual([
      'request refunds.create 1 [redacted]',
      'response 503 1 number',
      'retry busy 0',
      'request refunds.create 2 [redacted]',
      'response 503 2 number',
      'error refunds.create ServerError',
    ]);
  });

  it('never change the result of a call, whatever they do', async () => {
    service.answers(json(refund));
    const warnings: unknown[] = [];
    const logger: Logger = {
      debug: () => {
        throw new Error('disk full');
      },
      warn: (message, fields) => warnings.push([message, fields]),
    };
    const hooks = {
      request: () => {
        throw new Error(`first, with ${secretKey}`);
      },
      response: () => Promise.reject('second'),
    };
    expect(await createClient({ logger, hooks }).refunds.create(refundParams, by)).toEqual(refund);
    const callId: unknown = expect.any(String);
    expect(warnings).toEqual([
      ['the request hook failed; the call goes on', { callId, hook: 'request', reason: 'first, with …' }],
      [
        'the response hook failed; the call goes on',
        { callId, hook: 'response', reason: 'a value that is not an Error' },
      ],
    ]);
  });
});

describe('a fetch of the user', () => {
  it('gets a Request, and its answer is used', async () => {
    const fetch = vi.fn(async (request: Request) => json({ ...refund, reason: await request.text() }));
    const result = await createClient({ fetch }).refunds.create(refundParams, by);
    expect(result.reason).toBe('{"payment_intent_id":"pi_1"}');
  });

  it('that throws like a broken program is not called again', async () => {
    const fetch = vi.fn(async () => {
      throw new TypeError(`cannot read ${secretKey}`);
    });
    const error = await failureOf(createClient({ fetch }).refunds.create(refundParams, by), ConnectionError);
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
    expect(inspect(error, { depth: 9 })).not.toContain(secretKey);
  });

  it('that heeds no signal cannot hold a call beyond its time', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const call = createClient({ fetch, timeout: 10, maxRetries: 0 }).refunds.create(refundParams, by);
    expect(await failureOf(call, TimeoutError)).toMatchObject({ code: 'ATTEMPT_TIMEOUT' });
  });
});

describe('an error', () => {
  it('keeps the line of the caller in its stack', async () => {
    service.answers(brokenConnection());
    async function chargeTheOrder() {
      return await createClient({ maxRetries: 0 }).refunds.create(refundParams, by);
    }
    const error = await failureOf(chargeTheOrder(), ConnectionError);
    expect(error.stack).toContain('chargeTheOrder');
  });
});
