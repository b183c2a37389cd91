/**
 * Each call is a span, and each of its attempts a client span below it, following the semantic conventions for HTTP
 * clients.
 */

import { EventEmitter, once } from 'node:events';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  ConnectionError,
  InvalidRequestError,
  type PaymentsClientOptions,
  RequestAbortedError,
  type RequestEvent,
} from 'payments-client';
import { openTelemetry } from 'payments-client/opentelemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product, refund, refundParams, saleParams } from '../support/fixtures.ts';
import { closedUrl } from '../support/socket-server.ts';
import { followContexts, startTelemetry } from '../support/telemetry.ts';
import { by, startClient } from './client.ts';

const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);
const { ERROR, UNSET } = SpanStatusCode;

describe('a successful call', () => {
  it('is a span, with a client span of its request below it', async () => {
    const { payments, spans } = startClient([[200, refund, { 'x-request-id': 'req-1' }]]);
    await payments.refunds.retrieve('rf_1');
    const [attempt, call, ...others] = spans();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: 'payments refunds.retrieve', kind: SpanKind.INTERNAL });
    expect(call?.status.code).toBe(UNSET);
    expect(call?.attributes).toEqual({
      'payments.operation': 'refunds.retrieve',
      'payments.call_id': expect.stringMatching(/^[\da-f-]{36}$/),
      'payments.attempts': 1,
      'payments.idempotent_replayed': false,
      'payments.object_id': 'rf_1',
      'payments.outcome': 'ok',
    });
    expect(attempt).toMatchObject({ name: 'GET /v1/refunds/{id}', kind: SpanKind.CLIENT, links: [] });
    expect(attempt?.status.code).toBe(UNSET);
    expect(attempt?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'payments.test',
      'server.port': 443,
      'url.full': 'https://payments.test/pay/v1/refunds/rf_1',
      'url.template': '/v1/refunds/{id}',
      'payments.request_id': 'req-1',
    });
    expect(parentOf(attempt)).toBe(idOf(call));
    expect(attempt?.instrumentationScope).toMatchObject({
      name: 'payments-client',
      schemaUrl: 'https://opentelemetry.io/schemas/1.45.0',
    });
  });

  it.each([
    ['http://127.0.0.1:8443', 8443],
    ['http://localhost', 80],
  ])('at %s has the port %i', async (baseUrl, port) => {
    const { payments, spans } = startClient([[200, refund]], { baseUrl });
    await payments.refunds.retrieve('rf_1');
    expect(spans()[0]?.attributes).toMatchObject({ 'server.port': port });
  });

  it('ends with its request, also when the meter throws', async () => {
    const broken = () => {
      throw new Error('no meter');
    };
    const { options, spans } = startTelemetry();
    const { hooks } = openTelemetry({ ...options, meterProvider: { getMeter: broken } });
    const { payments } = startClient([[200, refund]], { hooks });
    await payments.refunds.retrieve('rf_1');
    expect(spans().map(({ name }) => name)).toEqual(['GET /v1/refunds/{id}', 'payments refunds.retrieve']);
  });

  it('is marked as a replay', async () => {
    const { payments, spans } = startClient([[200, refund, { 'idempotent-replayed': 'true' }]]);
    await payments.refunds.create(refundParams, by);
    const [call] = named(spans(), 'payments refunds.create');
    expect(call?.attributes).toMatchObject({ 'payments.idempotent_replayed': true });
  });

  it('has no id in its name, whatever the path', async () => {
    const { payments, started } = startClient([
      [200, refund],
      [200, 'response=1'],
    ]);
    await payments.request({ method: 'GET', path: '/v1/payouts/po_1' });
    await payments.transact.sale(saleParams);
    expect(started).toEqual(['payments request', 'GET', 'payments transact.sale', 'POST /api/transact.php']);
  });
});

describe('attempts', () => {
  it('are siblings below their call, with their number and a link to the previous one', async () => {
    const { payments, spans } = startClient(
      [
        [503, {}],
        [429, {}],
        [200, refund],
      ],
      { maxRetries: 2 },
    );
    await payments.refunds.create(refundParams, by);
    const attempts = named(spans(), 'POST /v1/refunds');
    const [call] = named(spans(), 'payments refunds.create');
    expect(attempts.map(parentOf)).toEqual([idOf(call), idOf(call), idOf(call)]);
    const attribute = (name: string) => attempts.map(({ attributes }) => attributes[name]);
    expect(attribute('http.request.resend_count')).toEqual([undefined, 1, 2]);
    expect(attribute('error.type')).toEqual(['503', '429', undefined]);
    expect(attempts.map(({ status }) => status.code)).toEqual([ERROR, ERROR, UNSET]);
    expect(attempts.map(({ links }) => links.map((link) => link.context.spanId))).toEqual([
      [],
      [idOf(attempts[0])],
      [idOf(attempts[1])],
    ]);
    expect(call?.attributes).toMatchObject({ 'payments.attempts': 3 });
    expect(call?.status.code).toBe(UNSET);
  });

  it('without a response end with the error code', async () => {
    const { payments, spans, started, metrics } = startClient([], {
      baseUrl: closedUrl,
      maxRetries: 1,
      fetch: undefined,
    });
    await failureOf(payments.refunds.create(refundParams, by), ConnectionError);
    const [first, second, call] = spans();
    expect(started).toHaveLength(3);
    for (const attempt of [first, second]) {
      expect(attempt?.attributes['error.type']).toBe('ECONNREFUSED');
      expect(attempt?.attributes).not.toHaveProperty('http.response.status_code');
      expect(attempt?.status.code).toBe(ERROR);
    }
    const failure = { 'error.type': 'ConnectionError', 'payments.outcome': 'not_executed' };
    expect(call?.attributes).toMatchObject(failure);
    const duration = (await metrics()).find(({ descriptor }) => descriptor.name.startsWith('http'));
    expect(duration?.dataPoints).toMatchObject([{ attributes: { 'error.type': 'ECONNREFUSED' } }]);
  });
});

describe('a call that fails', () => {
  it('before anything is sent has no attempt', async () => {
    const { payments, spans } = startClient([[200, refund]]);
    await failureOf(payments.refunds.retrieve('ch_1'), InvalidRequestError);
    expect(spans().map(({ name }) => name)).toEqual(['payments refunds.retrieve']);
    expect(spans()[0]?.attributes).toMatchObject({ 'error.type': 'InvalidRequestError' });
  });

  it('has no message and no event, in which the service may name persons', async () => {
    const { payments, spans } = startClient([[500, { message: 'for Ada Lovelace' }]]);
    await Promise.resolve(payments.refunds.create(refundParams, by)).catch(() => {});
    expect(spans()).toHaveLength(2);
    for (const { status, events, attributes } of spans()) {
      expect({ status, events }).toEqual({ status: { code: ERROR }, events: [] });
      expect(JSON.stringify(attributes)).not.toContain('Ada');
    }
  });
});

describe('every span that starts ends', () => {
  it('when a call is aborted: before it is sent, in transit, and between attempts', async () => {
    const away = new AbortController();
    const between = new AbortController();
    const { payments, spans, started, hooks } = startClient([], {
      fetch: () => {
        away.abort();
        return new Promise<Response>(() => {});
      },
    });
    const { payments: again } = startClient([[503, '', { 'retry-after': '60' }]], {
      maxRetries: 1,
      hooks: { ...hooks, retry: (event) => [hooks.retry?.(event), between.abort()] },
    });
    for (const call of [
      () => payments.refunds.retrieve('rf_1', { signal: AbortSignal.abort() }),
      () => payments.refunds.retrieve('rf_2', { signal: away.signal }),
      () => again.refunds.retrieve('rf_3', { signal: between.signal }),
    ]) {
      await failureOf(call(), RequestAbortedError);
    }
    expect(started).toHaveLength(5);
    expect(spans()).toHaveLength(5);
    const types = named(spans(), 'GET /v1/refunds/{id}').map(({ attributes }) => attributes['error.type']);
    expect(types).toEqual(['ABORTED', '503']);
  });

  it('and a finished call starts no more spans', async () => {
    const events: RequestEvent[] = [];
    const { hooks, started } = startTelemetry();
    const request = (event: RequestEvent) => [hooks.request?.(event), events.push(event)];
    const { payments } = startClient([[200, refund]], { hooks: { ...hooks, request } });
    await payments.refunds.retrieve('rf_1');
    for (const event of events) hooks.request?.(event);
    expect(events).toHaveLength(1);
    expect(started).toHaveLength(2);
  });

  it('when a prefetched page is dropped, without an error', async () => {
    const progress = new EventEmitter();
    const { hooks, started, spans } = startTelemetry();
    const { payments } = startClient([], {
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
    expect(started.filter((name) => name === 'payments products.list')).toHaveLength(2);
    expect(spans()).toHaveLength(started.length);
    for (const { status } of spans()) expect(status.code).toBe(UNSET);
  });
});

describe("the caller's active context", () => {
  it('is the parent of its calls, even of concurrent ones', async () => {
    followContexts();
    const { payments, spans, tracer } = startClient(
      [
        [503, {}],
        [200, refund],
      ],
      { maxRetries: 1 },
    );
    const orders = Array.from({ length: 5 }, (_, index) => `order-${index}`);
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
        expect(spans().some((span) => parentOf(span) === idOf(call))).toBe(true);
        expect(call.spanContext().traceId).toBe(order?.spanContext().traceId);
      }
    }
  });

  it('is the parent of each page of an iteration, and is restored after a call', async () => {
    followContexts();
    const { payments, spans, tracer } = startClient([
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
  /** Makes a call with two attempts, and returns the span that was active for each. */
  async function activeIn(hooks: PaymentsClientOptions['hooks']) {
    followContexts();
    const active: (string | undefined)[] = [];
    const { payments } = startClient([], {
      hooks,
      maxRetries: 1,
      fetch: async () => {
        await Promise.resolve();
        const status = active.push(trace.getActiveSpan()?.spanContext().spanId) === 1 ? 503 : 200;
        return Response.json(refund, { status });
      },
    });
    await payments.refunds.create(refundParams, by);
    expect(trace.getActiveSpan()).toBeUndefined();
    return active;
  }

  it('within the span of its attempt', async () => {
    const { hooks, spans } = startTelemetry();
    const active = await activeIn({ ...hooks, error: () => {} });
    expect(active).toEqual(named(spans(), 'POST /v1/refunds').map(idOf));
    expect(new Set(active).size).toBe(2);
  });

  it('within the span of its call if attempts have none, which measures none', async () => {
    const { options, spans, metrics } = startTelemetry();
    const active = await activeIn(openTelemetry({ ...options, attemptSpans: false }).hooks);
    const [call, ...others] = spans();
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: 'payments refunds.create', attributes: { 'payments.attempts': 2 } });
    expect(active).toEqual([idOf(call), idOf(call)]);
    const names = (await metrics()).map(({ descriptor }) => descriptor.name);
    expect(names).not.toContain('http.client.request.duration');
  });

  it('once if contexts fail', async () => {
    const fail = () => {
      throw new Error('a broken context manager');
    };
    context.setGlobalContextManager(Object.assign(new AsyncLocalStorageContextManager(), { with: fail }));
    onTestFinished(() => context.disable());
    const fetch = vi.fn(async () => Response.json(refund));
    const { payments } = startClient([], { fetch });
    expect(await payments.refunds.create(refundParams, by)).toEqual(refund);
    expect(fetch).toHaveBeenCalledOnce();
  });
});
