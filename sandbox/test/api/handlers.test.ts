import type { SandboxOptions } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { parse } from '../../../test/support/parse.ts';
import { codeOf, paidIntent, read, sessionParams, start } from '../../../test/support/sandbox-requests.ts';

const intentParams = { amount: 1200, currency: 'usd', metadata: { order: '1042' } };

describe('products', () => {
  test('a created product can be retrieved', async () => {
    const { sandbox, request } = start();
    const product = sandbox.add('product', { name: 'Tea' });
    expect(parse('product', product)).toMatchObject({ object: 'product', name: 'Tea' });
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

test('every collection lists its created objects', async () => {
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

test('two sandboxes with one seed create the same objects for the same requests', async () => {
  const run = async (options?: SandboxOptions) => {
    const { post } = start(options);
    return [
      await post('/v1/checkout/sessions', sessionParams()),
      await post('/v1/payment_intents', intentParams),
    ];
  };
  expect(await run({ seed: 7 })).toEqual(await run({ seed: 7 }));
  const [session, again] = [await run(), await run()].map(([one]) => Object(one).id);
  expect(again).not.toBe(session);
});
