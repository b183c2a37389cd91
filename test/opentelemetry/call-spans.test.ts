/**
 * Each call is a span, and each of its attempts a client span below it, following the semantic conventions for HTTP
 * clients.
 */

import { EventEmitter, once } from 'node:events';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  RequestAbortedError,
  type RequestEvent,
} from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product, refund, refundParams, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { serve } from '../support/serve.ts';
import { closedUrl } from '../support/socket-server.ts';
import { followContexts, startTelemetry } from '../support/telemetry.ts';

const by = { operationId: 'order-1' };
const keys = { secretKey: 'sk_v1_test_telemetry1', securityKey: 'security-key-telemetry' };

type ScriptedResponse = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** Starts a service with scripted responses, of which the last repeats, and a client with traced calls. */
async function start(answers: readonly ScriptedResponse[], options: PaymentsClientOptions = {}) {
  skipBackOff();
  let requests = 0;
  const { url, close } = await serve((_request, response) => {
    const [status, body, headers] = answers[Math.min(requests, answers.length - 1)] ?? [500, {}];
    requests += 1;
    response.writeHead(status, { 'x-request-id': `req-${requests}`, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  onTestFinished(close);
  const telemetry = startTelemetry();
  const payments = new PaymentsClient({ baseUrl: url, ...keys, hooks: telemetry.hooks, ...options });
  return { ...telemetry, payments, url, port: Number(new URL(url).port) };
}

const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);

describe('a successful call', () => {
  it('is a span, with a client span of its request below it', async () => {
    const { payments, spans, url, port } = await start([[200, refund]]);
    await payments.refunds.retrieve('rf_1');
    const [attempt, call, ...others] = spans();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: 'payments refunds.retrieve', kind: SpanKind.INTERNAL });
    expect(call?.status.code).toBe(SpanStatusCode.UNSET);
    expect(call?.attributes).toEqual({
      'payments.operation': 'refunds.retrieve',
      'payments.call_id': expect.stringMatching(/^[\da-f-]{36}$/),
      'payments.attempts': 1,
      'payments.idempotent_replayed': false,
    });
    expect(attempt).toMatchObject({ name: 'GET /v1/refunds/{id}', kind: SpanKind.CLIENT, links: [] });
    expect(attempt?.status.code).toBe(SpanStatusCode.UNSET);
    expect(attempt?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': port,
      'url.full': `${url}/v1/refunds/rf_1`,
      'url.template': '/v1/refunds/{id}',
      'payments.request_id': 'req-1',
    });
    expect(parentOf(attempt)).toBe(idOf(call));
    expect(attempt?.instrumentationScope).toMatchObject({
      name: 'payments-client',
      schemaUrl: 'https://opentelemetry.io/schemas/1.45.0',
    });
  });

  it('ends with its request, also when the meter throws', async () => {
    const broken = () => {
      throw new Error('no meter');
    };
    const { options, spans } = startTelemetry();
    const { hooks } = openTelemetry({ ...options, meterProvider: { getMeter: broken } });
    const payments = new PaymentsClient({
      ...keys,
      baseUrl: 'https://payments.test',
      hooks,
      fetch: async () => Response.json(refund),
    });
    await payments.refunds.retrieve('rf_1');
    expect(spans().map(({ name }) => name)).toEqual(['GET /v1/refunds/{id}', 'payments refunds.retrieve']);
  });

  it('is marked as a replay', async () => {
    const { payments, spans } = await start([[200, refund, { 'idempotent-replayed': 'true' }]]);
    await payments.refunds.create(refundParams, by);
    expect(named(spans(), 'payments refunds.create')[0]?.attributes).toMatchObject({
      'payments.idempotent_replayed': true,
    });
  });

  it('has the default port of its scheme if the URL has none', async () => {
    const { payments, spans } = await start([], {
      baseUrl: 'https://payments.test/pay',
      fetch: async () => Response.json(refund),
    });
    await payments.refunds.retrieve('rf_1');
    expect(spans()[0]?.attributes).toMatchObject({
      'server.address': 'payments.test',
      'server.port': 443,
      'url.full': 'https://payments.test/pay/v1/refunds/rf_1',
    });
  });

  it('has no id in its name, whatever the path', async () => {
    const { payments, started } = await start([
      [200, refund],
      [200, 'response=1'],
    ]);
    await payments.request({ method: 'GET', path: '/v1/payouts/po_1' });
    await payments.transact.sale(saleParams).catch(() => {});
    expect(started.slice(0, 3)).toEqual(['payments request', 'GET', 'payments transact.sale']);
    expect(started.join()).not.toMatch(/po_1/);
  });
});

describe('attempts', () => {
  it('are siblings below their call, with their number and a link to the previous one', async () => {
    const { payments, spans } = await start([
      [503, {}],
      [429, {}],
      [200, refund],
    ]);
    await payments.refunds.create(refundParams, by);
    const attempts = named(spans(), 'POST /v1/refunds');
    const [call] = named(spans(), 'payments refunds.create');
    expect(attempts.map(parentOf)).toEqual([idOf(call), idOf(call), idOf(call)]);
    expect(attempts.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
      2,
    ]);
    expect(attempts.map(({ links }) => links.map((link) => link.context.spanId))).toEqual([
      [],
      [idOf(attempts[0])],
      [idOf(attempts[1])],
    ]);
    expect(attempts.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
    expect(attempts.map(({ attributes }) => attributes['error.type'])).toEqual(['503', '429', undefined]);
    expect(call?.attributes).toMatchObject({ 'payments.attempts': 3 });
    expect(call?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('without a response end with the error code, before the back-off', async () => {
    const { payments, spans, started } = await start([], { baseUrl: closedUrl, maxRetries: 1 });
    await failureOf(payments.refunds.create(refundParams, by), ConnectionError);
    const [first, second, call] = spans();
    expect(started).toHaveLength(3);
    for (const attempt of [first, second]) {
      expect(attempt?.attributes['error.type']).toBe('ECONNREFUSED');
      expect(attempt?.attributes).not.toHaveProperty('http.response.status_code');
      expect(attempt?.status.code).toBe(SpanStatusCode.ERROR);
    }
    expect(call?.attributes).toMatchObject({
      'error.type': 'ConnectionError',
      'payments.outcome': 'not_executed',
    });
  });
});

describe('a call that fails', () => {
  it('has its error class and outcome, and no message', async () => {
    const { payments, spans } = await start([[500, { message: 'for Ada Lovelace' }]], { maxRetries: 0 });
    await failureOf(payments.refunds.create(refundParams, by), ApiError);
    const [attempt, call] = spans();
    expect(call?.attributes).toMatchObject({ 'error.type': 'ServerError', 'payments.outcome': 'unknown' });
    for (const span of [attempt, call]) {
      expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span?.events).toEqual([]);
    }
  });

  it('is counted by its operation, its outcome and the class of its error', async () => {
    const { payments, metrics } = await start(
      [
        [500, {}],
        [200, refund],
        [500, {}],
      ],
      { maxRetries: 0 },
    );
    await failureOf(payments.refunds.create(refundParams, by), ApiError);
    await payments.refunds.retrieve('rf_1');
    await failureOf(payments.request({ method: 'GET', path: '/v1/payouts/po_1' }), ApiError);
    const counter = (await metrics()).find(({ descriptor }) => descriptor.name === 'payments.call.errors');
    expect(counter?.dataPoints.map(({ attributes, value }) => ({ ...attributes, value }))).toEqual([
      {
        'payments.operation': 'refunds.create',
        'payments.outcome': 'unknown',
        'error.type': 'ServerError',
        value: 1,
      },
      {
        'payments.operation': 'request',
        'payments.outcome': 'not_executed',
        'error.type': 'ServerError',
        value: 1,
      },
    ]);
  });

  it('before anything is sent has no attempt', async () => {
    const { payments, spans } = await start([[200, refund]]);
    await failureOf(payments.refunds.retrieve('ch_1'), InvalidRequestError);
    expect(spans().map(({ name }) => name)).toEqual(['payments refunds.retrieve']);
    expect(spans()[0]?.attributes).toMatchObject({ 'error.type': 'InvalidRequestError' });
  });

  it('by an invalid response has a successful attempt', async () => {
    const { payments, spans } = await start([[200, { data: [] }]]);
    await failureOf(payments.products.list(), PaymentsError);
    const [attempt, call] = spans();
    expect(attempt?.status.code).toBe(SpanStatusCode.UNSET);
    expect(call?.attributes).toMatchObject({ 'error.type': 'PaginationError' });
  });
});

describe('every span that starts ends', () => {
  it('when a call is aborted: before it is sent, in transit, and between attempts', async () => {
    const away = new AbortController();
    const between = new AbortController();
    const { payments, spans, started, hooks } = await start([], {
      fetch: (request) => {
        if (!request.url.endsWith('rf_2')) return Promise.resolve(new Response('', { status: 503 }));
        away.abort();
        return new Promise<Response>(() => {});
      },
    });
    const again = new PaymentsClient({
      baseUrl: 'https://payments.test',
      ...keys,
      fetch: async () => new Response('', { status: 503, headers: { 'retry-after': '60' } }),
      hooks: { ...hooks, retry: (event) => [hooks.retry?.(event), between.abort()] },
    });
    for (const call of [
      () => payments.refunds.retrieve('rf_1', { signal: AbortSignal.abort() }),
      () => payments.refunds.retrieve('rf_2', { signal: away.signal }),
      () => again.refunds.retrieve('rf_3', { signal: between.signal }),
    ]) {
      await failureOf(call(), RequestAbortedError);
    }
    expect(spans()).toHaveLength(started.length);
    expect(started).toHaveLength(5);
    expect(named(spans(), 'GET /v1/refunds/{id}').map(({ attributes }) => attributes['error.type'])).toEqual([
      'ABORTED',
      '503',
    ]);
  });

  it('and a finished call starts no more spans', async () => {
    const events: RequestEvent[] = [];
    const telemetry = startTelemetry();
    const { hooks, started } = telemetry;
    const { payments } = await start([[200, refund]], {
      hooks: { ...hooks, request: (event) => [hooks.request?.(event), events.push(event)] },
    });
    await payments.refunds.retrieve('rf_1');
    for (const event of events) hooks.request?.(event);
    expect(events).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it('when a prefetched page is dropped, without an error', async () => {
    const progress = new EventEmitter();
    const telemetry = startTelemetry();
    const { hooks } = telemetry;
    const { payments } = await start([], {
      hooks: { ...hooks, end: (event) => [hooks.end?.(event), progress.emit('end')] },
      fetch: async (request) => {
        if (request.url.includes('starting_after')) return new Promise<Response>(() => {});
        const data = ['prod_2', 'prod_1'].map(product);
        return Response.json({ data, has_more: true, next_cursor: 'prod_1' });
      },
    });
    let ended: Promise<unknown> | undefined;
    for await (const { id } of payments.products.list()) {
      if (id !== 'prod_1') continue;
      ended = once(progress, 'end');
      break;
    }
    await ended;
    expect(telemetry.started.filter((name) => name === 'payments products.list')).toHaveLength(2);
    expect(telemetry.spans()).toHaveLength(telemetry.started.length);
    for (const { status } of telemetry.spans()) expect(status.code).toBe(SpanStatusCode.UNSET);
  });
});

describe("the caller's active context", () => {
  it('is the parent of its calls, even of concurrent ones', async () => {
    followContexts();
    const { payments, spans, tracer } = await start([
      [503, {}],
      [200, refund],
    ]);
    const orders = Array.from({ length: 20 }, (_, index) => `order-${index}`);
    const checkOut = (operationId: string) =>
      tracer.startActiveSpan(operationId, async (order: Span) => {
        await Promise.resolve();
        await payments.refunds.create(refundParams, { operationId });
        await payments.refunds.retrieve('rf_1');
        order.end();
      });
    await Promise.all(orders.map(checkOut));
    for (const operationId of orders) {
      const [order] = named(spans(), operationId);
      const below = spans().filter((span) => parentOf(span) === idOf(order));
      expect(below.map(({ name }) => name)).toEqual(['payments refunds.create', 'payments refunds.retrieve']);
      for (const call of below) {
        expect(spans().filter((span) => parentOf(span) === idOf(call)).length).toBeGreaterThan(0);
        expect(call.spanContext().traceId).toBe(order?.spanContext().traceId);
      }
    }
  });

  it('is the parent of each page of an iteration, and is restored after a call', async () => {
    followContexts();
    const { payments, spans, tracer } = await start([
      [200, { data: [product('prod_2')], has_more: true, next_cursor: 'prod_2' }],
      [200, { data: [product('prod_1')], has_more: false }],
    ]);
    await tracer.startActiveSpan('sync', async (sync: Span) => {
      for await (const _ of payments.products.list()) expect(trace.getActiveSpan()).toBe(sync);
      sync.end();
    });
    const [sync] = named(spans(), 'sync');
    expect(named(spans(), 'payments products.list').map(parentOf)).toEqual([idOf(sync), idOf(sync)]);
    expect(trace.getSpan(context.active())).toBeUndefined();
  });
});

describe('a request is sent', () => {
  /** Records the active span of each request. */
  function fetchSeeing(active: (Span | undefined)[]) {
    let requests = 0;
    return async () => {
      await Promise.resolve();
      active.push(trace.getActiveSpan());
      requests += 1;
      return Response.json(refund, { status: requests === 1 ? 503 : 200 });
    };
  }

  it('within the span of its attempt', async () => {
    followContexts();
    const active: (Span | undefined)[] = [];
    const telemetry = startTelemetry();
    const hooks = { ...telemetry.hooks, error: () => {} };
    const { payments } = await start([], { hooks, fetch: fetchSeeing(active) });
    await payments.refunds.create(refundParams, by);
    const attempts = named(telemetry.spans(), 'POST /v1/refunds');
    expect(active.map((span) => span?.spanContext().spanId)).toEqual(attempts.map(idOf));
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it('within the span of its call if attempts have none', async () => {
    followContexts();
    const active: (Span | undefined)[] = [];
    const { options, spans, metrics } = startTelemetry();
    const { hooks } = openTelemetry({ ...options, attemptSpans: false });
    const { payments } = await start([], { hooks, fetch: fetchSeeing(active) });
    await payments.refunds.create(refundParams, by);
    const [call, ...others] = spans();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: 'payments refunds.create', attributes: { 'payments.attempts': 2 } });
    expect(active.map((span) => span?.spanContext().spanId)).toEqual([idOf(call), idOf(call)]);
    expect(await metrics()).toEqual([]);
  });

  it('once if contexts fail', async () => {
    const working = new AsyncLocalStorageContextManager();
    const fail = () => {
      throw new Error('a broken context manager');
    };
    context.setGlobalContextManager(Object.assign(working, { with: fail }));
    onTestFinished(() => context.disable());
    const fetch = vi.fn(async () => Response.json(refund));
    const { payments } = await start([], { fetch });
    expect(await payments.refunds.create(refundParams, by)).toEqual(refund);
    expect(fetch).toHaveBeenCalledOnce();
  });
});

it('the global providers are the default', async () => {
  const telemetry = startTelemetry();
  trace.setGlobalTracerProvider(telemetry.options.tracerProvider);
  onTestFinished(() => trace.disable());
  const { payments } = await start([[200, refund]], { hooks: openTelemetry().hooks });
  await payments.refunds.retrieve('rf_1');
  expect(telemetry.spans()).toHaveLength(2);
});
