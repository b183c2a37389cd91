import {
  ConfigurationError,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsClientOptions,
  Transact,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, refundParams, saleParams, sessionParams } from '../support/fixtures.ts';
import { baseUrl, createClient, json, secretKey, useMockService } from '../support/mock-service.ts';

const service = useMockService();

function refusalOf(create: () => unknown): ConfigurationError {
  try {
    create();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('expected a ConfigurationError');
}

/** Options as a program without types could give them. */
function untyped(options: Record<string, unknown>): PaymentsClientOptions {
  return options;
}

describe('a wrong option', () => {
  it.each([
    ['baseUrl', { baseUrl: undefined }, 'nothing'],
    ['baseUrl', { baseUrl: 'payments.test' }, 'a string of 13 characters that is not one'],
    ['baseUrl', { baseUrl: 'http://payments.test' }, 'http://payments.test'],
    ['baseUrl', { baseUrl: 'ftp://payments.test' }, 'ftp://payments.test'],
    ['baseUrl', { baseUrl: 'https://user:pass@payments.test' }, 'https://payments.test'],
    ['baseUrl', { baseUrl: 'https://payments.test/?a=1' }, 'https://payments.test'],
    ['baseUrl', { baseUrl: 5 }, 'a value of type number'],
    ['secretKey', { secretKey: undefined }, 'nothing'],
    ['secretKey', { secretKey: '' }, 'an empty string'],
    [
      'secretKey',
      { secretKey: 'sk_v1_test_1\n' },
      'a string of 13 characters with others; was it copied whole?',
    ],
    ['secretKey', { secretKey: 5 }, 'a value of type number'],
    ['timeout', { timeout: 0 }, 'the number 0'],
    ['timeout', { timeout: 1.5 }, 'the number 1.5'],
    ['timeout', { timeout: '5' }, 'a string of 1 characters'],
    ['totalTimeout', { totalTimeout: Number.POSITIVE_INFINITY }, 'the number Infinity'],
    ['maxRetries', { maxRetries: -1 }, 'the number -1'],
    ['maxRetries', { maxRetries: Number.NaN }, 'the number NaN'],
    ["headers['authorization']", { headers: { authorization: 'x' } }, 'a header that the SDK sets itself'],
    [
      "headers['Idempotency-Key']",
      { headers: { 'Idempotency-Key': 'x' } },
      'a header that the SDK sets itself',
    ],
    [
      "headers['x-a']",
      { headers: { 'x-a': 'b\r\nx-c: d' } },
      'a name or value that HTTP does not allow (9 characters)',
    ],
    ["headers['x-a']", { headers: { 'x-a': 1 } }, 'a value of type number'],
    ['fetch', { fetch: 'global' }, "'global'"],
    ['logger', { logger: 'console' }, "'console'"],
    ['logger.debug', { logger: { debug: 1 } }, 'the number 1'],
    ['hooks.request', { hooks: { request: 'x' } }, "'x'"],
    ['hooks.end', { hooks: { end: 5 } }, 'the number 5'],
    ['allowInsecure', { allowInsecure: 'yes' }, "'yes'"],
    ['validation', { validation: 'maybe' }, "'maybe'"],
    ['itemsField', { itemsField: '' }, 'an empty string'],
    ['formEncoding', { formEncoding: 'json' }, "'json'"],
    ['throwOnDecline', { throwOnDecline: 1 }, 'the number 1'],
    [
      'securityKey',
      { securityKey: 'with blank' },
      'a string of 10 characters with others; was it copied whole?',
    ],
    ['routes', { routes: [] }, 'an array of 0'],
    ["routes['refunds.undo']", { routes: { 'refunds.undo': 'POST /x' } }, 'an unknown one'],
    ["routes['refunds.retrieve']", { routes: { 'refunds.retrieve': '/v1/x/{id}' } }, "'/v1/x/{id}'"],
    ["routes['refunds.retrieve']", { routes: { 'refunds.retrieve': 'GET /v1/x' } }, 'a path with none'],
    ['secretkey', { secretkey: 'x' }, 'an unknown option'],
  ])('%s is named, with what was expected and what came', (path, option, received) => {
    const error = refusalOf(() => new PaymentsClient(untyped({ baseUrl, secretKey, ...option })));
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received.replace(/^'\/v1.*$/, 'a string'));
    expect(error.message).toContain(`${path}: expected ${issue?.expected}, got ${issue?.received}`);
    expect(error.outcome).toBe('not_executed');
  });

  it('is reported together with all others', () => {
    const error = refusalOf(() => new PaymentsClient(untyped({ timeout: -1, maxRetries: 'x' })));
    expect(error.issues.map(({ path }) => path).sort()).toEqual([
      'baseUrl',
      'maxRetries',
      'secretKey',
      'timeout',
    ]);
  });

  it('of Transact is named too', () => {
    const error = refusalOf(() => new Transact({ baseUrl }));
    expect(error.issues).toMatchObject([{ path: 'securityKey' }]);
    expect(error.message).toContain('PAYMENTS_SECURITY_KEY');
  });

  it('never repeats a secret, even where the options were mixed up', () => {
    const error = refusalOf(() => new PaymentsClient({ baseUrl: secretKey, secretKey: `${secretKey} ` }));
    expect(error.message).not.toContain(secretKey);
  });
});

describe('the base URL', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://127.9.9.9:1',
    'http://[::1]:80',
    'https://a.test',
  ])('may be %s', (url) => {
    expect(() => new PaymentsClient({ baseUrl: url, secretKey })).not.toThrow();
  });

  it.each(['http://localhost.evil.test', 'http://127.0.0.1.evil.test', 'http://10.0.0.1'])(
    'may not be %s',
    (url) => {
      expect(() => new PaymentsClient({ baseUrl: url, secretKey })).toThrow(ConfigurationError);
      expect(() => new PaymentsClient({ baseUrl: url, secretKey, allowInsecure: true })).not.toThrow();
    },
  );

  it('may have a path, which comes before each route', async () => {
    service.answers(json(paymentIntent));
    await createClient({ baseUrl: `${baseUrl}/gateway/` }).paymentIntents.retrieve('pi_1');
    expect(service.arrivals[0]?.url.href).toBe(`${baseUrl}/gateway/v1/payment_intents/pi_1`);
  });
});

describe('the environment', () => {
  it('gives what the options leave out', async () => {
    vi.stubEnv('PAYMENTS_BASE_URL', baseUrl);
    vi.stubEnv('PAYMENTS_SECRET_KEY', 'sk_v1_test_from_env');
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'form-key-from-env');
    service.answers(json(paymentIntent), new Response('response=1'));
    const payments = new PaymentsClient();
    await payments.paymentIntents.retrieve('pi_1');
    await payments.transact.sale(saleParams);
    expect(service.arrivals[0]?.headers.get('authorization')).toBe('Bearer sk_v1_test_from_env');
    expect(service.arrivals[1]?.body).toContain('security_key=form-key-from-env');
  });

  it('counts as absent where it is empty', () => {
    vi.stubEnv('PAYMENTS_BASE_URL', '');
    expect(refusalOf(() => new PaymentsClient({ secretKey })).issues).toMatchObject([{ path: 'baseUrl' }]);
  });
});

describe('an environment that may not be read', () => {
  it('counts as empty', () => {
    const spy = vi.spyOn(process, 'env', 'get').mockImplementation(() => {
      throw new Error('NotCapable');
    });
    onTestFinished(() => spy.mockRestore());
    const { issues } = refusalOf(() => new PaymentsClient());
    expect(issues).toMatchObject([{ path: 'baseUrl' }, { path: 'secretKey' }]);
  });
});

describe('a wrong parameter', () => {
  it('is sent with a warning where validation only warns, and silently where it is off', async () => {
    service.answers(json(paymentIntent));
    const warnings: unknown[] = [];
    const logger = { warn: (message: string, fields: object) => warnings.push([message, fields]) };
    const params = { ...intentParams, amount: 12.5 };
    for (const validation of ['warn', 'off'] as const) {
      await createClient({ validation, logger }).paymentIntents.create(params, { operationId: 'order-1' });
    }
    expect(service.arrivals.map(({ body }) => JSON.parse(body))).toEqual([params, params]);
    expect(warnings).toEqual([
      [
        'paymentIntents.create: the parameters do not match the schema; going on with them as they are',
        {
          callId: expect.any(String),
          operation: 'paymentIntents.create',
          issues: [{ path: 'amount', expected: 'an integer in minor units', received: 'the number 12.5' }],
        },
      ],
    ]);
  });

  const payments = createClient();
  const by = { operationId: 'order-1' };

  it.each<[path: string, received: string, call: (payments: PaymentsClient) => PromiseLike<unknown>]>([
    ['amount', 'the number 12.5', (p) => p.paymentIntents.create({ ...intentParams, amount: 12.5 }, by)],
    ['amount', 'the number 0', (p) => p.paymentIntents.create({ ...intentParams, amount: 0 }, by)],
    ['amount', 'the number NaN', (p) => p.paymentIntents.create({ ...intentParams, amount: Number.NaN }, by)],
    [
      'amount',
      'a string of 19 characters',
      (p) => p.paymentIntents.create({ ...intentParams, amount: '4111 1111 1111 1111' as never }, by),
    ],
    [
      'currency',
      'a number',
      (p) => p.paymentIntents.create({ ...intentParams, currency: 4111111111111111 as never }, by),
    ],
    [
      'amount',
      'a string of 4 characters',
      (p) => p.paymentIntents.create({ ...intentParams, amount: '1200' as never }, by),
    ],
    ['amount', 'nothing', (p) => p.paymentIntents.create({ currency: 'usd' } as never, by)],
    ['currency', "'dollars'", (p) => p.paymentIntents.create({ ...intentParams, currency: 'dollars' }, by)],
    [
      'metadata.n',
      'the number 1',
      (p) => p.paymentIntents.create({ ...intentParams, metadata: { n: 1 as never } }, by),
    ],
    [
      'line_items',
      'an array of 0',
      (p) => p.checkoutSessions.create({ ...sessionParams, line_items: [] }, by),
    ],
    [
      'line_items[1].currency',
      "'USD'",
      (p) =>
        p.checkoutSessions.create(
          {
            ...sessionParams,
            line_items: [
              ...sessionParams.line_items,
              { name: 'Cup', amount: 1, currency: 'USD', quantity: 1 },
            ],
          },
          by,
        ),
    ],
    ['(root)', 'an object', (p) => p.refunds.create({} as never, by)],
    [
      '(root)',
      'an object',
      (p) => p.refunds.create({ charge_id: 'ch_1', payment_intent_id: 'pi_1' } as never, by),
    ],
    ['amount', 'the number 0', (p) => p.refunds.create({ ...refundParams, amount: 0 }, by)],
    ['params', 'nothing', (p) => p.refunds.create(undefined as never, by)],
    ['email', 'an empty string', (p) => p.customers.create({ email: '' })],
    ['id', 'an empty string', (p) => p.customers.retrieve('')],
    ['id', "'..'", (p) => p.customers.delete('..')],
    ['id', "'.'", (p) => p.customers.restore('.')],
    ['id', 'nothing', (p) => p.customers.retrieve(undefined as never)],
    ['id', 'a string of 1 characters', (p) => p.customers.retrieve('\ud800')],
    ['limit', 'the number 0', (p) => p.products.list({ limit: 0 })],
    ['limit', 'the number 101', (p) => p.products.list({ limit: 101, offset: 0 })],
    ['offset', 'the number -1', (p) => p.products.list({ offset: -1 })],
    ['offset', 'both', (p) => p.products.list({ offset: 1, starting_after: 'x' } as never)],
    ['starting_after', 'an empty string', (p) => p.products.list({ starting_after: '' })],
    ['options.operationId', 'nothing', (p) => p.refunds.create(refundParams, {} as never)],
    ['options.operationId', 'nothing', (p) => p.refunds.create(refundParams, undefined as never)],
    [
      'options.operationId',
      'a string of 3 characters',
      (p) => p.refunds.create(refundParams, { operationId: ' \n ' }),
    ],
    [
      'options.operationId',
      'the number 7',
      (p) => p.refunds.create(refundParams, { operationId: 7 as never }),
    ],
    [
      'options',
      'both',
      (p) => p.refunds.create(refundParams, { operationId: 'a', idempotencyKey: 'b' } as never),
    ],
    [
      'options.idempotencyKey',
      'a string of 256 characters',
      (p) => p.refunds.create(refundParams, { idempotencyKey: 'k'.repeat(256) }),
    ],
    [
      'options.idempotencyKey',
      'a string of 3 characters',
      (p) => p.refunds.create(refundParams, { idempotencyKey: 'a\nb' }),
    ],
    ['options.timeout', 'the number -5', (p) => p.refunds.create(refundParams, { ...by, timeout: -5 })],
    ['options.signal', 'an object', (p) => p.refunds.create(refundParams, { ...by, signal: {} as never })],
    [
      "options.headers['Authorization']",
      'sets itself',
      (p) => p.products.retrieve('x', { headers: { Authorization: 'x' } }),
    ],
    ['path', 'a string of 4 characters', (p) => p.request({ method: 'GET', path: 'v1/x' })],
    ['path', 'a string of 13 characters', (p) => p.request({ method: 'GET', path: '//evil.test/x' })],
    ['path', 'a string of 8 characters', (p) => p.request({ method: 'GET', path: '/v1/../x' })],
    ['path', 'characters', (p) => p.request({ method: 'GET', path: '/v1/%2E%2e/x' })],
    ['path', 'characters', (p) => p.request({ method: 'GET', path: '/v1/x?y=1' })],
    ['query.a', 'an object', (p) => p.request({ method: 'GET', path: '/v1/x', query: { a: {} as never } })],
    ['method', "'HEAD'", (p) => p.request({ method: 'HEAD' as 'GET', path: '/v1/x' })],
    ['body', 'an object', (p) => p.request({ method: 'GET', path: '/v1/x', body: {} as never })],
    [
      '(root)',
      'a cycle or a bigint',
      (p) => p.request({ method: 'POST', path: '/v1/x', body: { a: 1n } }, by),
    ],
    ['amount', 'a number', (p) => p.transact.sale({ ...saleParams, amount: 12 as never })],
    ['amount', 'a string of 5 characters', (p) => p.transact.sale({ ...saleParams, amount: '12,00' })],
    ['amount', 'a string of 4 characters', (p) => p.transact.sale({ ...saleParams, amount: '0.00' })],
    ['(root)', 'an object', (p) => p.transact.sale({ amount: '1.00' } as never)],
    [
      'security_key',
      'a string of 1 characters',
      (p) => p.transact.submit({ type: 'sale', security_key: 'x' }),
    ],
    ['options.operationId', 'a value', (p) => p.transact.sale(saleParams, { operationId: 'x' } as never)],
  ])('%s is named, with what came (%s), and nothing is sent', async (path, received, call) => {
    const error = await failureOf(call(payments), InvalidRequestError);
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received);
    expect(error.message).toContain(`${path}: expected ${issue?.expected}, got ${issue?.received}`);
    expect(error.outcome).toBe('not_executed');
    expect(service.arrivals).toHaveLength(0);
  });

  it('that holds itself is refused', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const call = payments.request({ method: 'POST', path: '/v1/x', body: circle }, by);
    expect((await failureOf(call, InvalidRequestError)).message).toContain('a cycle');
  });
});
