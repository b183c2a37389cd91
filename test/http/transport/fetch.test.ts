/** What a `fetch` of the user or of the runtime gets, what it may return, and how a sale leaves it only once. */

import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { ConnectionError, type Fetch, PaymentsError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';
import { operation, startServer } from './support.ts';

it('gives Deno a body as a blob, which it sends once, and a GET none', async () => {
  vi.stubGlobal('Deno', {});
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
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
  const texts = await Promise.all(bodies.map((body) => (body instanceof Blob ? body.text() : body)));
  expect(texts).toEqual([undefined, JSON.stringify(refundParams), '', expect.stringContaining('type=sale')]);
});

it.each([7, {}, null, { status: 200, ok: true, headers: {} }])(
  'takes %j in place of a response for a failure of the fetch',
  async (value) => {
    const { refunds } = createClient({ fetch: anything(async () => value) });
    const error = await failureOf(refunds.create(refundParams, operation), ConnectionError);
    expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', retryable: false, attempts: 1 });
    expect(error.message).toContain('The fetch function failed (FETCH_THREW).');
  },
);

it('aborts no fetch of its own whose result came', async () => {
  const signals: AbortSignal[] = [];
  const fetch = async ({ signal }: Request) => {
    signals.push(signal);
    return Response.json(refund);
  };
  await createClient({ fetch }).refunds.retrieve('rf_1');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

describe('a sale over a custom fetch on Node', () => {
  /** A service, and the requests with a body that reached it. */
  async function startService(status = 200) {
    const arrived: { body: string; headers: IncomingHttpHeaders }[] = [];
    const url = await startServer(async (request, reply) => {
      const body = await text(request);
      if (body !== '') arrived.push({ body, headers: request.headers });
      reply.writeHead(status).end('response=1');
    });
    const transactBy = (fetch: Fetch, options = {}) =>
      createClient({ baseUrl: url, fetch, allowInsecure: true, ...options }).transact;
    return { transactBy, arrived };
  }

  it.each(['urlencoded', 'multipart'] as const)(
    'arrives whole, with its length, as %s',
    async (formEncoding) => {
      const { transactBy, arrived } = await startService();
      const transact = transactBy(globalThis.fetch, { formEncoding });
      expect((await transact.sale({ ...saleParams, orderid: 'Tee für 2' })).approved).toBe(true);
      const [{ body, headers } = { body: '', headers: {} }] = arrived;
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(headers['transfer-encoding']).toBeUndefined();
      expect(body).toContain(formEncoding === 'multipart' ? 'Tee für 2' : 'Tee+f%C3%BCr+2');
    },
  );

  const urlOf = ({ url }: Request) => url;

  it.each<readonly [what: string, fetch: Fetch]>([
    ['sends it again', (one) => fetch(one).then(() => fetch(one))],
    ['sends a copy again', (one) => fetch(one.clone()).then(() => fetch(one.clone()))],
    ['sends the copy of a copy', (one) => fetch(one.clone().clone()).then(() => fetch(one))],
    ['makes new requests of it', (one) => fetch(new Request(one)).then(() => fetch(new Request(one)))],
    ['sends it by its parts', (one) => fetch(urlOf(one), one).then(() => fetch(urlOf(one), one))],
  ])('leaves once if a wrapper %s', async (_what, wrapper) => {
    const { transactBy, arrived } = await startService();
    const error = await failureOf(transactBy(wrapper).sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, attempts: 1 });
    expect(arrived).toHaveLength(1);
  });

  it('leaves once if the service answers 421, after which undici repeats other requests', async () => {
    const { transactBy, arrived } = await startService(421);
    await failureOf(transactBy(globalThis.fetch).sale(saleParams), PaymentsError);
    expect(arrived).toHaveLength(1);
  });

  it('may be copied by a wrapper that sends it once', async () => {
    const { transactBy, arrived } = await startService();
    const once: Fetch = (one) => fetch(new Request(one.clone(), { headers: one.headers }));
    expect((await transactBy(once).sale(saleParams)).approved).toBe(true);
    expect(arrived).toHaveLength(1);
  });

  it.each([
    ['fewer bytes than announced', '90'],
    ['no more than announced', '10'],
  ])('with %s is approved only if it is whole', async (_what, length) => {
    const fetch = async () => new Response('response=1', { headers: { 'content-length': length } });
    const sale = createClient({ fetch }).transact.sale(saleParams);
    if (length === '10') expect((await sale).approved).toBe(true);
    else expect(await failureOf(sale, PaymentsError)).toMatchObject({ outcome: 'unknown', retryable: false });
  });
});
