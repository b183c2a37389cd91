/** What errors say, word by word, what `JSON.stringify` shows of them, and what hooks are told of a call and its end. */

import {
  ApiError,
  type EndEvent,
  type ErrorEvent,
  InvalidRequestError,
  type PaymentsClientOptions,
  PaymentsError,
  RequestAbortedError,
  type RequestOptions,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund, refundParams, saleParams } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

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

describe('an error', () => {
  const nothing =
    'No money moved by this call; an earlier one with the same operationId or key may have moved some.';
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
      `refunds.create: expected a response, got a failed connection (ECONNRESET). It may have taken effect: ${again}`,
      { name: 'ConnectionError', code: 'ECONNRESET', outcome: 'unknown', retryable: true },
    ],
    [
      () => refunding(refuses),
      `refunds.create: expected a response, got a failed connection (ECONNREFUSED). ${nothing}`,
      { name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_executed', retryable: true },
    ],
    [
      () => refunding(says('{')),
      `refunds.create: the response is not what it should be: (root): expected a JSON body, got 1 characters that are not JSON. It took effect: ${again}`,
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

describe('an option of a call', () => {
  it.each<[options: unknown, issue: string]>([
    [5, 'options: expected an object, got a number'],
    [null, 'options: expected an object, got null'],
    ['order-1', 'options: expected an object, got a string of 7 characters'],
    [{ checkIds: 'no' }, "options.checkIds: expected true or false, got 'no'"],
    [{ signal: 5 }, 'options.signal: expected an AbortSignal, got the number 5'],
    [{ signal: null }, 'options.signal: expected an AbortSignal, got null'],
    [{ signal: {} }, 'options.signal: expected an AbortSignal, got an object'],
    [{ signal: { aborted: false } }, 'options.signal: expected an AbortSignal, got an object'],
    [
      { signal: { aborted: false, addEventListener: 5 } },
      'options.signal: expected an AbortSignal, got an object',
    ],
    [{ signal: { addEventListener() {} } }, 'options.signal: expected an AbortSignal, got an object'],
  ])('%j is refused', async (options, issue) => {
    const call = createClient({ fetch: answers(200, refund) }).refunds.retrieve('rf_1', anything(options));
    const error = await failureOf(call, InvalidRequestError);
    expect(error.message).toBe(`refunds.retrieve: ${issue}. Nothing was sent.`);
  });

  it('may be a signal of another class', async () => {
    const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
    const { refunds } = createClient({ fetch: answers(200, refund) });
    expect(await refunds.retrieve('rf_1', anything({ signal, checkIds: false }))).toEqual(refund);
  });
});

describe('a key that is asked for', () => {
  const hangs = () => new Promise<string>(() => {});

  it('and never comes ends with the time of the call', async () => {
    const { refunds } = createClient({ secretKey: hangs, totalTimeout: 20, fetch: breaks });
    const error = await failureOf(refunds.create(refundParams, by), TimeoutError);
    expect(error.message).toBe(
      'refunds.create: expected a complete response within 20 ms (totalTimeout), got none. No money moved by this call; an earlier one with the same operationId or key may have moved some.',
    );
  });

  it('and never comes ends with the signal of the call', async () => {
    const { refunds } = createClient({ secretKey: hangs, fetch: breaks });
    const controller = new AbortController();
    const call = refunds.create(refundParams, { ...by, signal: controller.signal });
    controller.abort('closed');
    const error = await failureOf(call, RequestAbortedError);
    expect(error).toMatchObject({ cause: 'closed', attempts: 0, outcome: 'not_executed' });
  });
});

describe('hooks', () => {
  it('are told of the end of a call, and of its error before that', async () => {
    const ends: EndEvent[] = [];
    const errors: ErrorEvent[] = [];
    const hooks = {
      end: (event: EndEvent) => ends.push(event),
      error: (event: ErrorEvent) => errors.push(event),
    };
    const client = (fetch: Service) => createClient({ fetch, hooks, maxRetries: 0 });
    await client(answers(200, refund)).refunds.retrieve('rf_1');
    const error = await failureOf(client(answers(400, {})).refunds.retrieve('rf_1'), ApiError);
    const { callId, requestId } = error;
    expect(ends).toEqual([
      {
        callId: expect.any(String),
        operation: 'refunds.retrieve',
        duration: expect.any(Number),
        error: undefined,
      },
      { callId, operation: 'refunds.retrieve', duration: expect.any(Number), error },
    ]);
    for (const { duration } of ends) expect(duration).toBeLessThan(60_000);
    expect(errors).toEqual([{ callId, operation: 'refunds.retrieve', error, requestId }]);
    expect(requestId).toBe('req_1');
  });
});
