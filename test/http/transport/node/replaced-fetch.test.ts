/** What stands in place of the global `fetch` gets no request: it may be a wrapper that sends one twice. Tests pass the option `fetch`. */

import { fetch as fetchOfUndici, MockAgent } from 'undici';
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

/** Retrieves a refund, and returns its id: that of a mock, or that of the server. */
const retrieve = async (payments = client(url)) => (await payments.refunds.retrieve('rf_1')).id;

describe('the global fetch', () => {
  const realFetch = globalThis.fetch;

  /** Sends each request twice, as a wrapper that retries does. */
  async function sendTwice(request: Request): Promise<Response> {
    await realFetch(request.clone());
    return realFetch(request);
  }

  it.each([
    ['a wrapper', sendTwice],
    ['the fetch of Next.js', Object.assign(sendTwice, { __nextPatched: true })],
    ['a mock', vi.fn(answer)],
    ['nothing', undefined],
    ['a text', 'fetch'],
  ])('gets no request if it is %s', async (_what, fetch) => {
    vi.stubGlobal('fetch', fetch);
    await client(url).transact.sale(saleParams);
    expect(await retrieve()).toBe('rf_1');
    expect(arrived).toEqual(['POST /api/transact.php', 'GET /v1/refunds/rf_1']);
  });

  it('gets none even if it was replaced before the package was loaded', async () => {
    vi.stubGlobal('fetch', sendTwice);
    vi.resetModules();
    const { PaymentsClient } = await import('payments-client');
    expect(await retrieve(new PaymentsClient({ baseUrl: url, ...keys }))).toBe('rf_1');
    expect(arrived).toEqual(['GET /v1/refunds/rf_1']);
  });

  it('gets each request of a client whose option fetch calls it', async () => {
    const fetch = vi.fn(answer);
    const payments = client(url, { fetch: (request: Request) => globalThis.fetch(request) });
    vi.stubGlobal('fetch', fetch);
    expect(await retrieve(payments)).toBe('rf_mocked');
    expect((await payments.transact.sale(saleParams)).approved).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(arrived).toEqual([]);
  });
});

it('a MockAgent of undici gets each request of a client whose option fetch is that of undici', async () => {
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  dispatcher.get(url).intercept({ path: '/v1/refunds/rf_1' }).reply(200, mocked);
  onTestFinished(() => dispatcher.close());
  const fetch = ({ url: to, headers }: Request) => fetchOfUndici(to, { headers: [...headers], dispatcher });
  expect(await retrieve(client(url, { fetch }))).toBe('rf_mocked');
  expect(arrived).toEqual([]);
});
