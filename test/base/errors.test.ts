import {
  ApiError,
  NotFoundError,
  type PaymentsClientOptions,
  PaymentsError,
  type RequestOptions,
  ServerError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();

describe('an error', () => {
  it('from another copy of the package passes instanceof', () => {
    const foreign = new Error('from the other build');
    Object.defineProperty(foreign, Symbol.for('payments-client/PaymentsError'), { value: true });
    Object.defineProperty(foreign, Symbol.for('payments-client/ApiError'), { value: true });
    expect(foreign).toBeInstanceOf(PaymentsError);
    expect(foreign).toBeInstanceOf(ApiError);
    expect(foreign).not.toBeInstanceOf(ServerError);
    expect(new Error('other')).not.toBeInstanceOf(PaymentsError);
    expect(null).not.toBeInstanceOf(PaymentsError);
  });

  it('of a derived class is not confused with its parent class', () => {
    class OwnError extends PaymentsError {}
    expect(new OwnError('mine')).toBeInstanceOf(OwnError);
    expect(new OwnError('mine')).toBeInstanceOf(PaymentsError);
    expect(new PaymentsError('theirs')).not.toBeInstanceOf(OwnError);
  });

  it('names the inferred path after a 404 and shows how to correct it', async () => {
    service.answers(json({ message: 'no such route' }, { status: 404 }));
    const error = await failureOf(createClient().paymentIntents.retrieve('pi_1'), NotFoundError);
    expect(error.message).toContain("'GET /v1/payment_intents/{id}' is inferred");
    expect(error.message).toContain("routes: { 'paymentIntents.retrieve'");
  });

  it('explains that redirects are not followed', async () => {
    const error = await service.refuse(
      new Response(null, { status: 308, headers: { location: 'https://elsewhere.test/' } }),
    );
    expect(error.message).toContain('Redirects are not followed');
    expect(error.outcome).toBe('unknown');
    expect(service.arrivals).toHaveLength(1);
  });
});

const withKey = { idempotencyKey: 'return-1' };

type Service = PaymentsClientOptions['fetch'];

const refundError = (fetch: Service, options: RequestOptions = {}) =>
  failureOf(
    createClient({ fetch, maxRetries: 0 }).refunds.create(refundParams, { ...withKey, ...options }),
    PaymentsError,
  );

const saleError = (fetch: Service) =>
  failureOf(createClient({ fetch, maxRetries: 0 }).transact.sale(saleParams), PaymentsError);

const respondWith =
  (status: number, body: unknown): Service =>
  async () =>
    Response.json(body, { status, headers: { 'request-id': 'req_1' } });

const resetConnection: Service = () =>
  Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));

const refuseConnection: Service = () =>
  Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }));

const respondWithText =
  (text: string): Service =>
  async () =>
    new Response(text);

describe('the message and the JSON of an error', () => {
  const nothing = 'No money moved by this call.';
  const refused = 'No money moved by this call (inferred).';
  const again = 'call again with the same operationId or key to get the original result.';

  it.each<[error: () => Promise<PaymentsError>, message: string, json: object]>([
    [
      () => refundError(respondWith(400, { code: 'TOO_MUCH', message: 'more than was captured...' })),
      `The service rejected the parameters. ${refused} refunds.create: status 400, code TOO_MUCH, request id req_1. The service says: more than was captured...`,
      {
        name: 'BadRequestError',
        code: 'TOO_MUCH',
        outcome: 'not_executed',
        retryable: false,
        requestId: 'req_1',
        status: 400,
      },
    ],
    [
      () => refundError(respondWith(400, {})),
      `The service rejected the parameters. ${refused} refunds.create: status 400, request id req_1.`,
      { name: 'BadRequestError', outcome: 'not_executed', retryable: false, requestId: 'req_1', status: 400 },
    ],
    [
      () => refundError(respondWith(500, {})),
      `The service failed (500). Money may have moved: ${again} refunds.create: status 500, request id req_1.`,
      { name: 'ServerError', outcome: 'unknown', retryable: true, requestId: 'req_1', status: 500 },
    ],
    [
      () => refundError(respondWith(418, {})),
      `Unexpected response (418). ${refused} refunds.create: status 418, request id req_1.`,
      { name: 'ApiError', outcome: 'not_executed', retryable: false, requestId: 'req_1', status: 418 },
    ],
    [
      () => refundError(resetConnection),
      `The connection to https://payments.test failed (ECONNRESET). Money may have moved: ${again} refunds.create: 1 attempt.`,
      { name: 'ConnectionError', code: 'ECONNRESET', outcome: 'unknown', retryable: true },
    ],
    [
      () => refundError(refuseConnection),
      `The connection to https://payments.test failed (ECONNREFUSED). ${nothing} refunds.create: 1 attempt.`,
      { name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_executed', retryable: true },
    ],
    [
      () => refundError(respondWithText('{')),
      `The response is invalid: expected a JSON body, got a text of 1 character that is not JSON. The call took effect: ${again} refunds.create: status 200.`,
      {
        name: 'ResponseValidationError',
        code: 'INVALID_RESPONSE',
        outcome: 'executed',
        retryable: false,
        issues: [
          { path: '(root)', expected: 'a JSON body', received: 'a text of 1 character that is not JSON' },
        ],
      },
    ],
    [
      () => refundError(resetConnection, { signal: AbortSignal.abort() }),
      `The call was aborted by its signal. ${nothing} refunds.create: 0 attempts.`,
      { name: 'RequestAbortedError', code: 'ABORTED', outcome: 'not_executed', retryable: true, attempts: 0 },
    ],
    [
      () => refundError(() => new Promise(() => {}), { timeout: 20 }),
      `No complete response within 20 ms (timeout; 30 s is 30_000). Money may have moved: ${again} refunds.create: 1 attempt.`,
      { name: 'TimeoutError', code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', retryable: true },
    ],
  ])('state what happened and what to do', async (fail, message, json) => {
    const error = await fail();
    expect(error.message).toBe(message);
    const { callId } = error;
    expect(callId).toEqual(expect.any(String));
    const common = { message, attempts: 1, idempotencyKey: 'return-1', callId };
    expect(JSON.parse(JSON.stringify(error))).toEqual({ ...common, ...json });
  });

  it.each<[service: Service, advice: string]>([
    [resetConnection, 'Money may have moved: look the call up before you send it again.'],
    [respondWithText('<html>'), 'Money may have moved: look the call up before you send it again.'],
    [refuseConnection, 'No money moved by this call.'],
  ])('advise a lookup if a sale, which has no key, may have taken effect', async (service, advice) => {
    const error = await saleError(service);
    expect(error.message).toContain(`. ${advice} transact.sale: `);
    expect(JSON.parse(JSON.stringify(error))).not.toHaveProperty('idempotencyKey');
  });

  it('contain only defaults if a user creates it without details', () => {
    const error = new PaymentsError('mine');
    expect(error.toJSON()).toEqual({
      name: 'PaymentsError',
      message: 'mine',
      outcome: 'not_executed',
      retryable: false,
    });
    expect(Object.hasOwn(error, 'cause')).toBe(false);
    expect(new PaymentsError('mine', { cause: null }).cause).toBeNull();
  });
});
