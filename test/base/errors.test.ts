import {
  NotFoundError,
  type PaymentsClientOptions,
  PaymentsError,
  RequestAbortedError,
  type RequestOptions,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const withKey = { idempotencyKey: 'return-1' };

type Service = PaymentsClientOptions['fetch'];

function refundError(fetch: Service, options: RequestOptions = {}): Promise<PaymentsError> {
  const { refunds } = createClient({ fetch, maxRetries: 0 });
  return failureOf(refunds.create(refundParams, { ...withKey, ...options }), PaymentsError);
}

const respondWith =
  (status: number, body: unknown): Service =>
  async () =>
    Response.json(body, { status, headers: { 'request-id': 'req_1' } });

const respondWithText =
  (text: string): Service =>
  async () =>
    new Response(text);

const failWith =
  (code: string, more = {}): Service =>
  () =>
    Promise.reject(Object.assign(new Error('network'), { code, ...more }));

const resetConnection = failWith('ECONNRESET');
const refuseConnection = failWith('ECONNREFUSED', { syscall: 'connect' });

const nothing = 'No money moved by this call.';
const refused = 'No money moved by this call (inferred).';
const again = 'call again with the same operationId or key to get its result.';

interface Row {
  readonly what: string;
  readonly fetch: Service;
  readonly options?: RequestOptions;
  /** What the message leads with, what became of the money and what to do, and the facts behind it. */
  readonly says: readonly [problem: RegExp, money: string, facts: string];
  readonly json: object;
}

const notExecuted = { outcome: 'not_executed', retryable: false };
const unknown = { outcome: 'unknown', retryable: true };

const rows: readonly Row[] = [
  {
    what: 'a refusal with words of the service',
    fetch: respondWith(400, { code: 'TOO_MUCH', message: 'more than was captured...' }),
    says: [
      /^The service rejected/,
      refused,
      'status 400, code TOO_MUCH, request id req_1. The service says: more than was captured...',
    ],
    json: { name: 'BadRequestError', code: 'TOO_MUCH', ...notExecuted, requestId: 'req_1', status: 400 },
  },
  {
    what: 'a refusal without words',
    fetch: respondWith(400, {}),
    says: [/^The service rejected/, refused, 'status 400, request id req_1.'],
    json: { name: 'BadRequestError', ...notExecuted, requestId: 'req_1', status: 400 },
  },
  {
    what: 'a failure of the service',
    fetch: respondWith(500, {}),
    says: [/^The service failed/, `Money may have moved: ${again}`, 'status 500, request id req_1.'],
    json: { name: 'ServerError', ...unknown, requestId: 'req_1', status: 500 },
  },
  {
    what: 'a status that nobody expects',
    fetch: respondWith(418, {}),
    says: [/^Unexpected response \(418\)/, refused, 'status 418, request id req_1.'],
    json: { name: 'ApiError', ...notExecuted, requestId: 'req_1', status: 418 },
  },
  {
    what: 'a redirect',
    fetch: respondWith(308, {}),
    says: [/^.*Redirects are not followed/, 'Money may have moved: ', 'status 308, request id req_1.'],
    json: { name: 'ApiError', outcome: 'unknown', requestId: 'req_1', status: 308 },
  },
  {
    what: 'a connection that broke',
    fetch: resetConnection,
    says: [
      /^The connection to https:\/\/payments\.test failed \(ECONNRESET\)/,
      `Money may have moved: ${again}`,
      '1 attempt.',
    ],
    json: { name: 'ConnectionError', code: 'ECONNRESET', ...unknown },
  },
  {
    what: 'a connection that was never made',
    fetch: refuseConnection,
    says: [/failed \(ECONNREFUSED\)/, nothing, '1 attempt.'],
    json: { name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_executed', retryable: true },
  },
  {
    what: 'a result that cannot be read',
    fetch: respondWithText('{'),
    says: [
      /expected a JSON body, got a text of 1 character/,
      `The call took effect: ${again}`,
      'status 200.',
    ],
    json: {
      name: 'ResponseValidationError',
      code: 'INVALID_RESPONSE',
      outcome: 'executed',
      retryable: false,
      issues: [expect.objectContaining({ path: '(root)', expected: 'a JSON body' })],
    },
  },
  {
    what: 'a call that its signal aborts before anything is sent',
    fetch: resetConnection,
    options: { signal: AbortSignal.abort() },
    says: [/^The call was aborted/, nothing, '0 attempts.'],
    json: {
      name: 'RequestAbortedError',
      code: 'ABORTED',
      outcome: 'not_executed',
      retryable: true,
      attempts: 0,
    },
  },
  {
    what: 'a response that never comes',
    fetch: () => new Promise(() => {}),
    options: { timeout: 20 },
    says: [/^No complete response within 20 ms/, `Money may have moved: ${again}`, '1 attempt.'],
    json: { name: 'TimeoutError', code: 'ATTEMPT_TIMEOUT', ...unknown },
  },
];

describe('the message and the JSON of an error', () => {
  it.each(rows)(
    'say what happened to the money and what to do: $what',
    async ({ fetch, options, says, json }) => {
      const error = await refundError(fetch, options);
      const { message, callId } = error;
      const [problem, money, facts] = says;
      expect(message).toMatch(problem);
      expect(message).toContain(`. ${money}`);
      expect(message.endsWith(` refunds.create: ${facts}`)).toBe(true);
      expect(callId).toEqual(expect.any(String));
      const common = { message, attempts: 1, idempotencyKey: 'return-1', idempotentReplayed: false, callId };
      const written = JSON.parse(JSON.stringify(error));
      expect({ ...written, retryable: error.retryable }).toEqual({
        paymentsError: 1,
        ...common,
        retryable: false,
        ...json,
      });
    },
  );

  it.each<[service: Service, advice: string]>([
    [resetConnection, 'Money may have moved: look the call up before you send it again.'],
    [respondWithText('<html>'), 'Money may have moved: look the call up before you send it again.'],
    [refuseConnection, nothing],
  ])('advise a lookup if a sale, which has no key, may have taken effect', async (fetch, advice) => {
    const { transact } = createClient({ fetch, maxRetries: 0 });
    const error = await failureOf(transact.sale(saleParams), PaymentsError);
    expect(error.message).toContain(`. ${advice} transact.sale: `);
    expect(JSON.parse(JSON.stringify(error))).not.toHaveProperty('idempotencyKey');
  });

  it('name the inferred path after a 404, and how to correct it', async () => {
    const { paymentIntents } = createClient({ fetch: respondWith(404, { message: 'no such route' }) });
    const error = await failureOf(paymentIntents.retrieve('pi_1'), NotFoundError);
    expect(error.message).toContain("'GET /v1/payment_intents/{id}' is inferred");
    expect(error.message).toContain("routes: { 'paymentIntents.retrieve'");
  });
});

it.each(['while the request is on its way', 'during the wait for the next attempt'])(
  'the cause of a call that its signal aborts %s is the reason, and its outcome is unknown',
  async (when) => {
    const controller = new AbortController();
    const abort = () => controller.abort('closed');
    const fetch = async () => {
      if (when.startsWith('while')) abort();
      return Response.json({}, { status: 500, headers: { 'retry-after': '60' } });
    };
    const { refunds } = createClient({ fetch, hooks: { retry: abort } });
    const call = refunds.create(refundParams, { ...withKey, signal: controller.signal });
    const error = await failureOf(call, RequestAbortedError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1, cause: 'closed' });
  },
);
