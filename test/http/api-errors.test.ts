import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyBodyMismatchError,
  IdempotencyError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  NotFoundError,
  PaymentDeclinedError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import wire from '../interface/tables/wire.json' with { type: 'json' };
import { failureOf } from '../support/failure.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();

const idempotencyErrors = new Map<string, readonly [type: unknown, outcome: string]>([
  ['IDEMPOTENCY_KEY_TOO_LONG', [IdempotencyKeyTooLongError, 'not_executed']],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', [IdempotencyKeyInProgressError, 'unknown']],
  ['IDEMPOTENCY_BODY_MISMATCH', [IdempotencyBodyMismatchError, 'unknown']],
  ['IDEMPOTENCY_ROUTE_CONFLICT', [IdempotencyRouteConflictError, 'unknown']],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', [IdempotencyStoreUnavailableError, 'not_executed']],
]);

describe('the error of a status', () => {
  it.each([
    [400, BadRequestError, 'not_executed'],
    [401, AuthenticationError, 'not_executed'],
    [402, PaymentDeclinedError, 'not_executed'],
    [403, PermissionError, 'not_executed'],
    [404, NotFoundError, 'not_executed'],
    [408, ApiError, 'unknown'],
    [451, ApiError, 'not_executed'],
    [499, ApiError, 'not_executed'],
    [409, ConflictError, 'not_executed'],
    [422, UnprocessableError, 'not_executed'],
    [429, RateLimitError, 'not_executed'],
    [500, ServerError, 'unknown'],
    [502, ServerError, 'unknown'],
    [503, ServerError, 'unknown'],
    [504, ServerError, 'unknown'],
  ])('%i is a %o whose outcome is %s', async (status, type, outcome) => {
    const error = await service.refuse(
      json({ error: { code: 'some_code', message: 'Some words' } }, { status }),
    );
    expect(error).toBeInstanceOf(type);
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({ status, outcome, code: 'some_code', attempts: 1 });
    expect(error.name).toBe(type.name);
    expect(error.message).toContain('Some words');
    expect(error.stack).toContain(`${type.name}: ${error.message}`);
    expect(error.message).toContain(` paymentIntents.create: status ${status}, code some_code.`);
  });

  it.each(wire.idempotency.errors)('$status $code has a class of its own', async ({ status, code }) => {
    const error = await service.refuse(json({ code }, { status }));
    const [type, outcome] = idempotencyErrors.get(code) ?? [];
    expect(error.constructor).toBe(type);
    expect(error).toBeInstanceOf(IdempotencyError);
    expect(error).toMatchObject({ status, code, outcome });
  });

  it('leads with what happened, and ends with the text of the service', async () => {
    const body = { code: 'card_declined', decline_code: 'do_not_honor', message: 'The issuer declined.' };
    const error = await service.refuse(json(body, { status: 402, headers: { 'request-id': 'req_9' } }));
    expect(error.message).toBe(
      'Card declined (do_not_honor). No money moved by this call (inferred). ' +
        'paymentIntents.create: status 402, code card_declined, request id req_9. ' +
        'The service says: The issuer declined.',
    );
  });

  it('speaks of money only if the call moves some', async () => {
    const { customers } = createClient({
      fetch: async () => new Response('', { status: 500 }),
      maxRetries: 0,
    });
    const create = customers.create({ email: 'ada@shop.example' }, { operationId: 'customer-7' });
    expect((await failureOf(create, ServerError)).message).toBe(
      'The service failed (500). The call may have taken effect: call again with the same operationId or key to get the ' +
        'original result. customers.create: status 500.',
    );
  });

  it('contains the request id, the headers, the body and the key', async () => {
    const error = await service.refuse(
      json(
        { code: 'bad', extra: [1] },
        { status: 400, headers: { 'x-request-id': 'req_9', 'x-extra': 'yes' } },
      ),
    );
    expect(error.requestId).toBe('req_9');
    expect(error.headers.get('x-extra')).toBe('yes');
    expect(error.body).toEqual({ code: 'bad', extra: [1] });
    expect(error.idempotencyKey).toBe('pc1:paymentIntents.create:order-1');
  });

  it.each([
    ['a UUID of digits', '00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000'],
    [
      'a UUID in a longer id',
      'req-00000000-0000-4000-8000-000000000000',
      'req-00000000-0000-4000-8000-000000000000',
    ],
    ['a card number', '4111-1111-1111-1111', undefined],
    ['a card number in a longer id', 'req-4111-1111-1111-1111', undefined],
  ])('has %s as request id only if it is harmless', async (_what, id, requestId) => {
    const error = await service.refuse(json({}, { status: 400, headers: { 'request-id': id } }));
    expect(error.requestId).toBe(requestId);
  });

  it.each([
    [408, 'SLOW'],
    [409, 'IDEMPOTENCY_KEY_IN_PROGRESS'],
    [429, 'TOO_MANY'],
    [500, 'BROKEN'],
    [503, 'IDEMPOTENCY_STORE_UNAVAILABLE'],
  ])('of %i %s has the retryAfter of its response, since it is retryable', async (status, code) => {
    const error = await service.refuse(json({ code }, { status, headers: { 'retry-after': '7' } }));
    expect(error).toMatchObject({ retryable: true, retryAfter: 7 });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ retryAfter: 7 });
  });

  it('has no retryAfter if it is not retryable', async () => {
    const headers = { 'retry-after': '7' };
    const error = await service.refuse(json({}, { status: 400, headers }));
    expect(error).toMatchObject({ retryable: false, retryAfter: undefined });
    const transact = createClient({ maxRetries: 0 }).transact;
    service.answers(text('later', { status: 503, headers }));
    const sale = transact.sale({ amount: '12.00', payment_token: 'tok_1' });
    expect(await failureOf(sale, ServerError)).toMatchObject({ outcome: 'unknown', retryAfter: undefined });
  });

  it('has retryAfter in seconds, from a number and from a date', async () => {
    const inSeconds = await service.refuse(json({}, { status: 429, headers: { 'retry-after': '7' } }));
    expect(inSeconds).toMatchObject({ retryAfter: 7 });
    const date = 'Wed, 01 Jan 2025 00:00:00 GMT';
    const headers = { 'retry-after': 'Wed, 01 Jan 2025 00:00:09 GMT', date };
    expect(await service.refuse(json({}, { status: 429, headers }))).toMatchObject({ retryAfter: 9 });
    expect(await service.refuse(json({}, { status: 429, headers: { 'retry-after': 'soon' } }))).toMatchObject(
      {
        retryAfter: undefined,
      },
    );
  });
});
