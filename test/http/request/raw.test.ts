/** `payments.request`: requests that no method covers. */

import {
  InvalidRequestError,
  PaymentsError,
  type RequestEvent,
  ResponseValidationError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { createClient, json, secretKey } from '../../support/mock-service.ts';

const operation = { operationId: 'order-1' };

/** A client that gets this response, and the requests that it sent. */
function clientGetting(response: Response, options = {}) {
  const sent: { readonly url: string; readonly key: string | null; readonly body: string }[] = [];
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const key = request.headers.get('idempotency-key');
    sent.push({ url: pathname + search, key, body: await request.text() });
    return response.clone();
  };
  return { sent, payments: createClient({ fetch, maxRetries: 0, ...options }) };
}

describe('payments.request', () => {
  it('sends a body with sorted names, and returns the JSON of the response', async () => {
    const { sent, payments } = clientGetting(json({ id: 'po_1', amount: 5 }));
    const body = { b: [{ d: 1, c: null }], a: { z: 'é', y: true } };
    const result = await payments.request({ method: 'POST', path: '/v1/payouts', body }, operation);
    expect(result).toEqual({ id: 'po_1', amount: 5 });
    const text = '{"a":{"y":true,"z":"é"},"b":[{"c":null,"d":1}]}';
    expect(sent).toEqual([
      { url: '/v1/payouts', key: 'pc1:POST~0020~002fv1~002fpayouts:order-1', body: text },
    ]);
  });

  it('sends a query without undefined parameters, and returns the result of parse', async () => {
    const { sent, payments } = clientGetting(json({ id: 'po_1' }));
    const query = { a: 1, b: true, c: undefined, d: 'x y&z', e: '' };
    const parse = (value: unknown) => JSON.stringify(value);
    expect(await payments.request({ method: 'GET', path: '/v1/payouts/po_1', query, parse })).toBe(
      '{"id":"po_1"}',
    );
    expect(sent[0]?.url).toBe('/v1/payouts/po_1?a=1&b=true&d=x+y%26z&e=');
  });

  it('gives an empty body as undefined, to parse too', async () => {
    const { payments } = clientGetting(new Response(null, { status: 204 }));
    const request = { method: 'DELETE', path: '/v1/payouts/po_1' } as const;
    expect(await payments.request(request)).toBeUndefined();
    expect(await payments.request({ ...request, parse: (body) => [body] })).toEqual([undefined]);
  });

  it.each(['POST', 'PUT', 'PATCH'] as const)(
    '%s needs an operationId unless movesMoney is false',
    async (method) => {
      const { sent, payments } = clientGetting(json({}));
      for (const movesMoney of [undefined, true]) {
        const request: object = { method, path: '/v1/notes', movesMoney };
        const error = await failureOf(payments.request(anything(request)), InvalidRequestError);
        expect(error.issues).toMatchObject([{ path: 'options.operationId', received: 'nothing' }]);
      }
      expect(sent).toEqual([]);
      await payments.request({ method, path: '/v1/notes', movesMoney: false });
      await payments.request({ method, path: '/v1/notes' }, { idempotencyKey: 'k' });
      // The key of this one call lets a POST be retried.
      const own = method === 'POST' ? expect.stringMatching(/^pc1r:[\da-f-]{36}$/) : null;
      expect(sent.map(({ key }) => key)).toEqual([own, 'k']);
    },
  );

  it.each(['GET', 'DELETE'] as const)('%s needs none', async (method) => {
    const { sent, payments } = clientGetting(json({}));
    await payments.request({ method, path: '/v1/notes' });
    expect(sent).toEqual([{ url: '/v1/notes', key: null, body: '' }]);
  });

  it.each([
    [new Error('no amount'), 'no amount'],
    ['no amount', 'a value that is not an Error'],
  ])('reports a parse that throws %s as executed', async (thrown, reason) => {
    const { payments } = clientGetting(json({ id: 'po_1' }));
    const parse = () => {
      throw thrown;
    };
    const call = payments.request({ method: 'POST', path: '/v1/payouts', parse }, operation);
    const error = await failureOf(call, ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
    expect(error.issues).toEqual([
      { path: '(root)', expected: 'a body that parse accepts', received: `a refusal: ${reason}` },
    ]);
  });

  it('never shows a secret in its path, but derives the key of all of it', async () => {
    const events: RequestEvent[] = [];
    const hooks = { request: (event: RequestEvent) => events.push(event) };
    const { sent, payments } = clientGetting(json({}, { status: 400 }), { hooks });
    for (const card of ['4111111111111111', '5555555555554444', secretKey]) {
      const call = payments.request({ method: 'POST', path: `/v1/cards/${card}` }, operation);
      const { message } = await failureOf(call, PaymentsError);
      expect(message).toContain('POST /v1/cards/[redacted]: ');
    }
    for (const { operation: name, path } of events)
      expect([name, path]).toEqual(['POST /v1/cards/[redacted]', '/v1/cards/[redacted]']);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it('reads each field once, so that what was checked is what is sent', async () => {
    const { sent, payments } = clientGetting(json({}));
    const reads: string[] = [];
    const read = <T>(name: string, value: T): T => {
      reads.push(name);
      return value;
    };
    await payments.request({
      get method() {
        return read('method', 'POST' as const);
      },
      get path() {
        return read('path', '/v1/notes');
      },
      get movesMoney() {
        return read('movesMoney', false as const);
      },
    });
    expect(reads.sort()).toEqual(['method', 'movesMoney', 'path']);
    expect(sent).toHaveLength(1);
  });

  it.each<readonly [what: string, fields: object]>([
    ['body', { body: new Map() }],
    ['query', { query: { since: new Date(0) } }],
    ['body, beside a parse,', { body: new Map(), parse: String }],
  ])('names the call whose %s cannot be copied', async (_what, fields) => {
    const { payments } = clientGetting(json({}));
    const request: object = { method: 'POST', path: '/v1/payouts', ...fields };
    const error = await failureOf(payments.request(anything(request), operation), InvalidRequestError);
    expect(error.message).toMatch(/^POST \/v1\/payouts: /);
  });

  const paths = [
    'v1/x',
    '//evil.test/x',
    '/v1/../x',
    '/v1/./x',
    '/v1/%2E%2e/x',
    '/v1/%2e',
    '/v1/x?y=1',
    '/v1/x#y',
    '/v1\\x',
    '/v1/x y',
    '/v1/é',
  ];
  it.each<readonly [request: unknown, path: string, received: string]>([
    ['GET /v1/payouts', 'method', 'nothing'],
    [{ method: 'FETCH', path: '/v1' }, 'method', "'FETCH'"],
    [{ method: 'HEAD', path: '/v1' }, 'method', "'HEAD'"],
    ...paths.map(
      (path) => [{ method: 'GET', path }, 'path', `a string of ${path.length} characters`] as const,
    ),
    [{ method: 'GET', path: 5 }, 'path', 'the number 5'],
    [{ method: 'GET', path: '/v1', query: { limit: {} } }, 'query.limit', 'an object'],
    [{ method: 'GET', path: '/v1', query: { limit: null } }, 'query.limit', 'null'],
    [{ method: 'GET', path: '/v1', body: { a: 1 } }, 'body', 'an object'],
    [{ method: 'DELETE', path: '/v1', body: 'a' }, 'body', "'a'"],
    [{ method: 'GET', path: '/v1', parse: 'x' }, 'parse', "'x'"],
    [{ method: 'POST', path: '/v1', movesMoney: 'no' }, 'movesMoney', "'no'"],
    [{ method: 'POST', path: '/v1', bdoy: {} }, 'bdoy', "did you mean 'body'?"],
  ])('refuses the request %j', async (request, path, received) => {
    const { sent, payments } = clientGetting(json({}));
    const error = await failureOf(payments.request(anything(request), operation), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path, received: expect.stringContaining(received) }]);
    expect(error.message).toMatch(/Nothing was sent\.$/);
    expect(sent).toEqual([]);
  });
});
