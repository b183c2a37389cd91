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
  PaymentsError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams } from '../support/fixtures.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const once = { operationId: 'order-1', maxRetries: 0 };

function fail(answer: Response): Promise<ApiError> {
  service.answers(answer);
  return failureOf(createClient().paymentIntents.create(intentParams, once), ApiError);
}

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
    const error = await fail(json({ error: { code: 'some_code', message: 'Some words' } }, { status }));
    expect(error).toBeInstanceOf(type);
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({ status, outcome, code: 'some_code', attempts: 1 });
    expect(error.name).toBe(type.name);
    expect(error.message).toContain('Some words');
    expect(error.stack).toContain(`${type.name}: paymentIntents.create`);
  });

  it.each([
    [400, 'IDEMPOTENCY_KEY_TOO_LONG', IdempotencyKeyTooLongError, 'not_executed'],
    [409, 'IDEMPOTENCY_KEY_IN_PROGRESS', IdempotencyKeyInProgressError, 'unknown'],
    [422, 'IDEMPOTENCY_BODY_MISMATCH', IdempotencyBodyMismatchError, 'unknown'],
    [422, 'IDEMPOTENCY_ROUTE_CONFLICT', IdempotencyRouteConflictError, 'unknown'],
    [503, 'IDEMPOTENCY_STORE_UNAVAILABLE', IdempotencyStoreUnavailableError, 'not_executed'],
  ])('%i %s is a %o whose outcome is %s', async (status, code, type, outcome) => {
    const error = await fail(json({ code }, { status }));
    expect(error.constructor).toBe(type);
    expect(error).toBeInstanceOf(IdempotencyError);
    expect(error).toMatchObject({ status, code, outcome });
  });

  it('ends the words of the service with one full stop', async () => {
    const error = await fail(json({ message: 'The issuer declined.' }, { status: 402 }));
    expect(error.message).toContain(': The issuer declined. No money');
  });

  it('carries the request id, the headers, the body and the key', async () => {
    const error = await fail(
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

  it('tells how long to wait, in seconds, from a number and from a date', async () => {
    const inSeconds = await fail(json({}, { status: 429, headers: { 'retry-after': '7' } }));
    expect(inSeconds).toMatchObject({ retryAfter: 7 });
    const date = 'Wed, 01 Jan 2025 00:00:00 GMT';
    const headers = { 'retry-after': 'Wed, 01 Jan 2025 00:00:09 GMT', date };
    expect(await fail(json({}, { status: 429, headers }))).toMatchObject({ retryAfter: 9 });
    expect(await fail(json({}, { status: 429, headers: { 'retry-after': 'soon' } }))).toMatchObject({
      retryAfter: undefined,
    });
  });
});

describe('the code and the message of an error body', () => {
  it.each([
    ['nested', json({ error: { code: 'c_1', message: 'm one' } }, { status: 400 }), 'c_1', 'm one'],
    ['flat', json({ code: 'c_1', message: 'm one' }, { status: 400 }), 'c_1', 'm one'],
    ['OAuth', json({ error: 'c_1', error_description: 'm one' }, { status: 400 }), 'c_1', 'm one'],
    [
      'a list',
      json({ errors: [{ code: 'c_1', detail: 'm one' }, { code: 'c_2' }] }, { status: 400 }),
      'c_1',
      'm one',
    ],
    ['a bare list', json([{ code: 'c_1', message: 'm one' }], { status: 400 }), 'c_1', 'm one'],
    [
      'problem+json',
      json(
        { type: 'https://x.test/p', title: 'Bad', status: 400, detail: 'm one', code: 'c_1' },
        { status: 400 },
      ),
      'c_1',
      'm one',
    ],
    ['a list of strings', json({ errors: ['m one'] }, { status: 400 }), undefined, 'm one'],
    [
      'by field',
      json({ errors: { amount: ['must be positive'] } }, { status: 400 }),
      undefined,
      'amount: must be positive',
    ],
    ['a number as code', json({ code: 77, message: 'm one' }, { status: 400 }), '77', 'm one'],
    ['a JSON string', json('m one', { status: 400 }), undefined, 'm one'],
    ['text', text('m one', { status: 400 }), undefined, 'm one'],
    [
      'text with a documented code',
      text('IDEMPOTENCY_BODY_MISMATCH: other body', { status: 422 }),
      'IDEMPOTENCY_BODY_MISMATCH',
      'other body',
    ],
    [
      'HTML',
      text('<html><head><title>502 Bad Gateway</title></head></html>', { status: 502 }),
      undefined,
      '502 Bad Gateway',
    ],
    ['nothing', text('', { status: 500 }), undefined, 'got 500.'],
  ])('are read from %s', async (_shape, answer, code, message) => {
    const error = await fail(answer);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});

describe('an error', () => {
  it('is recognised by the class of another copy of the package', () => {
    const foreign = new Error('from the other build');
    Object.defineProperty(foreign, Symbol.for('payments-client/PaymentsError'), { value: true });
    Object.defineProperty(foreign, Symbol.for('payments-client/ApiError'), { value: true });
    expect(foreign).toBeInstanceOf(PaymentsError);
    expect(foreign).toBeInstanceOf(ApiError);
    expect(foreign).not.toBeInstanceOf(ServerError);
    expect(new Error('other')).not.toBeInstanceOf(PaymentsError);
    expect(null).not.toBeInstanceOf(PaymentsError);
  });

  it('of a class that a user derives is told apart from its parent', () => {
    class OwnError extends PaymentsError {}
    expect(new OwnError('mine')).toBeInstanceOf(OwnError);
    expect(new OwnError('mine')).toBeInstanceOf(PaymentsError);
    expect(new PaymentsError('theirs')).not.toBeInstanceOf(OwnError);
  });

  it('says of a 404 on an inferred path that it was inferred and how to correct it', async () => {
    service.answers(json({ message: 'no such route' }, { status: 404 }));
    const error = await failureOf(createClient().paymentIntents.retrieve('pi_1'), NotFoundError);
    expect(error.message).toContain("'GET /v1/payment_intents/{id}' is inferred");
    expect(error.message).toContain("routes: { 'paymentIntents.retrieve'");
  });

  it('says of a redirect where it may not go', async () => {
    const error = await fail(
      new Response(null, { status: 308, headers: { location: 'https://elsewhere.test/' } }),
    );
    expect(error.message).toContain('Redirects are not followed');
    expect(error.outcome).toBe('unknown');
    expect(service.arrivals).toHaveLength(1);
  });
});
