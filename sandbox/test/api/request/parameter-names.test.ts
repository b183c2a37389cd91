import { createTestClient } from 'payments-client-sandbox/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../../../../test/support/anything.ts';
import { read, sessionParams, start } from '../../../../test/support/sandbox-requests.ts';

afterEach(() => vi.restoreAllMocks());

const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };

/** By a client that checks nothing. */
function createSession(params: object) {
  const { payments } = createTestClient({ client: { validation: 'off' } });
  return payments.checkoutSessions.create(anything({ mode: 'payment', ...params }), {
    operationId: 'order-1',
  });
}

it('writes an unknown parameter to the console once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  // One that is nearer is refused.
  const params = { line_items: [line], sucess_adress: 'https://shop.example/' };
  await createSession(params);
  await createSession(params);
  expect(warn.mock.calls).toEqual([
    ["payments-client sandbox: ignored the unknown parameter 'sucess_adress'."],
  ]);
});

it('finds one inside an item, and accepts any key of metadata', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await createSession({ line_items: [{ ...line, prize: 7 }], metadata: { anything: 'goes' } });
  expect(warn.mock.calls).toEqual([["payments-client sandbox: ignored the unknown parameter 'prize'."]]);
});

it('never writes a name that may be a secret', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await createSession({ line_items: [line], sk_v1_test_0123456789: true });
  expect(warn).not.toHaveBeenCalled();
});

const intent = { amount: 1200, currency: 'usd' };
const withoutAmount = { name: 'Tea', currency: 'usd', quantity: 1 };

describe('a parameter that resembles an absent one is refused:', () => {
  it.each([
    ['/v1/payment_intents', { amout: 1200, currency: 'usd' }, 'amout', 'amount'],
    ['/v1/payment_intents', { ...intent, paymentMethod: 'pm_1' }, 'paymentMethod', 'payment_method'],
    ['/v1/payment_intents/pi_1/capture', { amount_to_capture: 500 }, 'amount_to_capture', 'amount'],
    ['/v1/refunds', { charge_id: 'ch_1', refund_amount: 500 }, 'refund_amount', 'amount'],
    ['/v1/customers', { frist_name: 'Ada' }, 'frist_name', 'first_name'],
    [
      '/v1/customers',
      { payment_settings: { default_method: 1, defaultPaymentMethod: 'pm_1' } },
      'payment_settings.defaultPaymentMethod',
      'default_payment_method',
    ],
    [
      '/v1/checkout/sessions',
      sessionParams({ line_items: [{ ...withoutAmount, amuont: 5 }] }),
      'line_items[0].amuont',
      'amount',
    ],
    ['/v1/subscriptions', { customer: 'cus_1', Items: [] }, 'Items', 'items'],
  ])('%s %j', async (path, body, param, meant) => {
    const { request, sandbox } = start();
    const refused = await request(path, { body });
    expect(refused.status).toBe(400);
    const said = `, got an unknown one (did you mean '${meant}'?). Correct it.`;
    expect(await read(refused)).toMatchObject({
      error: { code: 'INVALID_PARAMETER', param, message: expect.stringContaining(said) },
    });
    expect(sandbox.events).toEqual([]);
  });

  it.each(['startingAfter', 'Limit', 'ofset'])('in a query: %s', async (name) => {
    const { request } = start();
    const refused = await request(`/v1/customers?${name}=1`);
    expect([refused.status, await read(refused)]).toMatchObject([400, { error: { param: name } }]);
  });

  it('and the message repeats no name that may be a secret', async () => {
    const { request } = start();
    const text = await (await request('/v1/refunds', { body: { 'amount.sk_v1_test_1': 5 } })).text();
    expect(text).toContain(
      "body: expected a parameter of this method, got an unknown one (did you mean 'amount'?)",
    );
    expect(text).not.toContain('sk_v1');
  });
});

describe('a parameter passes', () => {
  it.each([
    ['/v1/payment_intents', { ...intent, statement_descriptor: 'TEA' }],
    ['/v1/payment_intents', { ...intent, metadata: { amout: '1', paymentMethod: '2' } }],
    ['/v1/customers', { name: 'Ada', billing_address: { frist_name: 'Ada' } }],
    ['/v1/products', { nam: 'Tea', amout: 5 }],
  ])('that resembles no absent one: %s', async (path, body) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { request } = start();
    expect((await request(path, { body })).status).toBe(200);
  });

  it('that the interface of the sandbox names', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { request } = start({
      interface: { extraParameters: { 'paymentIntents.create': ['amount_due'] } },
    });
    const body = { ...intent, amount_due: 5, paymentMethods: ['pm_1'] };
    expect(await read(await request('/v1/payment_intents', { body }))).toMatchObject({
      error: { param: 'paymentMethods' },
    });
    const { paymentMethods: _, ...named } = body;
    expect((await request('/v1/payment_intents', { body: named })).status).toBe(200);
  });

  it('in a query that resembles none', async () => {
    const { request } = start();
    expect((await request('/v1/customers?email=ada@example.com&limit=5')).status).toBe(200);
  });
});

it('arrays within arrays are refused by the schema, however deep they are', async () => {
  const { request } = start();
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const refused = await request('/v1/checkout/sessions', { body: `{"mode":"payment","line_items":${deep}}` });
  expect(await read(refused)).toMatchObject({ error: { param: 'line_items[0]' } });
});

it('a wrong extraParameters of the interface is rejected by name', () => {
  const wrong = anything({ extraParameters: { 'refunds.creat': ['note'] } });
  expect(() => start({ interface: wrong })).toThrow("(did you mean 'refunds.create'?)");
});
