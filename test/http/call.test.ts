import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  type PaymentsClientOptions,
  unknownField,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { customer, intentParams, paymentIntent, refund, refundParams } from '../support/fixtures.ts';
import {
  baseUrl,
  brokenConnection,
  createClient,
  json,
  secretKey,
  useMockService,
} from '../support/mock-service.ts';

const service = useMockService();
const operation = { operationId: 'order-1' };

describe('a call', () => {
  it('sends the method, the path, the headers and the body', async () => {
    service.answers(json(paymentIntent));
    const payments = createClient({ headers: { 'x-all': 'a' } });
    await payments.paymentIntents.create(intentParams, { ...operation, headers: { 'x-one': 'b' } });
    const [arrival] = service.arrivals;
    expect(arrival).toMatchObject({ method: 'POST', body: '{"amount":1200,"currency":"usd"}' });
    expect(arrival?.url.href).toBe(`${baseUrl}/v1/payment_intents`);
    expect(Object.fromEntries(arrival?.headers ?? [])).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:paymentIntents.create:order-1',
      'user-agent': `payments-client/${manifest.version}`,
      'x-all': 'a',
      'x-one': 'b',
    });
  });

  it('sends an explicit key unchanged', async () => {
    service.answers(json(refund));
    await createClient().refunds.create(refundParams, { idempotencyKey: 'my own key' });
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe('my own key');
  });

  it('starts at once, not when it is awaited', async () => {
    const arrived = new Promise((resolve) => {
      service.answers((arrival) => {
        resolve(arrival.method);
        return json(refund);
      });
    });
    const call = createClient().refunds.create(refundParams, operation);
    expect(await arrived).toBe('POST');
    await call;
    await call;
    expect(service.arrivals).toHaveLength(1);
  });

  it('returns its response next to its value', async () => {
    const headers = { 'x-request-id': 'req_1', 'idempotent-replayed': 'true', 'x-extra': 'yes' };
    service.answers(json(refund, { status: 201, headers }));
    const { data, response } = await createClient().refunds.create(refundParams, operation).withResponse();
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

  it('percent-encodes ids in its path', async () => {
    service.answers(json(customer));
    await createClient().customers.retrieve('cus_1/../../x?y#z é');
    expect(service.arrivals[0]?.url.pathname).toBe('/v1/customers/cus_1%2F..%2F..%2Fx%3Fy%23z%20%C3%A9');
  });

  it('uses a route that the user corrected', async () => {
    service.answers(json(refund));
    const payments = createClient({ routes: { 'refunds.retrieve': 'POST /v2/refunds/{id}/get' } });
    await payments.refunds.retrieve('rf_1');
    expect(service.arrivals[0]).toMatchObject({ method: 'POST' });
    expect(service.arrivals[0]?.url.pathname).toBe('/v2/refunds/rf_1/get');
    service.answers(json({}, { status: 404 }));
    const error = await failureOf(payments.refunds.retrieve('rf_1'), NotFoundError);
    expect(error.message).not.toContain('is inferred');
  });

  it('keeps unknown fields, which unknownField reads', async () => {
    service.answers(json({ ...refund, risk_label: 'calm' }));
    const result = await createClient().refunds.retrieve('rf_1');
    expect(unknownField(result, 'risk_label')).toBe('calm');
    expect(unknownField(result, 'toString')).toBeUndefined();
  });
});

describe('an error', () => {
  it('has the line of the caller in its stack', async () => {
    service.answers(brokenConnection());
    async function chargeTheOrder() {
      return await createClient({ maxRetries: 0 }).refunds.create(refundParams, operation);
    }
    const error = await failureOf(chargeTheOrder(), ConnectionError);
    expect(error.stack).toContain('chargeTheOrder');
  });

  it('is thrown even if the program makes objects of stacks', async () => {
    vi.spyOn(Error, 'prepareStackTrace').mockReturnValue({});
    onTestFinished(() => void vi.restoreAllMocks());
    service.answers(brokenConnection());
    await failureOf(createClient({ maxRetries: 0 }).refunds.create(refundParams, operation), ConnectionError);
  });
});

type Service = PaymentsClientOptions['fetch'];

const respondWith =
  (status: number, body: unknown): Service =>
  async () =>
    Response.json(body, { status, headers: { 'request-id': 'req_1' } });

describe('an option of a call', () => {
  it.each<[options: unknown, issue: string]>([
    [5, 'options: expected an object, got a number'],
    [null, 'options: expected an object, got null'],
    ['order-1', 'options: expected an object, got a string of 7 characters'],
    [{ signal: 5 }, 'options.signal: expected an AbortSignal, got the number 5'],
    [{ signal: null }, 'options.signal: expected an AbortSignal, got null'],
    [{ signal: {} }, 'options.signal: expected an AbortSignal, got an object'],
    [{ signal: { aborted: false } }, 'options.signal: expected an AbortSignal, got an object'],
    [
      { signal: { aborted: false, addEventListener: 5 } },
      'options.signal: expected an AbortSignal, got an object',
    ],
    [
      { signal: { aborted: false, addEventListener() {} } },
      'options.signal: expected an AbortSignal, got an object',
    ],
    [
      { signal: { addEventListener() {}, removeEventListener() {} } },
      'options.signal: expected an AbortSignal, got an object',
    ],
  ])('%j is refused', async (options, issue) => {
    const call = createClient({ fetch: respondWith(200, refund) }).refunds.retrieve(
      'rf_1',
      anything(options),
    );
    const error = await failureOf(call, InvalidRequestError);
    expect(error.message).toBe(`refunds.retrieve: ${issue}. Nothing was sent.`);
  });

  it('may be a signal of another class', async () => {
    const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
    const { refunds } = createClient({ fetch: respondWith(200, refund) });
    expect(await refunds.retrieve('rf_1', anything({ signal }))).toEqual(refund);
  });
});
