import {
  ApiError,
  type EndEvent,
  type ErrorEvent,
  type Logger,
  type PaymentsClientOptions,
  type RetryEvent,
  ServerError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refund, refundParams } from '../support/fixtures.ts';
import { createClient, json, secretKey, skipBackOff, useMockService } from '../support/mock-service.ts';

type Service = PaymentsClientOptions['fetch'];

const respondWith =
  (status: number, body: unknown): Service =>
  async () =>
    Response.json(body, { status, headers: { 'request-id': 'req_1' } });

describe('hooks', () => {
  it('get the error event of a call before its end event', async () => {
    const ends: EndEvent[] = [];
    const errors: ErrorEvent[] = [];
    const hooks = {
      end: (event: EndEvent) => ends.push(event),
      error: (event: ErrorEvent) => errors.push(event),
    };
    const client = (fetch: Service) => createClient({ fetch, hooks, maxRetries: 0 });
    await client(respondWith(200, refund)).refunds.retrieve('rf_1');
    const error = await failureOf(client(respondWith(400, {})).refunds.retrieve('rf_1'), ApiError);
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

const service = useMockService();
const operation = { operationId: 'order-1' };

describe('hooks and the logger', () => {
  it('get each request, response, retry and error', async () => {
    skipBackOff();
    service.answers(json({ code: 'busy' }, { status: 503 }));
    const seen: string[] = [];
    const payments = createClient({
      maxRetries: 1,
      hooks: {
        request: ({ operation, attempt, headers }) =>
          seen.push(`request ${operation} ${attempt} ${headers['authorization']}`),
        response: ({ status, attempt, duration }) =>
          seen.push(`response ${status} ${attempt} ${typeof duration}`),
        retry: ({ error, wait }: RetryEvent) => seen.push(`retry ${error.code} ${wait}`),
        error: ({ operation, error }) => seen.push(`error ${operation} ${error.name}`),
      },
    });
    await failureOf(payments.refunds.create(refundParams, operation), ServerError);
    expect(seen).toEqual([
      'request refunds.create 1 [redacted]',
      'response 503 1 number',
      'retry busy 0',
      'request refunds.create 2 [redacted]',
      'response 503 2 number',
      'error refunds.create ServerError',
    ]);
  });

  it('never change the result of a call', async () => {
    service.answers(json(refund));
    const warnings: unknown[] = [];
    const logger: Logger = {
      debug: () => {
        throw new Error('disk full');
      },
      warn: (message, fields) => warnings.push([message, fields]),
    };
    const hooks = {
      request: () => {
        throw new Error(`first, with ${secretKey}`);
      },
      response: () => Promise.reject('second'),
    };
    expect(await createClient({ logger, hooks }).refunds.create(refundParams, operation)).toEqual(refund);
    const callId: unknown = expect.any(String);
    expect(warnings).toEqual([
      [
        'the request hook failed; the call goes on',
        { callId, hook: 'request', reason: 'first, with [redacted]' },
      ],
      [
        'the response hook failed; the call goes on',
        { callId, hook: 'response', reason: 'a value that is not an Error' },
      ],
    ]);
  });
});
