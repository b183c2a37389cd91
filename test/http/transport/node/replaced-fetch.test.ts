/** A mock of `fetch` gets every request: none may reach the network. A function that does not say that it is a mock gets none. */

import { mock } from 'node:test';
import { setupServer } from 'msw/node';
import { Transact } from 'payments-client';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refund, refundParams, saleParams } from '../../../support/fixtures.ts';
import { client, keys, operation, startServer } from '../support.ts';

let url: string;
/** The requests that reached the server. */
let arrived: string[];

beforeEach(async () => {
  arrived = [];
  url = await startServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify(refund));
  });
});

const mockOf = (body: unknown) => vi.fn(async (_request: Request) => Response.json(body));

/** A mock that records its requests. A body can be read until the call ends. */
function recordingMockOf(body: unknown) {
  const bodies: string[] = [];
  const fetch = vi.fn(async (request: Request) => {
    bodies.push(await request.text());
    return Response.json(body);
  });
  return { fetch, bodies };
}

const mocked = { ...refund, id: 'rf_mocked' };

describe('a replaced fetch', () => {
  it('gets the request of a client that was created before', async () => {
    const { refunds } = client(url);
    const { fetch, bodies } = recordingMockOf(mocked);
    vi.stubGlobal('fetch', fetch);
    expect(await refunds.create(refundParams, operation)).toEqual(mocked);
    const request = fetch.mock.calls[0]?.[0];
    expect(request).toBeInstanceOf(Request);
    expect(request).toMatchObject({ method: 'POST', url: `${url}/v1/refunds` });
    expect(request?.headers.get('authorization')).toBe(`Bearer ${keys.secretKey}`);
    expect(bodies).toEqual([JSON.stringify(refundParams)]);
    expect(arrived).toEqual([]);
  });

  it('gets the request of a client that is created later', async () => {
    const fetch = mockOf(mocked);
    vi.stubGlobal('fetch', fetch);
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(mocked);
    expect(fetch).toHaveBeenCalledOnce();
    expect(arrived).toEqual([]);
  });

  it('gets the request of the form endpoint', async () => {
    const { fetch, bodies } = recordingMockOf({ response: 1 });
    vi.stubGlobal('fetch', fetch);
    const { securityKey } = keys;
    const transact = new Transact({ baseUrl: url, securityKey });
    expect(await transact.sale(saleParams)).toMatchObject({ approved: true });
    const form = new URLSearchParams(bodies[0]);
    expect(form.get('security_key')).toBe(securityKey);
    expect(arrived).toEqual([]);
  });

  it('gets the request if a setup file replaced it before the package was loaded', async () => {
    const fetch = mockOf(mocked);
    vi.stubGlobal('fetch', fetch);
    vi.resetModules();
    const { PaymentsClient } = await import('payments-client');
    const { refunds } = new PaymentsClient({ baseUrl: url, ...keys });
    expect(await refunds.retrieve('rf_1')).toEqual(mocked);
    expect(fetch).toHaveBeenCalledOnce();
    expect(arrived).toEqual([]);
  });

  it('gets no request after it is restored', async () => {
    const { refunds } = client(url);
    const fetch = mockOf(mocked);
    vi.stubGlobal('fetch', fetch);
    await refunds.retrieve('rf_1');
    vi.unstubAllGlobals();
    expect(await refunds.retrieve('rf_1')).toEqual(refund);
    expect(fetch).toHaveBeenCalledOnce();
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });

  it('gets no request of a client with its own fetch', async () => {
    const [replaced, own] = [mockOf(refund), mockOf(mocked)];
    vi.stubGlobal('fetch', replaced);
    expect(await client(url, { fetch: own }).refunds.retrieve('rf_1')).toEqual(mocked);
    expect(replaced).not.toHaveBeenCalled();
    expect(arrived).toEqual([]);
  });

  it('gets the request also while msw intercepts the network', async () => {
    const server = setupServer();
    server.listen({ onUnhandledFrame: 'bypass' });
    onTestFinished(() => server.close());
    const fetch = mockOf({ ...mocked, response: 1 });
    vi.stubGlobal('fetch', fetch);
    expect((await client(url).refunds.retrieve('rf_1')).id).toBe('rf_mocked');
    expect((await client(url).transact.sale(saleParams)).approved).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(arrived).toEqual([]);
  });

  it('may be one of node:test', async () => {
    const fetch = mock.fn(async () => Response.json(mocked));
    vi.stubGlobal('fetch', fetch);
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(mocked);
    expect(arrived).toEqual([]);
  });

  it('may be one of Sinon', async () => {
    vi.stubGlobal(
      'fetch',
      Object.assign(async () => Response.json(mocked), { isSinonProxy: true }),
    );
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(mocked);
    expect(arrived).toEqual([]);
  });

  it.each(['MockAgent', 'MockPool', 'MockClient'])('may have a %s of undici below it', async (name) => {
    const symbol = Symbol.for('undici.globalDispatcher.1');
    const before: unknown = Reflect.get(globalThis, symbol);
    const type = Object.defineProperty(class {}, 'name', { value: name });
    Reflect.set(globalThis, symbol, Object.create(new type()));
    onTestFinished(() => void Reflect.set(globalThis, symbol, before));
    vi.stubGlobal('fetch', async () => Response.json(mocked));
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(mocked);
    expect(arrived).toEqual([]);
  });
});

describe('a function in place of fetch', () => {
  /** Sends each request twice, as a wrapper that retries does. */
  async function sendTwice(request: Request): Promise<Response> {
    await realFetch(request.clone());
    return realFetch(request);
  }
  const realFetch = globalThis.fetch;

  it.each([
    ['a wrapper', sendTwice],
    ['the fetch of Next.js', Object.assign(sendTwice, { __nextPatched: true })],
  ])('gets neither a sale nor another request: %s', async (_what, fetch) => {
    vi.stubGlobal('fetch', fetch);
    await client(url)
      .transact.sale(saleParams)
      .catch(() => {});
    await client(url).refunds.retrieve('rf_1');
    expect(arrived).toEqual(['POST /api/transact.php', 'GET /v1/refunds/rf_1']);
  });

  it('gets no request if it was there before the package was loaded', async () => {
    vi.stubGlobal('fetch', sendTwice);
    vi.resetModules();
    const { PaymentsClient } = await import('payments-client');
    await new PaymentsClient({ baseUrl: url, ...keys }).refunds.retrieve('rf_1');
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });
});

it.each([undefined, null, 'fetch'])('uses node:http if fetch is %s', async (fetch) => {
  vi.stubGlobal('fetch', fetch);
  expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  expect(arrived).toHaveLength(1);
});
