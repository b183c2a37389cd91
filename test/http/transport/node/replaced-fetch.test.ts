/** A test that replaces `fetch` gets every request: none may reach the network. */

import { Transact } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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

  it('of Next.js gets no request, because it may respond from a cache', async () => {
    const fetch = Object.assign(mockOf(mocked), { __nextPatched: true });
    vi.stubGlobal('fetch', fetch);
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
    expect(fetch).not.toHaveBeenCalled();
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });
});

it('does not change the fetch of the runtime', async () => {
  const { fetch } = globalThis;
  const carried: Request[] = [];
  vi.resetModules();
  vi.stubGlobal('fetch', (request: Request) => {
    carried.push(request);
    return fetch(request);
  });
  const { PaymentsClient } = await import('payments-client');
  await new PaymentsClient({ baseUrl: url, ...keys }).refunds.retrieve('rf_1');
  expect(carried).toEqual([]);
  expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
});

it.each([undefined, null, 'fetch'])('uses node:http if fetch is %s', async (fetch) => {
  vi.stubGlobal('fetch', fetch);
  expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  expect(arrived).toHaveLength(1);
});
