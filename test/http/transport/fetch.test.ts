/** What a `fetch` of the user or of the runtime gets, and may send only once. */

import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { ConnectionError, type Fetch, PaymentsError, TimeoutError } from 'payments-client';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, json, secretKey } from '../../support/mock-service.ts';
import { serve } from '../../support/serve.ts';

const operation = { operationId: 'return-1' };

test('a body is a blob, which Deno sends once, and a GET has none', async () => {
  vi.stubGlobal('Deno', {});
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllGlobals());
  const bodies: unknown[] = [];
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(url: string, init: RequestInit) {
        super(url, init);
        bodies.push(init.body);
      }
    },
  );
  const { PaymentsClient } = await import('payments-client');
  const keys = { secretKey: 'sk_v1_test_deno', securityKey: 'security-key-1' };
  const fetch = async () => Response.json({ ...refund, response: 1 });
  const payments = new PaymentsClient({ baseUrl: 'https://payments.test', ...keys, fetch });
  await payments.refunds.retrieve('rf_1');
  await payments.refunds.create(refundParams, operation);
  await payments.refunds.retry('rf_1', operation);
  await payments.transact.sale(saleParams);
  expect(bodies.map((body) => body instanceof Blob)).toEqual([false, true, true, true]);
  expect(bodies[0]).toBeUndefined();
  const [, created, retried] = bodies.map((body) => (body instanceof Blob ? body : new Blob([])));
  expect(JSON.parse((await created?.text()) ?? '')).toEqual(refundParams);
  expect(await retried?.text()).toBe('');
});

const order = { operationId: 'order-1' };

describe('a custom fetch', () => {
  it('gets a Request, and its response is used', async () => {
    const fetch = vi.fn(async (request: Request) => json({ ...refund, reason: await request.text() }));
    const result = await createClient({ fetch }).refunds.create(refundParams, order);
    expect(result.reason).toBe('{"payment_intent_id":"pi_1"}');
  });

  it('that throws a programming error is not called again', async () => {
    const fetch = vi.fn(async () => {
      throw new TypeError(`cannot read ${secretKey}`);
    });
    const error = await failureOf(
      createClient({ fetch }).refunds.create(refundParams, order),
      ConnectionError,
    );
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
    expect(inspect(error, { depth: 9 })).not.toContain(secretKey);
  });

  it.each([7, {}, { status: 200, ok: true, headers: {} }])(
    'that returns %j in place of a response is a programming error',
    async (value) => {
      const call = createClient({ fetch: anything(async () => value) }).refunds.create(refundParams, order);
      const error = await failureOf(call, ConnectionError);
      expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    },
  );

  it('of a library that cannot read a Request of the runtime fails with the form that it needs', async () => {
    const foreign = async (input: unknown) => Response.json(new URL(String(input)));
    const error = await failureOf(
      createClient({ fetch: anything(foreign) }).products.list(),
      ConnectionError,
    );
    expect(error.message).toContain(
      'give the client fetch: (request) => undici.fetch(request.url, request).',
    );
    const broken = async () => {
      throw new TypeError('no such variable');
    };
    const other = await failureOf(createClient({ fetch: broken }).products.list(), ConnectionError);
    expect(other.message).not.toContain('undici');
  });

  it('that ignores the signal cannot delay a call beyond its time-out', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const call = createClient({ fetch, timeout: 10, maxRetries: 0 }).refunds.create(refundParams, order);
    expect(await failureOf(call, TimeoutError)).toMatchObject({ code: 'ATTEMPT_TIMEOUT' });
  });
});

describe('a sale over a custom fetch on Node', () => {
  /** A service, and the bodies and headers that reached it. */
  async function startService(status = 200) {
    const arrived: { body: string; headers: IncomingHttpHeaders }[] = [];
    const { url, close } = await serve(async (request, reply) => {
      arrived.push({ body: await text(request), headers: request.headers });
      reply.writeHead(status).end('response=1');
    });
    onTestFinished(close);
    return { url, arrived };
  }

  const urlOf = ({ url }: Request) => url;

  it.each(['urlencoded', 'multipart'] as const)(
    'arrives whole, with its length, as %s',
    async (formEncoding) => {
      const { url, arrived } = await startService();
      const { fetch } = globalThis;
      const { transact } = createClient({ baseUrl: url, fetch, formEncoding, allowInsecure: true });
      expect((await transact.sale({ ...saleParams, orderid: 'Tee für 2' })).approved).toBe(true);
      const [{ body, headers } = { body: '', headers: {} }] = arrived;
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(headers['transfer-encoding']).toBeUndefined();
      expect(body).toContain(formEncoding === 'multipart' ? 'Tee für 2' : 'Tee+f%C3%BCr+2');
    },
  );

  const wrappers: readonly (readonly [what: string, fetch: Fetch])[] = [
    ['sends it again', (request) => fetch(request).then(() => fetch(request))],
    ['sends a copy again', (request) => fetch(request.clone()).then(() => fetch(request.clone()))],
    ['sends the copy of a copy', (request) => fetch(request.clone().clone()).then(() => fetch(request))],
    [
      'makes new requests of it',
      (request) => fetch(new Request(request)).then(() => fetch(new Request(request))),
    ],
    [
      'sends it by its parts',
      (request) => fetch(urlOf(request), request).then(() => fetch(urlOf(request), request)),
    ],
  ];

  it.each(wrappers)('leaves once if a wrapper %s', async (_what, wrapper) => {
    const { url, arrived } = await startService();
    const { transact } = createClient({ baseUrl: url, fetch: wrapper, allowInsecure: true });
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    expect(arrived.filter(({ body }) => body !== '')).toHaveLength(1);
  });

  it('leaves once if the service answers 421, after which undici repeats other requests', async () => {
    const { url, arrived } = await startService(421);
    const { transact } = createClient({ baseUrl: url, fetch: globalThis.fetch, allowInsecure: true });
    await failureOf(transact.sale(saleParams), PaymentsError);
    expect(arrived).toHaveLength(1);
  });

  it('may be copied by a wrapper that sends it once', async () => {
    const { url, arrived } = await startService();
    const once: Fetch = (request) => fetch(new Request(request.clone(), { headers: request.headers }));
    const { transact } = createClient({ baseUrl: url, fetch: once, allowInsecure: true });
    expect((await transact.sale(saleParams)).approved).toBe(true);
    expect(arrived).toHaveLength(1);
  });
});
