/** Unknown option names. Ignoring one could change what is charged, to whom, or how often. */

import { InvalidRequestError, type PaymentsClient, type RouteName } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../../support/anything.ts';
import { everyMethod } from '../../../support/every-method.ts';
import { failureOf } from '../../../support/failure.ts';
import { saleParams } from '../../../support/fixtures.ts';
import { createClient } from '../../../support/mock-service.ts';

const failOnRequest = () => Promise.reject(new Error('A request was sent.'));
const payments = createClient({ fetch: failOnRequest, maxRetries: 0 });

async function refusalOf(call: PromiseLike<unknown>, isRead = false): Promise<string> {
  const { message, issues, outcome } = await failureOf(call, InvalidRequestError);
  expect(message.endsWith('. Nothing was sent.')).toBe(true);
  expect(outcome).toBe(isRead ? 'not_an_operation' : 'not_executed');
  return issues.map(({ path, received }) => `${path}: ${received}`).join();
}

const meant = (name: string) => `an unknown option (did you mean '${name}'?)`;

describe('an unknown option of a client', () => {
  it.each<[options: object, received: string]>([
    [{ apiKey: 'x' }, `apiKey: expected a known name, got ${meant('secretKey')}`],
    [{ api_key: 'x' }, `api_key: expected a known name, got ${meant('secretKey')}`],
    [{ host: 'x' }, `host: expected a known name, got ${meant('baseUrl')}`],
    [{ maxNetworkRetries: 1 }, `maxNetworkRetries: expected a known name, got ${meant('maxRetries')}`],
    [{ time_out: 1 }, `time_out: expected a known name, got ${meant('timeout')}`],
    [{ stripeAccount: 'x' }, 'stripeAccount: expected one of timeout, totalTimeout, '],
    [{ hooks: { requests: () => {} } }, `hooks.requests: expected a known name, got ${meant('request')}`],
    [{ routes: { 'refunds.retreive': 'GET /v1/{id}' } }, "did you mean 'refunds.retrieve'?"],
  ])('is answered with the name that it has here, or with all: %o', (options, words) => {
    expect(() => createClient(options)).toThrow(words);
  });
});

describe('an unknown option of a call', () => {
  const options: object = { timeOut: 5 };
  const by = { operationId: 'order-1', ...options };

  const methods = Object.keys(everyMethod) as RouteName[];
  const calls: readonly (readonly [name: string, isRead: boolean, call: () => PromiseLike<unknown>])[] = [
    ...methods.map((name) => {
      // A list sends no idempotency key.
      const own = anything(name.endsWith('.list') ? options : by);
      const isRead = /\.(?:retrieve|list|expand)$/.test(name);
      return [name, isRead, () => everyMethod[name](payments, own, own)] as const;
    }),
    ['request', true, () => payments.request({ method: 'GET', path: '/v1/x' }, options)],
    ['waitFor', true, () => payments.refunds.waitFor('rf_1', options)],
    ['transact.sale', false, () => payments.transact.sale(saleParams, options)],
  ];

  it.each(calls)('is refused by %s', async (_name, isRead, call) => {
    expect(await refusalOf(call(), isRead)).toBe(`options.timeOut: ${meant('timeout')}`);
  });

  type Call = (p: PaymentsClient, given: never) => PromiseLike<unknown>;
  const retrieve: Call = (p, given) => p.refunds.retrieve('rf_1', given);
  const list: Call = (p, given) => p.refunds.list({}, given);
  const sale: Call = (p, given) => p.transact.sale(saleParams, given);

  it.each<[name: string, call: Call, received: string]>([
    ['stripeAccount', retrieve, 'an unknown option'],
    ['apiKey', retrieve, 'an unknown option'],
    ['operationID', retrieve, meant('operationId')],
    ['idempotency_key', retrieve, meant('idempotencyKey')],
    ['max_retries', retrieve, meant('maxRetries')],
    ['throwOnDecline', list, 'an unknown option'],
    ['stripeAccount', sale, 'an unknown option'],
  ])('is reported with the option that was probably meant: %s', async (name, call, received) => {
    const refused = call(payments, anything({ [name]: 'x' }));
    expect(await refusalOf(refused, call !== sale)).toBe(`options.${name}: ${received}`);
  });
});

describe('an unknown name', () => {
  it('is refused in the argument of payments.request', async () => {
    const request: object = { method: 'POST', path: '/v1/payouts', boddy: { amount: 5 } };
    const call = payments.request(anything(request), { operationId: 'payout-1' });
    expect(await refusalOf(call)).toBe(`boddy: ${meant('body')}`);
  });

  it('is refused by toArray', async () => {
    const fetch = async () => Response.json({ data: [], has_more: false });
    const few = createClient({ fetch })
      .products.list()
      .toArray(anything({ max: 1, maxx: 2 }));
    expect((await failureOf(few, InvalidRequestError)).issues).toMatchObject([
      { path: 'maxx', received: meant('max') },
    ]);
  });

  it('is refused in a line of a session, where a price has no id', async () => {
    const line_items: object[] = [{ price: 'price_1', quantity: 1 }];
    const params = anything({ mode: 'payment', line_items });
    const call = payments.checkoutSessions.create(params, { operationId: 'order-1' });
    const { issues } = await failureOf(call, InvalidRequestError);
    expect(issues).toContainEqual({
      path: 'line_items[0].price',
      expected: 'a parameter of this method',
      received: "an unknown one (did you mean 'amount'?)",
    });
  });
});
