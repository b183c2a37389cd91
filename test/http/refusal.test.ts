/** The outcome and `retryable` of errors after a response other than 2xx, over real sockets. */

import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  ApiError,
  ConflictError,
  IdempotencyBodyMismatchError,
  IdempotencyKeyInProgressError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  isDecline,
  type Outcome,
  PaymentDeclinedError,
  PaymentsError,
  ServerError,
  UnprocessableError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { paymentIntent, refundParams, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { serve } from '../support/serve.ts';
import { response, startSocketServer, startWireServer } from '../support/socket-server.ts';
import { clientOf } from '../support/transports.ts';

const operation = { operationId: 'order-1' };
const inProgress = '{"error":{"code":"IDEMPOTENCY_KEY_IN_PROGRESS"}}';
const head = (status: string, headers: string) => `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`;

/** Responds to each request with these bytes, and may then end the connection. */
async function serviceSending(bytes: string | Uint8Array, ends = false) {
  const { url, requests } = await startWireServer(({ write, end }) => {
    write(bytes);
    if (ends) end();
  });
  const payments = clientOf(url, { maxRetries: 2 });
  return { requests, payments, create: () => payments.refunds.create(refundParams, operation) };
}

describe('a 409 with an unreadable code, for a call with a key', () => {
  beforeEach(skipBackOff);

  const conflict = '409 Conflict';
  const badlyCompressed = Buffer.concat([
    Buffer.from(head(conflict, 'content-encoding: gzip\r\ncontent-length: 60')),
    gzipSync(inProgress).fill(7, 12),
  ]);
  it.each<[what: string, bytes: string | Uint8Array, ends: boolean]>([
    ['truncated', `${head(conflict, 'content-length: 400')}${inProgress.slice(0, 20)}`, true],
    ['badly compressed', badlyCompressed, true],
    ['empty', response(conflict, ''), false],
    ['a page', response(conflict, '<html><title>Conflict</title></html>'), false],
    ['a text that begins with the code', response(conflict, 'IDEMPOTENCY_KEY_IN_PROGRESS: wait'), false],
    ['without a code', response(conflict, '{"message":"conflict"}'), false],
  ])('has the outcome unknown and is retried with the same key, if it is %s', async (_what, bytes, ends) => {
    const { create, requests } = await serviceSending(bytes, ends);
    const error = await failureOf(create(), ApiError);
    expect(error).toMatchObject({ status: 409, outcome: 'unknown', retryable: true, attempts: 3 });
    expect(new Set(requests.map((request) => /idempotency-key: \S+/i.exec(request)?.[0])).size).toBe(1);
  });

  it('has the outcome unknown and is retried, if it stalls', async () => {
    const { url, connections } = await startSocketServer((socket) => {
      socket.once('data', () => socket.write(`${head(conflict, 'content-length: 400')}{"error":`));
    });
    const { refunds } = clientOf(url, { maxRetries: 1, timeout: 300 });
    const error = await failureOf(refunds.create(refundParams, operation), ApiError);
    expect(error).toMatchObject({ status: 409, outcome: 'unknown', attempts: 2 });
    expect(connections()).toBe(2);
  });

  it('is not executed with a readable code', async () => {
    const { create } = await serviceSending(response(conflict, '{"code":"ALREADY_REFUNDED"}'));
    expect(await failureOf(create(), ConflictError)).toMatchObject({ outcome: 'not_executed', attempts: 1 });
  });

  it('is like a 422 that is not JSON, which may be about the key', async () => {
    for (const body of ['', '<html>', '{"error":{"code":"IDEMPOTENCY_BODY_MIS']) {
      const { create } = await serviceSending(response('422 Unprocessable', body));
      const error = await failureOf(create(), UnprocessableError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    }
    const { create } = await serviceSending(response('422 Unprocessable', '{"message":"too much"}'));
    expect((await failureOf(create(), UnprocessableError)).outcome).toBe('not_executed');
  });
});

describe('a refusal without a readable code', () => {
  const sentReason = 'requested_by_customer';

  /** The service of a refund and of a sale that both get this response. */
  async function answersTo(status: string, body: string) {
    const { payments } = await serviceSending(response(status, body));
    const { signal } = new AbortController();
    const params = { ...refundParams, reason: sentReason };
    const options = { ...operation, maxRetries: 0 };
    return [
      await failureOf(payments.refunds.create(params, options), ApiError),
      await failureOf(payments.transact.sale({ ...saleParams, orderid: sentReason }, { signal }), ApiError),
    ];
  }

  it.each([
    ['402 Payment Required', ''],
    ['402 Payment Required', '<html><title>Payment Required</title></html>'],
    ['402 Payment Required', 'CARD_DECLINED: the card was declined'],
    ['402 Payment Required', '{"message":"your plan has ended"}'],
    ['402 Payment Required', '{"code":402}'],
    ['402 Payment Required', '{"code":"402","statusCode":402,"error":"Payment Required"}'],
    ['402 Payment Required', '{"error":"payment_required"}'],
    ['402 Payment Required', '{"error":{"code":"PAYMENT_REQUIRED"}}'],
    ['402 Payment Required', '{"code":"PaymentRequiredException"}'],
    ['402 Payment Required', '{"code":"HTTP_402","type":"error"}'],
    ['402 Payment Required', '{"code":"ERR_HTTP_402_PAYMENT_REQUIRED"}'],
    ['402 Payment Required', '{"decline_code":"402"}'],
    ['402 Payment Required', `{"reason":"${sentReason}","amount":500}`],
    ['402 Payment Required', `{"error":{"code":"${sentReason}"}}`],
    ['402 Payment Required', `{"decline_code":"${sentReason}"}`],
    ['402 Payment Required', '{"code":"POST"}'],
    ['402 Payment Required', `{"code":"${sentReason.toUpperCase()}"}`],
    ['409 Conflict', ''],
    ['409 Conflict', '{"statusCode":409,"error":"Conflict","message":"Conflict"}'],
    ['409 Conflict', '{"code":"CONFLICT"}'],
    ['409 Conflict', '{"code":"HttpConflictError"}'],
    ['422 Unprocessable', '<html>'],
    ['408 Request Timeout', '{"code":"REQUEST_TIMEOUT"}'],
  ])('%s %s proves nothing, of a call with a key and of a sale', async (status, body) => {
    for (const error of await answersTo(status, body)) {
      expect(error).not.toBeInstanceOf(PaymentDeclinedError);
      expect(isDecline(error)).toBe(false);
      expect(error.outcome).toBe('unknown');
      expect(error.message).toContain('Money may have moved');
    }
  });

  it.each(['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_BODY_MISMATCH', 'IDEMPOTENCY_ROUTE_CONFLICT'])(
    '402 with %s is about the key, and no decline',
    async (code) => {
      for (const error of await answersTo('402 Payment Required', JSON.stringify({ code }))) {
        expect(error).not.toBeInstanceOf(PaymentDeclinedError);
        expect([isDecline(error), error.outcome]).toEqual([false, 'unknown']);
      }
    },
  );

  it.each([
    ['402 Payment Required', '{"code":"CARD_DECLINED"}'],
    ['402 Payment Required', '{"code":402,"error_code":"card_declined"}'],
    ['402 Payment Required', '{"code":402,"errors":[{"type":"card_error"}]}'],
    ['402 Payment Required', '{"code":"payment_required","decline_code":"05"}'],
    ['409 Conflict', '{"code":"KEY_CONFLICT"}'],
    ['422 Unprocessable', '{"message":"too much"}'],
    ['404 Not Found', '<html><title>Not Found</title></html>'],
    ['451 Unavailable For Legal Reasons', ''],
  ])('%s %s is a refusal', async (status, body) => {
    for (const error of await answersTo(status, body)) {
      expect(error.outcome).toBe('not_executed');
      expect(isDecline(error)).toBe(status.startsWith('402'));
    }
  });

  it('is not retried after a 402, whose repetition would charge a card again', async () => {
    const { create, requests } = await serviceSending(response('402 Payment Required', '{}'));
    expect(await failureOf(create(), ApiError)).toMatchObject({ retryable: false, attempts: 1 });
    expect(requests).toHaveLength(1);
  });
});

describe('a documented code', () => {
  const store = 'IDEMPOTENCY_STORE_UNAVAILABLE';

  it.each<[what: string, status: string, body: string]>([
    ['in a text', '503 Unavailable', `${store}: the store is away`],
    ['in the middle of a text', '503 Unavailable', `No product named "${store}"`],
    ['in a page', '503 Unavailable', `<html><title>${store}</title></html>`],
    ['in a message', '503 Unavailable', `{"message":"no product ${store}"}`],
    ['among errors by field', '503 Unavailable', `{"name":["${store}"]}`],
    [
      'in the request that is repeated',
      '503 Unavailable',
      `{"error":{"message":"no"},"params":{"code":"${store}"}}`,
    ],
    ['with another status', '500 Internal Server Error', `{"code":"${store}"}`],
    ['with a gateway’s status', '502 Bad Gateway', `{"code":"${store}"}`],
    ['with a redirect', '302 Found', `{"code":"${store}"}`],
  ])('%s does not prove that nothing was executed', async (_what, status, body) => {
    const { payments } = await serviceSending(response(status, body));
    const error = await failureOf(
      payments.refunds.create(refundParams, { ...operation, maxRetries: 0 }),
      ApiError,
    );
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('Money may have moved');
  });

  it.each([`{"code":"${store}"}`, `{"error":{"code":"${store}"}}`, `{"error":"${store}"}`])(
    'in its field, with its status, proves that nothing was executed: %s',
    async (body) => {
      const { payments } = await serviceSending(response('503 Unavailable', body));
      const call = payments.refunds.create(refundParams, { ...operation, maxRetries: 0 });
      const error = await failureOf(call, IdempotencyStoreUnavailableError);
      expect(error).toMatchObject({ outcome: 'not_executed', retryable: true });
    },
  );

  it('has its own error class only with its status', async () => {
    const { create } = await serviceSending(response('400 Bad Request', inProgress));
    const error = await failureOf(create(), ApiError);
    expect(error).not.toBeInstanceOf(IdempotencyKeyInProgressError);
    // The code says that another request with this key is in progress, whatever the status.
    expect(error.outcome).toBe('unknown');
  });

  it.each([
    [
      'IDEMPOTENCY_BODY_MISMATCH',
      IdempotencyBodyMismatchError,
      'An earlier call with this operationId or key had other parameters: look at what it did.',
    ],
    [
      'IDEMPOTENCY_ROUTE_CONFLICT',
      IdempotencyRouteConflictError,
      'An earlier call used this key on another endpoint: look at what it did',
    ],
  ])('%s proves an earlier request, whose outcome is unknown', async (code, type, words) => {
    const { create } = await serviceSending(response('422 Unprocessable', JSON.stringify({ code })));
    const error = await failureOf(create(), type);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    expect(error.message).toContain(words);
  });
});

describe('a 408', () => {
  it('may come from a proxy that had forwarded a sale, so the sale is unknown and not retried', async () => {
    let sales = 0;
    const service = await serve((_request, reply) => {
      sales += 1;
      reply.end('response=1');
    });
    const proxy = createServer((request, reply) => {
      // It forwards the request, and gives up before it has read the response.
      const passedOn = fetch(`${service.url}${request.url}`, { method: 'POST', body: 'x' });
      void passedOn.then(() => reply.writeHead(408).end('{"code":"REQUEST_TIMEOUT"}'));
    });
    const running = await serve((request, reply) => void proxy.emit('request', request, reply));
    const payments = clientOf(running.url, { maxRetries: 2 });
    const error = await failureOf(payments.transact.sale(saleParams), ApiError);
    expect(error).toMatchObject({ status: 408, outcome: 'unknown', retryable: false, attempts: 1 });
    expect(sales).toBe(1);
    service.close();
    running.close();
  });
});

describe('a status that no standard defines', () => {
  it.each<[body: string, outcome: Outcome]>([
    ['', 'unknown'],
    ['{"code":"CLOSED"}', 'not_executed'],
  ])('proves something only with a code: %s', async (body, outcome) => {
    const { create } = await serviceSending(response('499 Client Closed Request', body));
    expect((await failureOf(create(), ApiError)).outcome).toBe(outcome);
  });
});

describe('the truncated result of a sale', () => {
  it.each([
    ['a part of it (206)', response('206 Partial Content', 'response=1&responsetext=OK')],
    ['fewer bytes than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\nresponse=1'],
  ])('is never approved: %s', async (_what, bytes) => {
    const { payments } = await serviceSending(bytes, true);
    expect(await failureOf(payments.transact.sale(saleParams), PaymentsError)).toMatchObject({
      outcome: 'unknown',
      retryable: false,
    });
  });

  it('is never approved if fetch does not check the content length', async () => {
    const headers = { 'content-length': '90' };
    const fetch = async () => new Response('response=1', { headers });
    const error = await failureOf(
      clientOf('https://payments.test', { fetch }).transact.sale(saleParams),
      PaymentsError,
    );
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(error.message).toContain('expected a whole answer, got one that ends early');
  });
});

describe('a decline', () => {
  it('of the JSON API has its own class, the decline code of the service, and a failed charge', async () => {
    const sandbox = createSandbox();
    const payments = clientOf(sandbox.url, {
      secretKey: sandbox.secretKey,
      fetch: sandbox.fetch,
    });
    const intent = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, operation);
    const confirm = payments.paymentIntents.confirm(
      intent.id,
      { payment_method: 'pm_card_stolen' },
      operation,
    );
    const error = await failureOf(confirm, PaymentDeclinedError);
    expect(error).toMatchObject({ status: 402, code: 'CARD_DECLINED', declineCode: 'stolen_card' });
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: false });
    expect(error.message).toContain('No money moved by this call');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ declineCode: 'stolen_card' });
    expect(isDecline(error)).toBe(true);
    const [charge] = await payments.charges.list().toArray({ max: 1 });
    expect(charge?.decline_code).toBe('stolen_card');
  });

  it.each([
    ['{"decline_code":"x_1"}', 'x_1'],
    ['{"error":{"decline_code":"05"}}', '05'],
    ['{"error":{"declineCode":"do_not_honor"}}', 'do_not_honor'],
    ['{"code":"NO"}', undefined],
  ])('has the decline code of the body: %s', async (body, declineCode) => {
    const { create } = await serviceSending(response('402 Payment Required', body));
    expect((await failureOf(create(), PaymentDeclinedError)).declineCode).toBe(declineCode);
  });

  it('of the form endpoint is recognized too if it is thrown; other errors are not', async () => {
    const { payments } = await serviceSending(response('200 OK', 'response=2&responsetext=DECLINE'));
    const error = await failureOf(
      payments.transact.sale(saleParams, { throwOnDecline: true }),
      PaymentsError,
    );
    expect(isDecline(error)).toBe(true);
    for (const other of [new ServerErrorLike(), new Error('no'), undefined, { declineCode: 'x' }]) {
      expect(isDecline(other)).toBe(false);
    }
  });
});

/** An error of another kind that has a decline's fields. */
class ServerErrorLike extends PaymentsError {
  readonly declineCode = 'x';

  constructor() {
    super('no');
  }
}

describe('error.retryable', () => {
  it.each<[status: string, body: string, read: boolean, keyed: boolean, sale: boolean]>([
    ['500 Internal Server Error', '{}', true, true, false],
    ['503 Unavailable', '{"code":"IDEMPOTENCY_STORE_UNAVAILABLE"}', true, true, true],
    ['429 Too Many Requests', '{"code":"SLOW_DOWN"}', true, true, true],
    ['408 Request Timeout', '{}', true, true, false],
    ['400 Bad Request', '{"code":"BAD"}', false, false, false],
    ['401 Unauthorized', '{"code":"WHO"}', false, false, false],
    ['402 Payment Required', '{"code":"NO"}', false, false, false],
    ['302 Found', '', false, false, false],
  ])(
    'is right for a read, a call with a key and a sale after %s %s',
    async (status, body, read, keyed, sale) => {
      const { payments } = await serviceSending(response(status, body));
      const errors = await Promise.all([
        failureOf(payments.refunds.retrieve('rf_1', { maxRetries: 0 }), ApiError),
        failureOf(payments.refunds.create(refundParams, { ...operation, maxRetries: 0 }), ApiError),
        failureOf(payments.transact.sale(saleParams), ApiError),
      ]);
      expect(errors.map(({ retryable }) => retryable)).toEqual([read, keyed, sale]);
    },
  );

  it('is set for errors without a response, too', async () => {
    const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    const payments = clientOf('https://payments.test', { fetch: () => Promise.reject(lost) });
    const keyed = await failureOf(payments.refunds.create(refundParams, operation), PaymentsError);
    const sale = await failureOf(payments.transact.sale(saleParams), PaymentsError);
    const wrong = await failureOf(payments.refunds.retrieve('ch_1'), PaymentsError);
    expect([keyed.retryable, sale.retryable, wrong.retryable]).toEqual([true, false, false]);
  });

  it('is true for a failure of the service after which the same call returns the result', async () => {
    let requests = 0;
    const { url } = await startWireServer(({ write }) => {
      requests += 1;
      write(requests === 1 ? response('500 Oops', '{}') : response('200 OK', JSON.stringify(paymentIntent)));
    });
    const { paymentIntents } = clientOf(url);
    const create = () => paymentIntents.create({ amount: 1200, currency: 'usd' }, operation);
    const error = await failureOf(create(), ServerError);
    expect(error.retryable).toBe(true);
    expect((await create()).id).toBe('pi_1');
  });
});
