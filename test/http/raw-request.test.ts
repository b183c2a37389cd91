import { InvalidRequestError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const operation = { operationId: 'order-1' };

describe('payments.request', () => {
  it('sends a request that no method covers, and returns its JSON or the result of parse', async () => {
    service.answers(json({ id: 'po_1', amount: 5 }));
    const payments = createClient();
    const body = await payments.request(
      { method: 'POST', path: '/v1/payouts', body: { amount: 5 } },
      operation,
    );
    expect(body).toEqual({ id: 'po_1', amount: 5 });
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe(
      'pc1:POST~0020~002fv1~002fpayouts:order-1',
    );
    const parse = (value: unknown) => JSON.stringify(value);
    const query = { a: 1, b: true, c: undefined, d: 'x y' };
    expect(await payments.request({ method: 'GET', path: '/v1/payouts/po_1', query, parse })).toBe(
      '{"id":"po_1","amount":5}',
    );
    expect(service.arrivals[1]?.url.search).toBe('?a=1&b=true&d=x+y');
  });

  it('returns undefined for an empty body', async () => {
    service.answers(new Response(null, { status: 204 }));
    expect(await createClient().request({ method: 'DELETE', path: '/v1/payouts/po_1' })).toBeUndefined();
  });

  it('requires no operationId if movesMoney is false', async () => {
    service.answers(json({}));
    await createClient().request({ method: 'POST', path: '/v1/notes', movesMoney: false });
    expect(service.arrivals[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it.each([
    [new Error('no amount'), 'no amount'],
    ['no amount', 'a value that is not an Error'],
  ])('reports a parse that throws %s as executed', async (thrown, reason) => {
    service.answers(json({ id: 'po_1' }));
    const parse = () => {
      throw thrown;
    };
    const call = createClient().request({ method: 'POST', path: '/v1/payouts', parse }, operation);
    const error = await failureOf(call, ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', body: { id: 'po_1' } });
    expect(error.issues).toEqual([
      { path: '(root)', expected: 'a body that parse accepts', received: `a refusal: ${reason}` },
    ]);
  });
});

it.each<[request: unknown, issue: string]>([
  [
    'GET /v1/payouts',
    'request: method: expected GET, POST, PUT, PATCH or DELETE, got nothing. Nothing was sent.',
  ],
  [
    { method: 'FETCH', path: '/v1' },
    "request: method: expected GET, POST, PUT, PATCH or DELETE, got 'FETCH'. Nothing was sent.",
  ],
  [
    { method: 'GET', path: 'v1' },
    "GET v1: path: expected an ASCII path that starts with one '/' and holds no query, blank, backslash or '..' segment, got a string of 2 characters. Nothing was sent.",
  ],
  [
    { method: 'GET', path: 5 },
    "request: path: expected an ASCII path that starts with one '/' and holds no query, blank, backslash or '..' segment, got the number 5. Nothing was sent.",
  ],
  [
    { method: 'GET', path: '/v1', query: { limit: {} } },
    'GET /v1: query.limit: expected a string, a number or a boolean, got an object. Nothing was sent.',
  ],
  [
    { method: 'GET', path: '/v1', body: { a: 1 } },
    'GET /v1: body: expected nothing, since GET carries none, got an object. Nothing was sent.',
  ],
])('refuses the request %j', async (request, issue) => {
  const error = await failureOf(createClient().request(anything(request)), InvalidRequestError);
  expect(error.message).toBe(issue);
});
