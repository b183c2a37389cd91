/** Defects that were seen in a well-known payment SDK. None of them may come back here. */

import { BadRequestError, ConfigurationError, PaymentsClient, ServerError } from 'payments-client';
import { expect, it, vi } from 'vitest';
import { failureOf } from './support/failure.ts';
import { intentParams, product } from './support/fixtures.ts';
import { createClient, json, text, useMockService } from './support/mock-service.ts';

const service = useMockService();
const by = { operationId: 'order-1' };

it('a 400 whose JSON has no error field is an error, not a result', async () => {
  for (const body of [
    { message: 'no such currency' },
    { id: 'pi_1', object: 'payment_intent' },
    {},
    null,
    'no',
  ]) {
    service.answers(json(body, { status: 400 }));
    const error = await failureOf(createClient().paymentIntents.create(intentParams, by), BadRequestError);
    expect(error.body).toEqual(body);
  }
});

it('a function for the key that rejects ends the call, and does not leave it pending', async () => {
  const secretKey = vi.fn(() => Promise.reject(new Error('the vault is closed')));
  const payments = createClient({ secretKey });
  await failureOf(payments.paymentIntents.create(intentParams, by), ConfigurationError);
  await failureOf(payments.products.list().toArray({ max: 1 }), ConfigurationError);
  expect(secretKey).toHaveBeenCalledTimes(2);
  expect(service.arrivals).toHaveLength(0);
});

it('a list whose page failed is fetched again, and does not repeat a cached error', async () => {
  const first = { data: [product('a')], has_more: true, next_cursor: 'a' };
  service.answers(
    json(first),
    json({}, { status: 400 }),
    json(first),
    json({ data: [product('b')], has_more: false }),
  );
  const list = createClient().products.list();
  await failureOf(list.toArray({ max: 10 }), BadRequestError);
  expect(await list.toArray({ max: 10 })).toHaveLength(2);
  expect(service.arrivals).toHaveLength(4);
});

it('an HTML 502 gives an error with its status', async () => {
  const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>';
  service.answers(text(page, { status: 502, headers: { 'content-type': 'text/html' } }));
  const error = await failureOf(
    createClient({ maxRetries: 0 }).paymentIntents.create(intentParams, by),
    ServerError,
  );
  expect(error).toMatchObject({ status: 502, body: page, outcome: 'unknown' });
  expect(error.message).toContain('502 Bad Gateway');
});

it('the jitter of the back-off has no floor: callers that failed together are spread over the whole range', async () => {
  const draws = [0, 0.0001, 0.0002, 0.0004];
  service.answers(json({}, { status: 500 }));
  const waits: number[] = [];
  for (const draw of draws) {
    vi.spyOn(Math, 'random').mockReturnValue(draw);
    const payments = new PaymentsClient({
      baseUrl: 'https://payments.test',
      secretKey: 'sk_v1_test_jitter',
      maxRetries: 1,
      hooks: { retry: ({ wait }) => waits.push(wait) },
    });
    await failureOf(payments.paymentIntents.create(intentParams, by), ServerError);
  }
  expect(waits).toEqual(draws.map((draw) => draw * 500));
});
