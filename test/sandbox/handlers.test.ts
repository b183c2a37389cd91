import { describe, expect, test } from 'vitest';
import { checkoutSessionSchema } from '../../src/resources/checkout-sessions.ts';
import { customerSchema } from '../../src/resources/customers.ts';
import { openResourceSchema } from '../../src/resources/open-resource.ts';
import { paymentIntentSchema } from '../../src/resources/payment-intents.ts';
import { refundSchema } from '../../src/resources/refunds.ts';
import { parse } from '../support/parse.ts';
import { codeOf, idOf, read, sessionParams, start } from '../support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z
const intentParams = { amount: 1200, currency: 'usd', metadata: { order: '1042' } };

async function paidIntent(service: ReturnType<typeof start>, amount = 1200) {
  const { id } = await service.post('/v1/payment_intents', { amount, currency: 'usd' });
  return service.sandbox.pay(String(id));
}

describe('checkout sessions', () => {
  test('a session is open and unpaid for 24 hours, and sums up its lines', async () => {
    const { post, request } = start();
    const line_items = [
      { name: 'Tea', amount: 1200, currency: 'usd', quantity: 2 },
      { name: 'Cup', amount: 350, currency: 'usd', quantity: 1 },
    ];
    const session = parse(
      checkoutSessionSchema,
      await post('/v1/checkout/sessions', sessionParams({ line_items })),
    );
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_[0-9a-z]{16}$/),
      amount_subtotal: 2750,
      amount_total: 2750,
      currency: 'USD',
      status: 'open',
      payment_status: 'unpaid',
      livemode: false,
      customer: null,
      created_at: second,
      expires_at: second + 86_400,
      line_items: [
        { name: 'Tea', currency: 'USD', quantity: 2 },
        { name: 'Cup', currency: 'USD', quantity: 1 },
      ],
    });
    expect(await read(await request(`/v1/checkout/sessions/${session.id}`))).toEqual(session);
  });

  test('a session expires when its time has come, and not before', async () => {
    const { sandbox, post, request } = start();
    const { id } = await post('/v1/checkout/sessions', sessionParams());
    const session = async () => read(await request(`/v1/checkout/sessions/${id}`));
    sandbox.clock.advance(86_400_000 - 1);
    expect(await session()).toMatchObject({ status: 'open', updated_at: second });
    sandbox.clock.advance(1);
    expect(await session()).toMatchObject({ status: 'expired', updated_at: second + 86_400 });
  });

  test('a session that expired on the way of the clock carries the time at which it did', async () => {
    const { sandbox, post, request } = start();
    const { id } = await post('/v1/checkout/sessions', sessionParams());
    sandbox.clock.advance(2 * 86_400_000);
    const session = await read(await request(`/v1/checkout/sessions/${id}`));
    expect(session).toMatchObject({ status: 'expired', updated_at: second + 86_400 });
  });

  test.each([
    [{ mode: 'gift' }, 'mode'],
    [{ line_items: [] }, 'line_items'],
    [{ line_items: [{ name: 'Tea', amount: 12.5, currency: 'usd', quantity: 1 }] }, 'line_items[0].amount'],
    [{ line_items: [{ name: 'Tea', amount: 1, currency: 'dollar', quantity: 1 }] }, 'line_items[0].currency'],
    [{ metadata: { order: 1042 } }, 'metadata.order'],
    [{ success_url: '' }, 'success_url'],
  ])('a session with %j is refused with the name of the parameter', async (wrong, param) => {
    const { request } = start();
    const refused = await request('/v1/checkout/sessions', { body: sessionParams(wrong) });
    expect(refused.status).toBe(400);
    expect(await read(refused)).toMatchObject({ error: { code: 'INVALID_PARAMETER', param } });
  });

  test('lines of different currencies, and an unknown customer, are refused', async () => {
    const { request } = start();
    const line = { name: 'Tea', amount: 1, currency: 'usd', quantity: 1 };
    const mixed = sessionParams({ line_items: [line, { ...line, currency: 'eur' }] });
    expect((await request('/v1/checkout/sessions', { body: mixed })).status).toBe(400);
    const unknown = sessionParams({ customer: 'cus_nobody' });
    expect((await request('/v1/checkout/sessions', { body: unknown })).status).toBe(422);
  });
});

describe('payment intents', () => {
  test('an intent waits for a payment method', async () => {
    const { post, request } = start();
    const intent = parse(paymentIntentSchema, await post('/v1/payment_intents', intentParams));
    expect(intent).toMatchObject({
      amount: 1200,
      currency: 'USD',
      status: 'requires_payment_method',
      capture_method: 'automatic',
      latest_charge_id: null,
      metadata: { order: '1042' },
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    expect(await read(await request(`/v1/payment_intents/${intent.id}`))).toEqual(intent);
  });

  test('a paid intent has succeeded, with a charge and a payment method', async () => {
    const service = start();
    const { id } = await service.post('/v1/payment_intents', intentParams);
    service.sandbox.clock.advance(5_000);
    const paid = parse(paymentIntentSchema, service.sandbox.pay(String(id)));
    expect(paid).toMatchObject({
      status: 'succeeded',
      latest_charge_id: expect.stringMatching(/^ch_/),
      payment_method: expect.stringMatching(/^pm_/),
      updated_at: second + 5,
    });
    expect(await read(await service.request(`/v1/payment_intents/${id}`))).toEqual(paid);
  });

  test('an intent is paid once, and an unknown one not at all', async () => {
    const service = start();
    const { id } = await paidIntent(service);
    expect(() => service.sandbox.pay(id)).toThrow(/waits for a payment/);
    expect(() => service.sandbox.pay('pi_nowhere')).toThrow(/waits for a payment/);
  });

  test.each([{ amount: 0 }, { amount: '1200' }, { amount: undefined }, { currency: 'us' }])(
    'an intent with %j is refused',
    async (wrong) => {
      const { request } = start();
      expect((await request('/v1/payment_intents', { body: { ...intentParams, ...wrong } })).status).toBe(
        400,
      );
    },
  );
});

describe('refunds', () => {
  test('a refund gives back all that is left, and is pending at first', async () => {
    const service = start();
    const intent = await paidIntent(service);
    await service.post('/v1/refunds', { payment_intent_id: intent.id, amount: 500, reason: 'returned' });
    const rest = parse(
      refundSchema,
      await service.post('/v1/refunds', { charge_id: intent.latest_charge_id }),
    );
    expect(rest).toMatchObject({
      amount: 700,
      currency: 'USD',
      status: 'pending',
      payment_intent_id: intent.id,
      charge_id: intent.latest_charge_id,
      reason: null,
    });
    expect(await read(await service.request(`/v1/refunds/${rest.id}`))).toEqual(rest);
  });

  test('no more than was paid is ever given back', async () => {
    const service = start();
    const { id } = await paidIntent(service);
    const refund = (amount?: number) =>
      service.request('/v1/refunds', { body: { payment_intent_id: id, amount } });
    const tooMuch = await refund(1201);
    expect([tooMuch.status, await codeOf(tooMuch)]).toEqual([422, 'REFUND_EXCEEDS_CHARGE']);

    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(300)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    const empty = await refund();
    expect([empty.status, await codeOf(empty)]).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  });

  test('an intent that has not succeeded cannot be refunded', async () => {
    const { request, post } = start();
    const { id } = await post('/v1/payment_intents', intentParams);
    const refused = await request('/v1/refunds', { body: { payment_intent_id: id } });
    expect([refused.status, await codeOf(refused)]).toEqual([422, 'PAYMENT_INTENT_NOT_SUCCEEDED']);
  });

  test.each([
    [{}, 400],
    [{ payment_intent_id: 'pi_1', charge_id: 'ch_1' }, 400],
    [{ payment_intent_id: 'pi_nowhere' }, 422],
    [{ charge_id: 'ch_nowhere' }, 422],
  ])('a refund of %j is refused with %i', async (body, status) => {
    const { request } = start();
    expect((await request('/v1/refunds', { body })).status).toBe(status);
  });
});

describe('customers', () => {
  test('a customer is deleted softly and can be restored', async () => {
    const { sandbox, post, request } = start();
    const created = parse(customerSchema, await post('/v1/customers', { email: 'ada@example.com' }));
    expect(created).toMatchObject({
      deleted: false,
      email: 'ada@example.com',
      first_name: '',
      creation_source: 'api',
    });
    const path = `/v1/customers/${created.id}`;

    sandbox.clock.advance(1_000);
    const deleted = parse(customerSchema, await read(await request(path, { method: 'DELETE' })));
    expect(deleted).toEqual({ ...created, deleted: true, updated_at: second + 1 });
    expect(await read(await request(path))).toEqual(deleted);

    const restored = parse(customerSchema, await read(await request(`${path}/restore`, { method: 'POST' })));
    expect(restored).toEqual({ ...created, updated_at: second + 1 });
  });

  test('deleting again and restoring again change nothing', async () => {
    const { sandbox, post, request } = start();
    const path = `/v1/customers/${idOf(await post('/v1/customers', {}))}`;
    const once = await read(await request(path, { method: 'DELETE' }));
    sandbox.clock.advance(1_000);
    expect(await read(await request(path, { method: 'DELETE' }))).toEqual(once);
    const restored = await read(await request(`${path}/restore`, { method: 'POST' }));
    sandbox.clock.advance(1_000);
    expect(await read(await request(`${path}/restore`, { method: 'POST' }))).toEqual(restored);
  });
});

describe('products', () => {
  test('a product that was added can be read', async () => {
    const { sandbox, request } = start();
    const product = sandbox.add('product', { name: 'Tea' });
    expect(parse(openResourceSchema, product)).toMatchObject({ object: 'product', name: 'Tea' });
    expect(await read(await request(`/v1/products/${product.id}`))).toEqual(product);
  });
});

test.each([
  '/v1/checkout/sessions/cs_nowhere',
  '/v1/payment_intents/pi_nowhere',
  '/v1/refunds/rf_nowhere',
  '/v1/customers/cus_nowhere',
  '/v1/products/prod_nowhere',
])('%s is not found', async (path) => {
  const { request } = start();
  const refused = await request(path);
  expect([refused.status, await codeOf(refused)]).toEqual([404, 'OBJECT_NOT_FOUND']);
});

test('every collection lists what was created, as it is', async () => {
  const service = start();
  const intent = await paidIntent(service);
  const created = {
    '/v1/checkout/sessions': await service.post('/v1/checkout/sessions', sessionParams()),
    '/v1/payment_intents': intent,
    '/v1/refunds': await service.post('/v1/refunds', { payment_intent_id: intent.id }),
    '/v1/customers': await service.post('/v1/customers', {}),
    '/v1/products': service.sandbox.add('product'),
  };
  for (const [path, item] of Object.entries(created)) {
    expect(await read(await service.request(path))).toEqual({ data: [item], has_more: false });
  }
});

test('two sandboxes give the same objects to the same requests', async () => {
  const run = async () => {
    const { post } = start();
    return [
      await post('/v1/checkout/sessions', sessionParams()),
      await post('/v1/payment_intents', intentParams),
    ];
  };
  expect(await run()).toEqual(await run());
});
