import { InvalidRequestError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import {
  intentParams,
  paymentIntent,
  refund,
  refundParams,
  saleParams,
  sessionParams,
} from '../../support/fixtures.ts';
import { createClient, json, useMockService } from '../../support/mock-service.ts';

const service = useMockService();
const payments = createClient();
const operation = { operationId: 'order-1' };

type Row = [path: string, received: string, call: (payments: PaymentsClient) => PromiseLike<unknown>];

const inherited = 'a property of the prototype';

class WithGetter {
  readonly charge_id = 'ch_1';
  get amount() {
    return 500;
  }
}

describe('a wrong parameter', () => {
  it('is sent with a warning under validation "warn", and without one under "off"', async () => {
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
          issues: [
            {
              path: 'amount',
              expected: 'an integer in minor units, such as 1250 for 12.50',
              received: 'the number 12.5',
            },
          ],
        },
      ],
    ]);
  });

  it.each<Row>([
    [
      'amount',
      'the number 12.5',
      (p) => p.paymentIntents.create({ ...intentParams, amount: 12.5 }, operation),
    ],
    ['amount', 'the number 0', (p) => p.paymentIntents.create({ ...intentParams, amount: 0 }, operation)],
    [
      'amount',
      'the number NaN',
      (p) => p.paymentIntents.create({ ...intentParams, amount: Number.NaN }, operation),
    ],
    [
      'amount',
      'a string of 19 characters',
      (p) => p.paymentIntents.create({ ...intentParams, amount: '4111 1111 1111 1111' as never }, operation),
    ],
    [
      'currency',
      'a number',
      (p) => p.paymentIntents.create({ ...intentParams, currency: 4111111111111111 as never }, operation),
    ],
    [
      'amount',
      'a string of 4 characters',
      (p) => p.paymentIntents.create({ ...intentParams, amount: '1200' as never }, operation),
    ],
    ['amount', 'nothing', (p) => p.paymentIntents.create({ currency: 'usd' } as never, operation)],
    [
      'currency',
      "'dollars'",
      (p) => p.paymentIntents.create({ ...intentParams, currency: 'dollars' }, operation),
    ],
    [
      'metadata.n',
      'the number 1',
      (p) => p.paymentIntents.create({ ...intentParams, metadata: { n: 1 as never } }, operation),
    ],
    [
      'line_items',
      'an array of 0',
      (p) => p.checkoutSessions.create({ ...sessionParams, line_items: [] }, operation),
    ],
    [
      'line_items[1].currency',
      "'us'",
      (p) =>
        p.checkoutSessions.create(
          {
            ...sessionParams,
            line_items: [
              ...sessionParams.line_items,
              { name: 'Cup', amount: 1, currency: 'US', quantity: 1 },
            ],
          },
          operation,
        ),
    ],
    [
      'amuont',
      "an unknown one (did you mean 'amount'?)",
      (p) => p.refunds.create({ ...refundParams, amuont: 500 } as never, operation),
    ],
    [
      'captureMethod',
      "an unknown one (did you mean 'capture_method'?)",
      (p) => p.paymentIntents.create({ ...intentParams, captureMethod: 'manual' } as never, operation),
    ],
    ['(root)', 'neither', (p) => p.refunds.create({} as never, operation)],
    [
      '(root)',
      'both',
      (p) => p.refunds.create({ charge_id: 'ch_1', payment_intent_id: 'pi_1' } as never, operation),
    ],
    ['amount', 'the number 0', (p) => p.refunds.create({ ...refundParams, amount: 0 }, operation)],
    ['params', 'nothing', (p) => p.refunds.create(undefined as never, operation)],
    ['email', 'an empty string', (p) => p.customers.create({ email: '' })],
    ['id', 'an empty string', (p) => p.customers.retrieve('')],
    ['id', "'..'", (p) => p.customers.delete('..')],
    ['id', "'.'", (p) => p.customers.restore('.')],
    ['id', 'nothing', (p) => p.customers.retrieve(undefined as never)],
    ['id', 'the number 42: write String(order.id)', (p) => p.customers.retrieve(42 as never)],
    ['id', 'a bigint: write String(order.id)', (p) => p.customers.retrieve(42n as never)],
    ['id', 'a string of 1 character', (p) => p.customers.retrieve('\ud800')],
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
    [
      'options.timeout',
      'the number -5',
      (p) => p.refunds.create(refundParams, { ...operation, timeout: -5 }),
    ],
    [
      'options.signal',
      'an object',
      (p) => p.refunds.create(refundParams, { ...operation, signal: {} as never }),
    ],
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
    ['body.a', 'a bigint', (p) => p.request({ method: 'POST', path: '/v1/x', body: { a: 1n } }, operation)],
    ...[Number.NaN, Number.POSITIVE_INFINITY].map(
      (amount): Row => [
        'body.amount',
        `the number ${amount}`,
        (p) => p.request({ method: 'POST', path: '/v1/x', body: { charge_id: 'ch_1', amount } }, operation),
      ],
    ),
    [
      'body.fields',
      'a collection',
      (p) => p.request({ method: 'POST', path: '/v1/x', body: { fields: new Map() } }, operation),
    ],
    ['body', 'a function', (p) => p.request({ method: 'POST', path: '/v1/x', body: () => {} }, operation)],
    ['amount', inherited, (p) => p.refunds.create(new WithGetter(), operation)],
    [
      'charge_id',
      inherited,
      (p) => p.refunds.create(Object.create({ charge_id: 'ch_1', amount: 500 }), operation),
    ],
    [
      'transactionid',
      inherited,
      (p) => p.transact.capture(Object.create({ transactionid: '7', amount: '5.00' })),
    ],
    ['amount', 'a number', (p) => p.transact.sale({ ...saleParams, amount: 12 as never })],
    ['amount', 'a string of 5 characters', (p) => p.transact.sale({ ...saleParams, amount: '12,00' })],
    ['amount', 'a string of 4 characters', (p) => p.transact.sale({ ...saleParams, amount: '0.00' })],
    ['(root)', 'neither', (p) => p.transact.sale({ amount: '1.00' } as never)],
    [
      'security_key',
      'a string of 1 character',
      (p) => p.transact.submit({ type: 'sale', security_key: 'x' }),
    ],
    ['options.operationId', "'x'", (p) => p.transact.sale(saleParams, { operationId: 'x' } as never)],
  ])('%s is reported with the received value (%s), and nothing is sent', async (path, received, call) => {
    const error = await failureOf(call(payments), InvalidRequestError);
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received);
    const place = path === '(root)' ? '' : `${path}: `;
    expect(error.message).toContain(`: ${place}expected ${issue?.expected}, got ${issue?.received}`);
    expect(error.outcome).toBe('not_executed');
    expect(service.arrivals).toHaveLength(0);
  });

  it('that contains itself is refused', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const call = payments.request({ method: 'POST', path: '/v1/x', body: circle }, operation);
    expect((await failureOf(call, InvalidRequestError)).message).toContain('a cycle');
  });
});

describe('parameters', () => {
  it('may be an instance of a class without getters', async () => {
    class Refund {
      readonly charge_id = 'ch_1';
      readonly amount = 500;
      double() {
        return this.amount * 2;
      }
    }
    service.answers(json(refund));
    await payments.refunds.create(new Refund(), operation);
    expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual({ charge_id: 'ch_1', amount: 500 });
  });

  it('are sent as they were when the method was called, also while the key is on its way', async () => {
    service.answers(json(refund));
    const slow = createClient({ secretKey: async () => 'sk_v1_test_abcdefgh' });
    const params = { charge_id: 'ch_1', amount: 0 };
    const calls = [100, 200, 300].map((amount) => {
      params.amount = amount;
      return slow.refunds.create(params, { operationId: `return-${amount}` });
    });
    params.amount = -5;
    await Promise.all(calls);
    expect(service.arrivals.map(({ body }) => JSON.parse(body).amount)).toEqual([100, 200, 300]);
  });
});
