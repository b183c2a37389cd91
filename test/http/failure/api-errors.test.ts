/** What an `ApiError` contains: its class, the facts of its response, and a message in a fixed order. */

import {
  ApiError,
  IdempotencyBodyMismatchError,
  IdempotencyError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  ServerError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import wire from '../../interface/tables/wire.json' with { type: 'json' };
import { failureOf } from '../../support/failure.ts';
import { intentParams } from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';

const types = new Map<string, unknown>([
  ['IDEMPOTENCY_KEY_TOO_LONG', IdempotencyKeyTooLongError],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', IdempotencyKeyInProgressError],
  ['IDEMPOTENCY_BODY_MISMATCH', IdempotencyBodyMismatchError],
  ['IDEMPOTENCY_ROUTE_CONFLICT', IdempotencyRouteConflictError],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', IdempotencyStoreUnavailableError],
]);

/** The error of a call that moves money and gets this response. */
function refusal(status: number, body: unknown, headers = {}, options = {}): Promise<ApiError> {
  const payments = createClient({ fetch: async () => json(body, { status, headers }), ...options });
  const by = { operationId: 'order-1', maxRetries: 0 };
  return failureOf(payments.paymentIntents.create(intentParams, by), ApiError);
}

describe('the error of a response', () => {
  it.each(wire.idempotency.errors)('$status $code has a class of its own', async ({ status, code }) => {
    const error = await refusal(status, { code });
    expect(error.constructor).toBe(types.get(code));
    expect(error).toBeInstanceOf(IdempotencyError);
    expect(error).toMatchObject({ status, code, name: error.constructor.name });
  });

  it('leads with what happened, and ends with the text of the service', async () => {
    const body = { code: 'card_declined', decline_code: 'do_not_honor', message: 'The issuer declined.' };
    const error = await refusal(402, body, { 'request-id': 'req_9' });
    expect(error.message).toBe(
      'Card declined (do_not_honor). No money moved by this call (inferred). ' +
        'paymentIntents.create: status 402, code card_declined, request id req_9. ' +
        'The service says: The issuer declined.',
    );
    expect(error.stack).toContain(`PaymentDeclinedError: ${error.message}`);
  });

  it('contains the headers, the body, the code, the key and the number of attempts', async () => {
    const body = { code: 'bad', extra: [1] };
    const error = await refusal(400, body, { 'x-extra': 'yes' });
    expect(error).toMatchObject({ body, code: 'bad', attempts: 1 });
    expect(error.headers.get('x-extra')).toBe('yes');
    expect(error.idempotencyKey).toBe('pc1:paymentIntents.create:order-1');
  });
});

describe('the request id', () => {
  const uuid = '00000000-0000-4000-8000-000000000000';
  const card = '4111-1111-1111-1111';
  it.each<
    readonly [headers: Record<string, string>, requestIdHeader: string | undefined, id: string | undefined]
  >([
    [{ 'request-id': 'req_1' }, undefined, 'req_1'],
    [{ 'x-request-id': 'req_2' }, undefined, 'req_2'],
    [{ 'request-id': 'req_1', 'x-request-id': 'req_2' }, undefined, 'req_1'],
    [{ 'x-trace': 'req_3' }, undefined, undefined],
    [{ 'x-trace': 'req_3', 'request-id': 'req_1' }, 'X-Trace', 'req_3'],
    [{ 'request-id': 'req_1' }, 'X-Trace', undefined],
    // Digits of a UUID are no card number.
    [{ 'request-id': uuid }, undefined, uuid],
    [{ 'request-id': `req-${uuid}` }, undefined, `req-${uuid}`],
    [{ 'request-id': card }, undefined, undefined],
    [{ 'request-id': `req-${card}` }, undefined, undefined],
  ])('of %j with the header %s is %s', async (headers, requestIdHeader, id) => {
    const options = requestIdHeader === undefined ? {} : { interface: { requestIdHeader } };
    const error = await refusal(400, {}, headers, options);
    expect(error.requestId).toBe(id);
    expect(error.message.includes('request id')).toBe(id !== undefined);
    expect(JSON.parse(JSON.stringify(error)).requestId).toBe(id);
  });
});

describe('retryAfter', () => {
  it.each([
    [408, 'SLOW', 7],
    [409, 'IDEMPOTENCY_KEY_IN_PROGRESS', 7],
    [429, 'TOO_MANY', 7],
    [500, 'BROKEN', 7],
    [503, 'IDEMPOTENCY_STORE_UNAVAILABLE', 7],
    [400, 'BAD', undefined],
    [409, 'SPENT', undefined],
  ])('of %i %s is that of the response if the error is retryable: %s', async (status, code, retryAfter) => {
    const error = await refusal(status, { code }, { 'retry-after': '7' });
    expect(error).toMatchObject({ retryable: retryAfter !== undefined, retryAfter });
    expect(JSON.parse(JSON.stringify(error)).retryAfter).toBe(retryAfter);
  });

  it('is in seconds, also from a date, and absent if it cannot be read', async () => {
    const date = 'Wed, 01 Jan 2025 00:00:00 GMT';
    const after = (value: string) => refusal(429, {}, { 'retry-after': value, date });
    expect((await after('Wed, 01 Jan 2025 00:00:09 GMT')).retryAfter).toBe(9);
    expect((await after('soon')).retryAfter).toBeUndefined();
  });

  it('is absent for a sale, which must not be repeated', async () => {
    const fetch = async () => new Response('', { status: 503, headers: { 'retry-after': '7' } });
    const sale = createClient({ fetch }).transact.sale({ amount: '12.00', payment_token: 'tok_1' });
    expect(await failureOf(sale, ServerError)).toMatchObject({ outcome: 'unknown', retryAfter: undefined });
  });
});
