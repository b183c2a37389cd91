/** A mock of `fetch` gets every request: none may reach the network. A function that does not say that it is a mock gets none. */

import { mock } from 'node:test';
import { setupServer } from 'msw/node';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refund, saleParams } from '../../../support/fixtures.ts';
import { client, keys, startServer } from '../support.ts';

let url: string;
/** The requests that reached the server. */
let arrived: string[];

beforeEach(async () => {
  arrived = [];
  url = await startServer((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify({ ...refund, response: 1 }));
  });
});

const mocked = { ...refund, id: 'rf_mocked', response: 1 };
const answer = async () => Response.json(mocked);

/** Retrieves a refund, and returns its id: that of the mock, or that of the server. */
const retrieve = async (payments = client(url)) => (await payments.refunds.retrieve('rf_1')).id;

/** The client of a package that is loaded only now. */
async function freshClient() {
  vi.resetModules();
  const { PaymentsClient } = await import('payments-client');
  return new PaymentsClient({ baseUrl: url, ...keys });
}

/** Puts an object of a class with this name, or of one that extends it, in place of undici's dispatcher. */
function replaceDispatcher(name: string, version: number): void {
  const symbol = Symbol.for(`undici.globalDispatcher.${version}`);
  const before: unknown = Reflect.get(globalThis, symbol);
  const type = Object.defineProperty(class {}, 'name', { value: name });
  Reflect.set(globalThis, symbol, new (class extends type {})());
  onTestFinished(() => void Reflect.set(globalThis, symbol, before));
  vi.stubGlobal('fetch', answer);
}

describe('a mock gets every request', () => {
  it.each<readonly [what: string, replace: () => void]>([
    ['of Vitest', () => vi.stubGlobal('fetch', vi.fn(answer))],
    ['of node:test', () => vi.stubGlobal('fetch', mock.fn(answer))],
    [
      'of Sinon',
      () =>
        vi.stubGlobal(
          'fetch',
          Object.assign(async () => answer(), { isSinonProxy: true }),
        ),
    ],
    ['MockAgent of undici', () => replaceDispatcher('MockAgent', 1)],
    ['MockPool of undici', () => replaceDispatcher('MockPool', 2)],
    ['MockClient of undici', () => replaceDispatcher('MockClient', 1)],
  ])('%s', async (_what, replace) => {
    replace();
    expect(await retrieve()).toBe('rf_mocked');
    expect((await client(url).transact.sale(saleParams)).approved).toBe(true);
    expect(arrived).toEqual([]);
  });

  it('of a client that was created before, and none after it is restored', async () => {
    const payments = client(url);
    const fetch = vi.fn(answer);
    vi.stubGlobal('fetch', fetch);
    expect(await retrieve(payments)).toBe('rf_mocked');
    vi.unstubAllGlobals();
    expect(await retrieve(payments)).toBe('rf_1');
    expect(fetch).toHaveBeenCalledOnce();
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });

  it('if a setup file replaced fetch before the package was loaded', async () => {
    vi.stubGlobal('fetch', vi.fn(answer));
    expect(await retrieve(await freshClient())).toBe('rf_mocked');
    expect(arrived).toEqual([]);
  });

  it('but those of a client with its own fetch', async () => {
    const replaced = vi.fn(async () => Response.json(refund));
    vi.stubGlobal('fetch', replaced);
    expect(await retrieve(client(url, { fetch: answer }))).toBe('rf_mocked');
    expect(replaced).not.toHaveBeenCalled();
  });

  it('also while msw intercepts the network', async () => {
    const server = setupServer();
    server.listen({ onUnhandledFrame: 'bypass' });
    onTestFinished(() => server.close());
    vi.stubGlobal('fetch', vi.fn(answer));
    expect(await retrieve()).toBe('rf_mocked');
    expect(arrived).toEqual([]);
  });
});

describe('a function that does not say that it is a mock gets no request', () => {
  const realFetch = globalThis.fetch;

  /** Sends each request twice, as a wrapper that retries does. */
  async function sendTwice(request: Request): Promise<Response> {
    await realFetch(request.clone());
    return realFetch(request);
  }

  it.each([
    ['a wrapper', sendTwice],
    ['the fetch of Next.js', Object.assign(sendTwice, { __nextPatched: true })],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'fetch'],
  ])('%s', async (_what, fetch) => {
    vi.stubGlobal('fetch', fetch);
    await client(url).transact.sale(saleParams);
    expect(await retrieve()).toBe('rf_1');
    expect(arrived).toEqual(['POST /api/transact.php', 'GET /v1/refunds/rf_1']);
  });

  it('even if it was there before the package was loaded', async () => {
    vi.stubGlobal('fetch', sendTwice);
    expect(await retrieve(await freshClient())).toBe('rf_1');
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });
});
