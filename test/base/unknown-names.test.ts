/** Unknown option names. Ignoring one could change what is charged, to whom, or how often. */

import { InvalidRequestError, type RouteName, type WithOperationId } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { everyMethod } from '../support/every-method.ts';
import { failureOf } from '../support/failure.ts';
import { saleParams } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const failOnRequest = () => Promise.reject(new Error('A request was sent.'));
const payments = createClient({ fetch: failOnRequest, maxRetries: 0 });

async function refusalOf(call: PromiseLike<unknown>): Promise<string> {
  const { message, issues } = await failureOf(call, InvalidRequestError);
  expect(message.endsWith('. Nothing was sent.')).toBe(true);
  return issues.map(({ path, received }) => `${path}: ${received}`).join();
}

describe('an unknown name', () => {
  it('is refused in the argument of payments.request', async () => {
    const request: object = { method: 'POST', path: '/v1/payouts', boddy: { amount: 5 } };
    const call = payments.request(anything(request), { operationId: 'payout-1' });
    expect(await refusalOf(call)).toBe("boddy: an unknown option (did you mean 'body'?)");
  });

  it('is refused by toArray', async () => {
    const list = createClient({
      fetch: async () => Response.json({ data: [], has_more: false }),
    }).products.list();
    const few = await failureOf(list.toArray(anything({ max: 1, maxx: 2 })), InvalidRequestError);
    expect(few.issues).toMatchObject([{ path: 'maxx', received: "an unknown option (did you mean 'max'?)" }]);
  });

  it.each([
    ['apiKey', 'secretKey'],
    ['api_key', 'secretKey'],
    ['host', 'baseUrl'],
    ['maxNetworkRetries', 'maxRetries'],
    ['time_out', 'timeout'],
  ])('of a client is answered with the nearest one, or with the name that it has here: %s', (name, meant) => {
    const options: object = { [name]: 'x' };
    const expected = `${name}: expected a known name, got an unknown option (did you mean '${meant}'?). Correct`;
    expect(() => createClient(options)).toThrow(expected);
  });

  it('is answered with all known names if none is near', () => {
    const options: object = { stripeAccount: 'acct_1' };
    expect(() => createClient(options)).toThrow('stripeAccount: expected one of timeout, totalTimeout, ');
  });

  it('is refused in a line of a session, where a price has no id', async () => {
    const line_items: object[] = [{ price: 'price_1', quantity: 1 }];
    const call = payments.checkoutSessions.create(anything({ mode: 'payment', line_items }), {
      operationId: 'order-1',
    });
    const { message } = await failureOf(call, InvalidRequestError);
    expect(message).toContain(
      'line_items[0].price: expected one of name, amount, currency, quantity, got an unknown one (a line has an amount, an item a price)',
    );
  });

  it('is refused in the hooks and routes of a client', () => {
    const hooks: object = { requests: () => {} };
    expect(() => createClient({ hooks })).toThrow(
      "hooks.requests: expected a known name, got an unknown option (did you mean 'request'?)",
    );
    const routes: object = { 'refunds.retreive': 'GET /v1/refunds/{id}' };
    expect(() => createClient({ routes })).toThrow("did you mean 'refunds.retrieve'?");
  });
});

describe('an unknown option of a call', () => {
  const routeNames = Object.keys(everyMethod) as RouteName[];

  it.each(routeNames)('is refused by %s', async (name) => {
    // A list sends no idempotency key.
    const by = name.endsWith('.list') ? {} : { operationId: 'order-1' };
    const options: WithOperationId = anything({ ...by, timeOut: 5 });
    const message = await refusalOf(everyMethod[name](payments, options, options));
    expect(message).toBe("options.timeOut: an unknown option (did you mean 'timeout'?)");
  });

  it.each([
    ['stripeAccount', 'an unknown option'],
    ['apiKey', 'an unknown option'],
    ['operationID', "an unknown option (did you mean 'operationId'?)"],
    ['idempotency_key', "an unknown option (did you mean 'idempotencyKey'?)"],
    ['timeOut', "an unknown option (did you mean 'timeout'?)"],
    ['max_retries', "an unknown option (did you mean 'maxRetries'?)"],
  ])('is reported with the option that was probably meant: %s', async (name, received) => {
    const options: object = { [name]: 'x' };
    expect(await refusalOf(payments.refunds.retrieve('rf_1', options))).toBe(`options.${name}: ${received}`);
  });

  it('is refused by payments.request, waitFor and transact', async () => {
    const options: object = { signals: undefined };
    const meant = "options.signals: an unknown option (did you mean 'signal'?)";
    expect(await refusalOf(payments.request({ method: 'GET', path: '/v1/x' }, options))).toBe(meant);
    expect(await refusalOf(payments.refunds.waitFor('rf_1', options))).toBe(meant);
    expect(await refusalOf(payments.transact.sale(saleParams, options))).toBe(meant);
  });

  it('may be an option that only lists or only transactions accept', async () => {
    const list: object = { throwOnDecline: true };
    expect(await refusalOf(payments.refunds.list({}, list))).toMatch(/^options.throwOnDecline/);
    const sale: object = { stripeAccount: 'acct_1' };
    expect(await refusalOf(payments.transact.sale(saleParams, sale))).toMatch(/^options.stripeAccount/);
  });
});
