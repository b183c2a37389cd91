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
    const error = await service.refuse(
      new Response(null, { status: 308, headers: { location: 'https://elsewhere.test/' } }),
    );
    expect(error.message).toContain('Redirects are not followed');
    expect(error.outcome).toBe('unknown');
    expect(service.arrivals).toHaveLength(1);
  });
});

const by = { idempotencyKey: 'return-1' };

type Service = PaymentsClientOptions['fetch'];

const refunding = (fetch: Service, options: RequestOptions = {}) =>
  failureOf(
    createClient({ fetch, maxRetries: 0 }).refunds.create(refundParams, { ...by, ...options }),
    PaymentsError,
  );

const selling = (fetch: Service) =>
  failureOf(createClient({ fetch, maxRetries: 0 }).transact.sale(saleParams), PaymentsError);

const answers =
  (status: number, body: unknown): Service =>
  async () =>
    Response.json(body, { status, headers: { 'request-id': 'req_1' } });

const breaks: Service = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));

const refuses: Service = () =>
  Promise.reject(Object.assign(new Error('nobody'), { code: 'ECONNREFUSED', syscall: 'connect' }));

const says =
  (text: string): Service =>
  async () =>
    new Response(text);

describe('what an error says', () => {
  const nothing = 'No money moved by this call.';
  const again = 'call again with the same operationId or key to get the original result.';

  it.each<[error: () => Promise<PaymentsError>, message: string, json: object]>([
    [
      () => refunding(answers(400, { code: 'TOO_MUCH', message: 'more than was captured...' })),
      `refunds.create: expected a 2xx response, got 400 TOO_MUCH: more than was captured. ${nothing}`,
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
      () => refunding(answers(400, {})),
      `refunds.create: expected a 2xx response, got 400. ${nothing}`,
      { name: 'BadRequestError', outcome: 'not_executed', retryable: false, requestId: 'req_1', status: 400 },
    ],
    [
      () => refunding(answers(500, {})),
      `refunds.create: expected a 2xx response, got 500. It may have taken effect: ${again}`,
      { name: 'ServerError', outcome: 'unknown', retryable: true, requestId: 'req_1', status: 500 },
    ],
    [
      () => refunding(answers(418, {})),
      `refunds.create: expected a 2xx response, got 418. ${nothing}`,
      { name: 'ApiError', outcome: 'not_executed', retryable: false, requestId: 'req_1', status: 418 },
    ],
    [
      () => refunding(breaks),
      `refunds.create: expected a response from https://payments.test, got a failed connection (ECONNRESET). It may have taken effect: ${again}`,
      { name: 'ConnectionError', code: 'ECONNRESET', outcome: 'unknown', retryable: true },
    ],
    [
      () => refunding(refuses),
      `refunds.create: expected a response from https://payments.test, got a failed connection (ECONNREFUSED). ${nothing}`,
      { name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_executed', retryable: true },
    ],
    [
      () => refunding(says('{')),
      `refunds.create: the response is invalid: expected a JSON body, got 1 characters that are not JSON. It took effect: ${again}`,
      {
        name: 'ResponseValidationError',
        code: 'INVALID_RESPONSE',
        outcome: 'executed',
        retryable: false,
        issues: [{ path: '(root)', expected: 'a JSON body', received: '1 characters that are not JSON' }],
      },
    ],
    [
      () => refunding(breaks, { signal: AbortSignal.abort() }),
      `refunds.create: the call was aborted by its signal. ${nothing}`,
      { name: 'RequestAbortedError', code: 'ABORTED', outcome: 'not_executed', retryable: true, attempts: 0 },
    ],
    [
      () => refunding(() => new Promise(() => {}), { timeout: 20 }),
      `refunds.create: expected a complete response within 20 ms (timeout), got none. It may have taken effect: ${again}`,
      { name: 'TimeoutError', code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', retryable: true },
    ],
  ])('says what happened and what to do', async (fail, message, json) => {
    const error = await fail();
    expect(error.message).toBe(message);
    const { callId } = error;
    expect(callId).toEqual(expect.any(String));
    const common = { message, attempts: 1, idempotencyKey: 'return-1', callId };
    expect(JSON.parse(JSON.stringify(error))).toEqual({ ...common, ...json });
  });

  it.each<[service: Service, advice: string]>([
    [breaks, 'It may have taken effect: look it up before you send it again.'],
    [says('<html>'), 'It may have taken effect: look it up before you send it again.'],
    [refuses, 'No money moved by this call.'],
  ])('of a sale, which has no key, says to look it up', async (service, advice) => {
    const error = await selling(service);
    expect(error.message.endsWith(` ${advice}`)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).not.toHaveProperty('idempotencyKey');
  });

  it('of your own shows no more than it was given', () => {
    const error = new PaymentsError('mine');
    expect(error.toJSON()).toEqual({
      ...{ name: 'PaymentsError', message: 'mine' },
      ...{ outcome: 'not_executed', retryable: false },
    });
    expect(Object.hasOwn(error, 'cause')).toBe(false);
    expect(new PaymentsError('mine', { cause: null }).cause).toBeNull();
  });
});
