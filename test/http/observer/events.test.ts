/** Every event, log line and error has the id of its call and the request id of its response; each call starts and ends once. */

import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import {
  ApiError,
  type CallEvent,
  ConnectionError,
  type EndEvent,
  type Hooks,
  InvalidRequestError,
  PaginationError,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
  RequestAbortedError,
  type RequestEvent,
  ResponseValidationError,
  TimeoutError,
  TransactionDeclinedError,
} from 'payments-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { product, refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { skipBackOff } from '../../support/mock-service.ts';
import { serve } from '../../support/serve.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const operation = { operationId: 'order-1' };

/** An event of a hook or a line of the logger. */
interface Observation {
  readonly to: string;
  readonly fields: Record<string, unknown>;
}

async function start(listener: RequestListener, options: PaymentsClientOptions = {}) {
  const { url, close } = await serve(listener);
  onTestFinished(close);
  const observed: Observation[] = [];
  const hook = (to: string) => (event: CallEvent) => observed.push({ to, fields: { ...event } });
  const line = (to: string) => (_message: string, fields: Record<string, unknown>) =>
    observed.push({ to, fields });
  const hooks: Hooks = {
    start: hook('start'),
    request: hook('request'),
    response: hook('response'),
    retry: hook('retry'),
    error: hook('error'),
    end: hook('end'),
  };
  const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('log error') };
  const keys = { secretKey: 'sk_v1_test_observe1', securityKey: 'security-key-observe' };
  const payments = new PaymentsClient({ baseUrl: url, ...keys, hooks, logger, ...options });
  return { url, payments, observed };
}

/** Sends these responses in order, each with its own request id: `req-1`, `req-2`, … */
function respondInOrder(
  ...responses: readonly (readonly [status: number, body: unknown])[]
): RequestListener {
  let requests = 0;
  return (_request, response) => {
    const [status, body] = responses[Math.min(requests, responses.length - 1)] ?? [500, {}];
    requests += 1;
    response.writeHead(status, { 'x-request-id': `req-${requests}` });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const idsOf = (observed: readonly Observation[]) => new Set(observed.map(({ fields }) => fields['callId']));
const namesOf = (observed: readonly Observation[]) => observed.map(({ to }) => to);

describe('the id of a call', () => {
  it('is the same in each event, each log line and the error, and is a random UUID', async () => {
    skipBackOff();
    const { payments, observed } = await start(respondInOrder([503, {}]), { maxRetries: 1 });
    const error = await failureOf(payments.refunds.create(refundParams, operation), ApiError);
    expect(namesOf(observed)).toEqual([
      'start',
      'request',
      'debug',
      'response',
      'debug',
      'retry',
      'info',
      'request',
      'debug',
      'response',
      'debug',
      'error',
      'log error',
      'end',
    ]);
    expect(error.callId).toMatch(uuid);
    expect(idsOf(observed)).toEqual(new Set([error.callId]));
    const [retry] = observed.filter(({ to }) => to === 'retry');
    expect(retry?.fields['error']).toMatchObject({ callId: error.callId, requestId: 'req-1' });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ callId: error.callId, requestId: 'req-2' });
  });

  it('differs for each call, also for concurrent ones', async () => {
    const { payments, observed } = await start(respondInOrder([200, refund]));
    await Promise.all(
      ['a', 'b', 'c'].map((operationId) => payments.refunds.create(refundParams, { operationId })),
    );
    expect(idsOf(observed).size).toBe(3);
    for (const id of idsOf(observed)) {
      const own = observed.filter(({ fields }) => fields['callId'] === id);
      expect(namesOf(own)).toEqual(['start', 'request', 'debug', 'response', 'debug', 'end']);
    }
  });

  it('is in warnings about a response, parameters, and a failing hook', async () => {
    const wrong = { ...refund, amount: 'much' };
    const { payments, observed } = await start(respondInOrder([200, wrong]), { validation: 'warn' });
    await payments.refunds.create({ ...refundParams, amount: 'all' as never }, operation);
    const failing = await start(respondInOrder([200, refund]), {
      hooks: {
        response: () => {
          throw new Error('broken');
        },
      },
    });
    await failing.payments.refunds.retrieve('rf_1');
    expect(namesOf([...observed, ...failing.observed]).filter((to) => to === 'warn')).toHaveLength(3);
    expect(idsOf(observed).size).toBe(1);
    expect(idsOf(failing.observed).size).toBe(1);
  });

  it('is absent if an error belongs to no single call', async () => {
    const { payments } = await start(respondInOrder([200, refund]));
    const options = { timeout: 50, interval: 25 };
    const error = await failureOf(payments.refunds.waitFor('rf_1', options), TimeoutError);
    expect(error).toMatchObject({ code: 'WAIT_TIMEOUT', callId: undefined });
  });
});

describe('the request id', () => {
  it('of each attempt is in its response and its retry, and that of the last one in the error', async () => {
    skipBackOff();
    const { payments, observed } = await start(respondInOrder([503, {}], [429, {}], [400, {}]), {
      maxRetries: 5,
    });
    await failureOf(payments.refunds.create(refundParams, operation), ApiError);
    const ids = (name: string) =>
      observed.filter(({ to }) => to === name).map(({ fields }) => fields['requestId']);
    expect(ids('response')).toEqual(['req-1', 'req-2', 'req-3']);
    expect(ids('retry')).toEqual(['req-1', 'req-2']);
    expect(ids('error')).toEqual(['req-3']);
    expect(ids('log error')).toEqual(['req-3']);
  });

  it('is in an error whose response was truncated', async () => {
    const { payments } = await start(
      (_request, response) => {
        response.writeHead(200, { 'x-request-id': 'req-1', 'content-length': 1000 });
        response.write('{', () => response.destroy());
      },
      { maxRetries: 0 },
    );
    const error = await failureOf(payments.refunds.create(refundParams, operation), ConnectionError);
    expect(error).toMatchObject({ requestId: 'req-1', outcome: 'executed' });
  });

  it('is in an error whose response timed out or was aborted', async () => {
    const controller = new AbortController();
    // Its headers arrive at once, its body never.
    const body = () => new ReadableStream({ pull: () => new Promise(() => {}) });
    const fetch = async () => new Response(body(), { headers: { 'x-request-id': 'req-1' } });
    const { payments } = await start(() => {}, { maxRetries: 0, fetch });
    const late = payments.refunds.create(refundParams, { ...operation, timeout: 50 });
    expect(await failureOf(late, TimeoutError)).toMatchObject({ requestId: 'req-1', outcome: 'executed' });
    const aborted = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await failureOf(aborted, RequestAbortedError)).toMatchObject({ requestId: 'req-1' });
  });

  it.each<
    readonly [
      string,
      unknown,
      (p: PaymentsClient) => PromiseLike<unknown>,
      abstract new (...args: never[]) => PaymentsError,
    ]
  >([
    ['cannot be read', 'no JSON', (p) => p.refunds.retrieve('rf_1'), ResponseValidationError],
    ['breaks the rules of pagination', { data: [] }, (p) => p.refunds.list(), PaginationError],
    [
      'declines',
      'response=2&responsetext=DECLINED',
      (p) => p.transact.sale(saleParams, { throwOnDecline: true }),
      TransactionDeclinedError,
    ],
  ])(
    'is in the error of a response that %s, and in its events and log lines',
    async (_what, body, call, type) => {
      const { payments, observed } = await start(respondInOrder([200, body]));
      const error = await failureOf(call(payments), type);
      expect(error.requestId).toBe('req-1');
      const [event] = observed.filter(({ to }) => to === 'error');
      expect(event?.fields).toMatchObject({ error, requestId: 'req-1', callId: error.callId });
      expect(namesOf(observed)).toContain('log error');
    },
  );

  it('is absent without a response', async () => {
    const { payments } = await start((request) => request.socket.destroy(), { maxRetries: 0 });
    const error = await failureOf(payments.refunds.create(refundParams, operation), ConnectionError);
    expect(error.requestId).toBeUndefined();
    expect(error.callId).toMatch(uuid);
  });
});

describe('a call', () => {
  it('starts synchronously', async () => {
    let inside = true;
    const seen: boolean[] = [];
    const { payments } = await start(respondInOrder([200, refund]), {
      hooks: { start: () => seen.push(inside) },
    });
    const call = payments.refunds.retrieve('rf_1');
    inside = false;
    await call;
    expect(seen).toEqual([true]);
  });

  it('ends once, with its duration, whatever its result', async () => {
    const ends: EndEvent[] = [];
    const controller = new AbortController();
    const { payments } = await start(
      (request, response) => {
        if (request.url?.endsWith('rf_3')) controller.abort();
        else respondInOrder([request.url?.endsWith('rf_1') ? 200 : 404, refund])(request, response);
      },
      { hooks: { end: (event) => ends.push(event) } },
    );
    await payments.refunds.retrieve('rf_1');
    const refused = await failureOf(payments.refunds.retrieve('rf_2'), ApiError);
    const { signal } = controller;
    const aborted = await failureOf(payments.refunds.retrieve('rf_3', { signal }), RequestAbortedError);
    const invalid = await failureOf(payments.refunds.retrieve('ch_1'), InvalidRequestError);
    expect(ends.map(({ error }) => error)).toEqual([undefined, refused, aborted, invalid]);
    expect(ends.map(({ callId }) => callId).slice(1)).toEqual(
      [refused, aborted, invalid].map((e) => e.callId),
    );
    for (const { duration } of ends) expect(duration).toBeGreaterThan(0);
  });

  it('whose result is no longer needed ends without an error', async () => {
    const progress = new EventEmitter();
    const ends: EndEvent[] = [];
    const { payments, observed } = await start(
      (request, response) => {
        if (request.url?.includes('starting_after')) return progress.emit('arrived');
        const data = ['prod_2', 'prod_1'].map(product);
        return response.end(JSON.stringify({ data, has_more: true, next_cursor: 'prod_1' }));
      },
      { hooks: { end: (event) => progress.emit('end', ends.push(event)) } },
    );
    const arrived = once(progress, 'arrived');
    let ended: Promise<unknown> | undefined;
    for await (const { id } of payments.products.list()) {
      if (id !== 'prod_1') continue;
      // The next page has been requested.
      await arrived;
      ended = once(progress, 'end');
      break;
    }
    await ended;
    expect(ends).toMatchObject([{ error: undefined }, { operation: 'products.list', error: undefined }]);
    expect(namesOf(observed)).not.toContain('log error');
  });
});

describe('a request event', () => {
  it('contains the URL and the route of the request', async () => {
    const events: RequestEvent[] = [];
    const { url, payments } = await start(respondInOrder([200, refund], [200, refund], [200, 'response=1']), {
      hooks: { request: (event) => events.push(event) },
    });
    await payments.refunds.retrieve('rf_1');
    await payments.request({ method: 'GET', path: '/v1/payouts/po_1', query: { limit: 1 } });
    await payments.transact.sale(saleParams);
    expect(events).toMatchObject([
      { baseUrl: url, path: '/v1/refunds/rf_1', route: '/v1/refunds/{id}' },
      { baseUrl: url, path: '/v1/payouts/po_1', route: undefined },
      { baseUrl: url, path: '/api/transact.php', route: '/api/transact.php' },
    ]);
  });
});
