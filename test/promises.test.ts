/** Each promise of the SDK, attacked over real HTTP. */

import { inspect } from 'node:util';
import {
  ApiError,
  ConnectionError,
  PaginationError,
  PaymentsClient,
  PaymentsError,
  ResponseValidationError,
  TimeoutError,
  Transact,
  unknownField,
} from 'payments-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from './support/failure.ts';
import {
  intentParams,
  paymentIntent,
  product,
  refund,
  saleParams,
  sessionParams,
} from './support/fixtures.ts';
import { skipBackOff } from './support/mock-service.ts';
import { clientOf, startSandbox } from './support/sandbox.ts';
import { response, startWireServer } from './support/socket-server.ts';

beforeEach(skipBackOff);

const secretKey = 'sk_v1_test_promises01';
const by = { operationId: 'order-1042' };

/** A client of a server that answers each request in turn with these raw bytes, the last one again and again. */
async function clientOfWire(...answers: string[]) {
  const server = await startWireServer((connection, number) => {
    const answer = answers[Math.min(number, answers.length) - 1];
    if (answer === undefined || answer === '') connection.reset();
    else connection.write(answer);
  });
  return { payments: new PaymentsClient({ baseUrl: server.url, secretKey }), requests: server.requests };
}

const ok = (body: unknown) => response('200 OK', JSON.stringify(body), 'content-type: application/json\r\n');

describe('promise 1: one business operation, one charge', () => {
  it('survives a crash and a restart', async () => {
    const sandbox = await startSandbox();
    sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
    const before = clientOf(sandbox, { maxRetries: 0 });
    const lost = await failureOf(before.paymentIntents.create(intentParams, by), ConnectionError);
    expect(lost.outcome).toBe('unknown');

    const after = clientOf(sandbox);
    // Rebuilt from a database, so with its fields in another order.
    const rebuilt = { currency: 'usd', amount: 1200 };
    const { data, response } = await after.paymentIntents.create(rebuilt, by).withResponse();
    expect(response.idempotentReplayed).toBe(true);
    const intents = await after.paymentIntents.list().toArray({ max: 10 });
    expect(intents.map(({ id }) => id)).toEqual([data.id]);
  });

  it('lets one order id create an intent and later a refund', async () => {
    const sandbox = await startSandbox();
    const payments = clientOf(sandbox);
    const intent = await payments.paymentIntents.create(intentParams, by);
    sandbox.pay(intent.id);
    const refunded = await payments.refunds.create({ payment_intent_id: intent.id }, by);
    expect(refunded).toMatchObject({ amount: 1200, status: 'pending' });
  });

  it('refuses a call that moves money without an operationId before anything is sent', async () => {
    const { payments, requests } = await clientOfWire(ok(paymentIntent));
    for (const call of [
      () => payments.paymentIntents.create(intentParams, {} as never),
      () => payments.checkoutSessions.create(sessionParams, undefined as never),
      () => payments.refunds.create({ charge_id: 'ch_1' }, { operationId: '' }),
      () => payments.request({ method: 'POST', path: '/v1/payouts' }, {} as never),
    ]) {
      expect(await failureOf(call(), PaymentsError)).toMatchObject({ code: 'INVALID_REQUEST' });
    }
    expect(requests).toHaveLength(0);
  });
});

describe('promise 2: every error says whether money may have moved', () => {
  it.each<[outcome: string, what: string, answer: string]>([
    ['not_executed', 'a refusal', response('402 Payment Required', '{"code":"card_declined"}')],
    ['not_executed', 'too many requests', response('429 Too Many Requests', '')],
    [
      'not_executed',
      'no way to check the key',
      response('503 Unavailable', '{"code":"IDEMPOTENCY_STORE_UNAVAILABLE"}'),
    ],
    ['unknown', 'a failure of the service', response('500 Internal Server Error', '')],
    ['unknown', 'a broken connection', ''],
    [
      'unknown',
      'another call in progress',
      response('409 Conflict', '{"code":"IDEMPOTENCY_KEY_IN_PROGRESS"}'),
    ],
    ['executed', 'a result that cannot be read', response('200 OK', '{"id":')],
    ['unknown', 'a page of something else', response('200 OK', '<html>')],
  ])('%s after %s', async (outcome, _what, answer) => {
    const { payments } = await clientOfWire(answer);
    const call = payments.paymentIntents.create(intentParams, { ...by, maxRetries: 0 });
    expect(await failureOf(call, PaymentsError)).toMatchObject({ outcome });
  });

  it('not_executed wherever the call only reads', async () => {
    for (const answer of ['', response('500 Internal Server Error', ''), response('200 OK', 'oops')]) {
      const { payments } = await clientOfWire(answer);
      const error = await failureOf(
        payments.paymentIntents.retrieve('pi_1', { maxRetries: 0 }),
        PaymentsError,
      );
      expect(error.outcome).toBe('not_executed');
    }
  });
});

describe('promise 3: nothing is retried that could act twice', () => {
  it('repeats a keyed POST with the same key and the same bytes', async () => {
    const { payments, requests } = await clientOfWire('', response('503 Unavailable', ''), ok(paymentIntent));
    await payments.paymentIntents.create({ ...intentParams, metadata: { a: 'é' } }, by);
    expect(requests).toHaveLength(3);
    expect(new Set(requests).size).toBe(1);
    expect(requests[0]).toContain('idempotency-key: pc1:paymentIntents.create:order-1042');
  });

  it('sends a sale once, whatever becomes of it', async () => {
    for (const answer of ['', response('503 Unavailable', ''), response('429 Too Many Requests', '')]) {
      const server = await startWireServer((connection) =>
        answer === '' ? connection.reset() : connection.write(answer),
      );
      const transact = new Transact({ baseUrl: server.url, securityKey: 'security-key-promises' });
      await failureOf(transact.sale(saleParams), PaymentsError);
      expect(server.requests).toHaveLength(1);
    }
  });

  it('sends a POST without a key once', async () => {
    const { payments, requests } = await clientOfWire(response('503 Unavailable', ''));
    await failureOf(payments.customers.create({ first_name: 'Ada' }), ApiError);
    expect(requests).toHaveLength(1);
  });
});

describe('promise 4: a list is complete only when has_more is false', () => {
  it.each([
    ['without has_more', { data: [product('a')] }],
    ['with more but without a cursor', { data: [product('a')], has_more: true }],
    ['whose cursor does not move', { data: [product('a')], has_more: true, next_cursor: 'a' }],
  ])('a page %s is an error', async (_what, body) => {
    const { payments } = await clientOfWire(ok(body));
    await failureOf(payments.products.list().toArray({ max: 100 }), PaginationError);
  });

  it('walks to the end while objects are created', async () => {
    const sandbox = await startSandbox();
    for (let number = 0; number < 30; number += 1) sandbox.add('product', { name: `Tea ${number}` });
    const ids: string[] = [];
    for await (const { id } of clientOf(sandbox).products.list({ limit: 7 })) {
      ids.push(id);
      sandbox.add('product', { name: 'Late tea' });
    }
    expect(new Set(ids).size).toBe(30);
    expect(ids).toHaveLength(30);
  });
});

describe('promise 5: a new field or a new enum value never breaks a caller', () => {
  it('passes both through', async () => {
    const later = { ...refund, status: 'reversed', channel: { kind: 'instant' } };
    const { payments } = await clientOfWire(ok(later));
    const result = await payments.refunds.retrieve('rf_1');
    expect(result.status).toBe('reversed');
    expect(unknownField(result, 'channel')).toEqual({ kind: 'instant' });
  });
});

describe('promise 6: a successful charge is never reported as a failed one', () => {
  it('tells a result that does not match its schema as executed, with the body', async () => {
    const odd = { ...paymentIntent, amount: '12.00' };
    const { payments, requests } = await clientOfWire(ok(odd));
    const error = await failureOf(payments.paymentIntents.create(intentParams, by), ResponseValidationError);
    expect(error).toMatchObject({
      outcome: 'executed',
      body: odd,
      idempotencyKey: 'pc1:paymentIntents.create:order-1042',
    });
    expect(requests).toHaveLength(1);
  });

  it('keeps a result that arrives while the signal is being aborted', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      queueMicrotask(() => queueMicrotask(() => controller.abort()));
      return Response.json(paymentIntent);
    };
    const payments = new PaymentsClient({ baseUrl: 'https://payments.test', secretKey, fetch });
    const call = payments.paymentIntents.create(intentParams, { ...by, signal: controller.signal });
    const result: unknown = await call.then(
      (intent) => intent.id,
      (error: unknown) => error,
    );
    // Either the result, or an error that does not deny it.
    if (result instanceof PaymentsError) expect(result.outcome).not.toBe('not_executed');
    else expect(result).toBe('pi_1');
  });

  it('is not changed by a hook or a logger that throws', async () => {
    const { payments: plain } = await clientOfWire(ok(paymentIntent));
    expect(await plain.paymentIntents.create(intentParams, by)).toMatchObject({ id: 'pi_1' });
    const server = await startWireServer((connection) => connection.write(ok(paymentIntent)));
    const fail = () => {
      throw new Error('broken hook');
    };
    const payments = new PaymentsClient({
      baseUrl: server.url,
      secretKey,
      hooks: { request: fail, response: fail },
      logger: { debug: fail, warn: fail },
    });
    expect(await payments.paymentIntents.create(intentParams, by)).toMatchObject({ id: 'pi_1' });
  });
});

describe('promise 7: time-outs cover the body, and no listener leaks', () => {
  it('ends a body that stalls', async () => {
    const stall = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{';
    const server = await startWireServer((connection) => connection.write(stall));
    const payments = new PaymentsClient({ baseUrl: server.url, secretKey, timeout: 300, maxRetries: 0 });
    const error = await failureOf(payments.paymentIntents.retrieve('pi_1'), TimeoutError);
    expect(error.code).toBe('ATTEMPT_TIMEOUT');
  });

  it('ends all attempts together within the total time', async () => {
    const server = await startWireServer(() => {});
    const payments = new PaymentsClient({
      baseUrl: server.url,
      secretKey,
      timeout: 40,
      totalTimeout: 100,
      maxRetries: 99,
    });
    const error = await failureOf(payments.paymentIntents.retrieve('pi_1'), TimeoutError);
    expect(error.attempts).toBeLessThan(5);
  });

  it('leaves no listener on the signal of the caller', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const { payments } = await clientOfWire(response('500 Internal Server Error', ''), '', ok(refund));
    await payments.refunds.retrieve('rf_1', { signal });
    await failureOf(payments.refunds.retrieve('', { signal }), PaymentsError);
    expect(listeners).toBe(0);
  });
});

describe('promise 8: secrets and card data never appear', () => {
  const canaries = {
    secretKey: 'sk_v1_test_CANARYSECRET',
    securityKey: 'CANARYSECURITYKEY01',
    ccnumber: '4111111111111111',
    cvv: '9871',
  };
  const long = [canaries.secretKey, canaries.securityKey, canaries.ccnumber];
  // The security code is short, so it must not be looked for inside ports and durations.
  const leaked = new RegExp(`${long.join('|')}|(?<![\\d.])${canaries.cvv}(?!\\d)`);
  const card = { amount: '1.00', ccnumber: canaries.ccnumber, ccexp: '1299', cvv: canaries.cvv };

  /** Every way in which a value could be shown. */
  function shown(value: unknown): string {
    const parts = [
      inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
      JSON.stringify(value),
      String(value),
    ];
    if (value instanceof Error) parts.push(value.message, String(value.stack), shown(value.cause));
    // The random id of a call may contain the digits of the code.
    return parts.join('\n').replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '');
  }

  it('in an error, a log line, a hook or the client, even where the service repeats them', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const echo = JSON.stringify({
      error: {
        code: 'bad',
        message: `key ${canaries.secretKey} Bearer ${canaries.secretKey} ${canaries.securityKey} card 4111 1111 1111 1111 or ${canaries.ccnumber}`,
      },
    });
    for (const answer of [
      response('400 Bad Request', echo),
      response('500 Internal', echo),
      response('200 OK', echo),
      '',
    ]) {
      const server = await startWireServer((connection) =>
        answer === '' ? connection.reset() : connection.write(answer),
      );
      const payments = new PaymentsClient({
        baseUrl: server.url,
        secretKey: canaries.secretKey,
        securityKey: canaries.securityKey,
        maxRetries: 1,
        logger: { debug: log, info: log, warn: log, error: log },
        hooks: { request: log, response: log, retry: log, error: log },
      });
      lines.push(await failureOf(payments.paymentIntents.create(intentParams, by), PaymentsError));
      lines.push(await failureOf(payments.transact.sale(card), PaymentsError));
      lines.push(
        await failureOf(
          payments.transact.sale({ ...card, ccnumber: `${canaries.ccnumber}x` }),
          PaymentsError,
        ),
      );
      lines.push(payments, payments.paymentIntents, payments.transact);
    }
    expect(lines.length).toBeGreaterThan(40);
    for (const line of lines.flat()) expect(shown(line)).not.toMatch(leaked);
    expect(lines.flat().map(shown).join('\n')).not.toMatch(/4111 1111/);
  });
});

describe('promise 9: gaps are named, not papered over', () => {
  it('says of an inferred path that it was inferred, and lets the user correct it', async () => {
    const notFound = response('404 Not Found', '');
    const server = await startWireServer((connection) =>
      connection.write(connection.request.startsWith('GET /v1/right/pi_1 ') ? ok(paymentIntent) : notFound),
    );
    const options = { baseUrl: server.url, secretKey };
    const error = await failureOf(new PaymentsClient(options).paymentIntents.retrieve('pi_1'), ApiError);
    expect(error.message).toMatch(/is inferred, not documented.*routes: \{ 'paymentIntents.retrieve'/);
    const corrected = new PaymentsClient({
      ...options,
      routes: { 'paymentIntents.retrieve': 'GET /v1/right/{id}' },
    });
    expect(await corrected.paymentIntents.retrieve('pi_1')).toMatchObject({ id: 'pi_1' });
  });

  it('says nothing of the sort of a path that is documented', async () => {
    const { payments } = await clientOfWire(response('404 Not Found', ''));
    const error = await failureOf(payments.customers.delete('cus_1'), ApiError);
    expect(error.message).not.toContain('is inferred');
  });

  it.each(['data', 'items', 'products', 'anything'])(
    'finds the items of a page in %s',
    async (itemsField) => {
      const sandbox = await startSandbox({ interface: { itemsField } });
      sandbox.add('product', { name: 'Tea' });
      expect(await clientOf(sandbox).products.list().toArray({ max: 10 })).toHaveLength(1);
    },
  );
});
