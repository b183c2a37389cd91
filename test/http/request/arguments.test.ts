/** Parameters are copied when a method is called, and a wrong one is refused by its name before anything is sent. */

import { InvalidRequestError, type Outcome, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import {
  intentParams,
  paymentIntent,
  refund,
  refundParams,
  saleParams,
  sessionParams,
} from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';

const operation = { operationId: 'order-1' };

function clientGetting(body: unknown, options = {}) {
  const bodies: string[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.text());
    return json(body);
  };
  return { bodies, payments: createClient({ fetch, ...options }) };
}

class WithGetter {
  readonly charge_id = 'ch_1';
  get amount() {
    return 500;
  }
}

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;
/** Default: `not_executed`. */
type Row = readonly [path: string, received: string, call: Call, outcome?: Outcome];

const intent =
  (changes: object): Call =>
  (p) =>
    p.paymentIntents.create({ ...intentParams, ...changes }, operation);
const refunding =
  (params: unknown): Call =>
  (p) =>
    p.refunds.create(anything(params), operation);
const session =
  (changes: object): Call =>
  (p) =>
    p.checkoutSessions.create({ ...sessionParams, ...changes }, operation);
const posting =
  (body: unknown): Call =>
  (p) =>
    p.request({ method: 'POST', path: '/v1/x', body }, operation);
const sale =
  (changes: object): Call =>
  (p) =>
    p.transact.sale({ ...saleParams, ...changes });
const customer =
  (id: unknown): Call =>
  (p) =>
    p.customers.retrieve(anything(id));

const circle: Record<string, unknown> = {};
circle['self'] = circle;
const none = 'not_an_operation';
const inherited = 'a property of the prototype';
const cup = { name: 'Cup', amount: 1, currency: 'US', quantity: 1 };

const rows: readonly Row[] = [
  ['amount', 'the number 12.5', intent({ amount: 12.5 })],
  ['amount', 'the number 0', intent({ amount: 0 })],
  ['amount', 'the number NaN', intent({ amount: Number.NaN })],
  ['amount', 'a string of 4 characters', intent({ amount: '1200' })],
  // What may be a card number is not repeated.
  ['amount', 'a string of 19 characters', intent({ amount: '4111 1111 1111 1111' })],
  ['currency', 'a number', intent({ currency: 4111111111111111 })],
  ['amount', 'nothing', (p) => p.paymentIntents.create(anything({ currency: 'usd' }), operation)],
  ['currency', "'dollars'", intent({ currency: 'dollars' })],
  ['metadata.n', 'the number 1', intent({ metadata: { n: 1 } })],
  ['captureMethod', "an unknown one (did you mean 'capture_method'?)", intent({ captureMethod: 'manual' })],
  ['line_items', 'an array of 0', session({ line_items: [] })],
  ['line_items[1].currency', "'us'", session({ line_items: [...sessionParams.line_items, cup] })],
  ['amuont', "an unknown one (did you mean 'amount'?)", refunding({ ...refundParams, amuont: 500 })],
  ['(root)', 'neither', refunding({})],
  ['(root)', 'both', refunding({ charge_id: 'ch_1', payment_intent_id: 'pi_1' })],
  ['amount', 'the number 0', refunding({ ...refundParams, amount: 0 })],
  ['params', 'nothing', refunding(undefined)],
  ['params', 'an array of 1', refunding([refundParams])],
  ['amount', inherited, refunding(new WithGetter())],
  ['charge_id', inherited, refunding(Object.create({ charge_id: 'ch_1', amount: 500 }))],
  [
    'transactionid',
    inherited,
    (p) => p.transact.capture(Object.create({ transactionid: '7', amount: '5.00' })),
  ],
  ['email', 'an empty string', (p) => p.customers.create({ email: '' })],
  ['id', 'an empty string', customer(''), none],
  ['id', "'..'", customer('..'), none],
  ['id', "'.'", customer('.'), none],
  ['id', 'nothing', customer(undefined), none],
  ['id', 'the number 42: write String(order.id)', customer(42), none],
  ['id', 'a bigint: write String(order.id)', customer(42n), none],
  ['id', 'a string of 1 character', customer('\ud800'), none],
  ['body.a', 'a bigint', posting({ a: 1n })],
  ['body.amount', 'the number NaN', posting({ charge_id: 'ch_1', amount: Number.NaN })],
  ['body.amount', 'the number Infinity', posting({ amount: Number.POSITIVE_INFINITY })],
  ['body.fields', 'a collection', posting({ fields: new Map() })],
  ['body', 'a function', posting(() => {})],
  ['body.self', 'a cycle', posting(circle)],
  ['amount', 'a number', sale({ amount: 12 })],
  ['amount', 'a string of 5 characters', sale({ amount: '12,00' })],
  ['amount', 'a string of 4 characters', sale({ amount: '0.00' })],
  ['(root)', 'neither', (p) => p.transact.sale(anything({ amount: '1.00' }))],
  ['security_key', 'a string of 1 character', (p) => p.transact.submit({ type: 'sale', security_key: 'x' })],
  ['options.operationId', "'x'", (p) => p.transact.sale(saleParams, anything({ operationId: 'x' }))],
];

describe('a wrong parameter', () => {
  const every = rows.map(
    ([path, received, call, outcome = 'not_executed']) => [path, received, call, outcome] as const,
  );
  it.each(every)('%s is refused with what was received: %s', async (path, received, call, outcome) => {
    const { bodies, payments } = clientGetting({});
    const error = await failureOf(
      Promise.resolve().then(() => call(payments)),
      InvalidRequestError,
    );
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received);
    const place = path === '(root)' ? '' : `${path}: `;
    expect(error.message).toContain(`: ${place}expected ${issue?.expected}, got ${issue?.received}`);
    expect(error.outcome).toBe(outcome);
    expect(bodies).toEqual([]);
  });

  it.each([
    ['warn', 1],
    ['off', 0],
  ] as const)('is sent under validation %s, with %i warning', async (validation, count) => {
    const warnings: unknown[] = [];
    const logger = { warn: (message: string, fields: object) => warnings.push([message, fields]) };
    const { bodies, payments } = clientGetting(paymentIntent, { validation, logger });
    await intent({ amount: 12.5 })(payments);
    expect(bodies.map((body) => JSON.parse(body))).toEqual([{ ...intentParams, amount: 12.5 }]);
    const message =
      'paymentIntents.create: the parameters do not match the schema; going on with them as they are';
    const issue = { path: 'amount', received: 'the number 12.5' };
    const fields = { callId: expect.any(String), operation: 'paymentIntents.create', issues: [issue] };
    expect(warnings).toMatchObject(Array.from({ length: count }, () => [message, fields]));
  });

  it.each([
    ['amuont', "add extraParameters: { 'refunds.create': ['amuont'] } to the options of the client"],
    ['a b\namount', "['…']"],
  ])('whose name %j resembles another one comes with the way to send it', async (name, advice) => {
    const { payments } = clientGetting({});
    const error = await failureOf(refunding({ ...refundParams, [name]: 5 })(payments), InvalidRequestError);
    if (name === 'amuont') expect(error.message).toContain(advice);
    else expect(error.message).not.toContain(name);
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
    const { bodies, payments } = clientGetting(refund);
    await payments.refunds.create(new Refund(), operation);
    expect(bodies).toEqual(['{"amount":500,"charge_id":"ch_1"}']);
  });

  it('and options are those of the moment of the call, also while the key is on its way', async () => {
    const sent: unknown[] = [];
    const fetch = async (request: Request) => {
      const key = request.headers.get('idempotency-key');
      sent.push([JSON.parse(await request.text()).amount, key, request.headers.get('x-shop')]);
      return json(refund);
    };
    const { refunds } = createClient({ fetch, secretKey: async () => 'sk_v1_test_abcdefgh' });
    const params = { charge_id: 'ch_1', amount: 0 };
    const options = { operationId: '', headers: { 'x-shop': '' } };
    const calls = [100, 200].map((amount) => {
      params.amount = amount;
      options.operationId = `return-${amount}`;
      options.headers['x-shop'] = `shop-${amount}`;
      return refunds.create(params, options);
    });
    params.amount = -5;
    options.operationId = '';
    options.headers['x-shop'] = 'other';
    await Promise.all(calls);
    expect(sent).toEqual([
      [100, 'pc1:refunds.create:return-100', 'shop-100'],
      [200, 'pc1:refunds.create:return-200', 'shop-200'],
    ]);
  });
});
