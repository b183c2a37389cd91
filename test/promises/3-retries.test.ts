/** Promise 3: nothing is retried that could act twice. */

import { ApiError, ConnectionError, PaymentsError, type WriteOptions } from 'payments-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { customer, intentParams, paymentIntent, refund, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { response } from '../support/socket-server.ts';
import { type Answer, broken, json, ok, wireClient } from './wire.ts';

beforeEach(skipBackOff);

const by = { operationId: 'order-1042' };

const transient: readonly (readonly [what: string, answer: Answer])[] = [
  ['a broken connection', broken],
  ['408', response('408 Request Timeout', '')],
  ['409 in progress', json('409 Conflict', { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })],
  ['429', response('429 Too Many Requests', '')],
  ['500', response('500 Internal Server Error', '')],
  ['503', response('503 Unavailable', '')],
];

const final: readonly (readonly [what: string, answer: Answer])[] = [
  ['400', json('400 Bad Request', {})],
  ['401', json('401 Unauthorized', {})],
  ['402', json('402 Payment Required', { code: 'card_declined' })],
  ['404', json('404 Not Found', {})],
  ['another 409', json('409 Conflict', { code: 'IDEMPOTENCY_ROUTE_CONFLICT' })],
  ['422', json('422 Unprocessable', { code: 'IDEMPOTENCY_BODY_MISMATCH' })],
  ['a result that cannot be read', ok({ id: 7 })],
];

describe('a call with a key', () => {
  it.each(transient)('is repeated after %s, with the same key and the same bytes', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer, answer, ok(paymentIntent));
    await payments.paymentIntents.create({ ...intentParams, metadata: { a: 'é' } }, by);
    expect(requests).toHaveLength(3);
    expect(new Set(requests).size).toBe(1);
    expect(requests[0]).toContain('idempotency-key: pc1:paymentIntents.create:order-1042');
  });

  it.each(final)('is sent once after %s', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer);
    await failureOf(payments.paymentIntents.create(intentParams, by), PaymentsError);
    expect(requests).toHaveLength(1);
  });

  it('is given up after as many retries as the caller allows', async () => {
    const { payments, requests } = await wireClient(response('503 Unavailable', ''));
    await failureOf(payments.paymentIntents.create(intentParams, by), ApiError);
    expect(requests).toHaveLength(3);
    await failureOf(payments.paymentIntents.create(intentParams, { ...by, maxRetries: 0 }), ApiError);
    expect(requests).toHaveLength(4);
  });
});

describe('a POST that moves no money and has no operationId', () => {
  const keyIn = (request = '') => /^idempotency-key: (.*)$/m.exec(request)?.[1];

  it.each(transient)('is repeated after %s, with a key of its own', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer, answer, ok(customer));
    await payments.customers.create({ first_name: 'Ada' });
    expect(requests).toHaveLength(3);
    expect(new Set(requests).size).toBe(1);
    expect(keyIn(requests[0])).toMatch(/^pc1r:[\da-f-]{36}/);
  });

  it('has another key when it is called again', async () => {
    const { payments, requests } = await wireClient(ok(customer));
    await payments.customers.create({ first_name: 'Ada' });
    await payments.customers.create({ first_name: 'Ada' });
    expect(new Set(requests.map(keyIn)).size).toBe(2);
  });

  it('can be called again with the key that its error names', async () => {
    const { payments, requests } = await wireClient(broken, ok(customer));
    const create = (options: WriteOptions) => payments.customers.create({ first_name: 'Ada' }, options);
    const error = await failureOf(create({ maxRetries: 0 }), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toContain('call again with { idempotencyKey: error.idempotencyKey }');
    const { idempotencyKey } = error;
    await create(idempotencyKey === undefined ? {} : { idempotencyKey });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toBe(requests[0]);
  });
});

describe('a call without a key', () => {
  it.each(transient)('that patches is sent once after %s', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer);
    const patch = { method: 'PATCH', path: '/v1/customers/cus_1', body: {}, movesMoney: false } as const;
    await failureOf(payments.request(patch), PaymentsError);
    expect(requests).toHaveLength(1);
  });

  it.each(transient)('that sells is sent once after %s', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer);
    await failureOf(payments.transact.sale(saleParams), PaymentsError);
    expect(requests).toHaveLength(1);
  });

  it.each(transient)('that reads is repeated after %s', async (_what, answer) => {
    const { payments, requests } = await wireClient(answer, ok(refund));
    expect(await payments.refunds.retrieve('rf_1')).toMatchObject({ id: 'rf_1' });
    expect(requests).toHaveLength(2);
  });
});
