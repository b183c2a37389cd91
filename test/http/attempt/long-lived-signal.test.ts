/** A signal that outlives many calls, such as that of a server's shutdown, keeps no listener of a finished call. */

import { getEventListeners, setMaxListeners } from 'node:events';
import { PaymentsClient, RequestAbortedError } from 'payments-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { product, refund } from '../../support/fixtures.ts';
import { serve } from '../../support/serve.ts';
import { bySize } from '../../support/size.ts';

const secretKey = 'sk_v1_test_signal';
const calls = bySize({ short: 200, all: 2_000 });
const concurrency = 50;

/** A signal of another class, as in polyfills and test environments. */
class ForeignSignal extends EventTarget implements AbortSignal {
  aborted = false;
  reason: unknown;
  readonly onabort = null;

  throwIfAborted(): void {}

  abort(reason: unknown): void {
    this.aborted = true;
    this.reason = reason;
    this.dispatchEvent(new Event('abort'));
  }
}

type Signal = AbortSignal & EventTarget;

const signals: readonly (readonly [string, () => Signal])[] = [
  ['native', () => new AbortController().signal],
  ['foreign', () => new ForeignSignal()],
];

const listenersOf = (signal: EventTarget) => getEventListeners(signal, 'abort').length;

async function overHttp(): Promise<PaymentsClient> {
  let count = 0;
  const { url, close } = await serve((_request, response) => {
    count += 1;
    // Every tenth response is a failure that is retried.
    response.statusCode = count % 10 === 0 ? 503 : 200;
    response.setHeader('retry-after', '0').end(JSON.stringify(refund));
  });
  onTestFinished(close);
  return new PaymentsClient({ baseUrl: url, secretKey, maxRetries: 20 });
}

async function overFetch(): Promise<PaymentsClient> {
  const fetch = async () => {
    await new Promise(setImmediate);
    return Response.json(refund);
  };
  return new PaymentsClient({ baseUrl: 'https://payments.test', secretKey, fetch });
}

describe.each(signals)('a %s signal', (_kind, make) => {
  it.each([
    ['node:http', overHttp],
    ['a fetch', overFetch],
  ])(`has no listener after ${calls} calls over %s`, async (_transport, start) => {
    const { refunds } = await start();
    const signal = make();
    // Node never warns about the number of listeners of its own signals.
    setMaxListeners(concurrency, signal);
    let most = 0;
    for (let made = 0; made < calls; made += concurrency) {
      const batch = Array.from({ length: concurrency }, () => refunds.retrieve('rf_1', { signal }));
      await Promise.resolve();
      most = Math.max(most, listenersOf(signal));
      await Promise.all(batch);
      expect(listenersOf(signal)).toBe(0);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(concurrency);
  });
});

const pageSize = 4;

/** A list of three pages. `whenAsked` runs at each request, with the number of the page. */
function threePages(signal: Signal, whenAsked: (page: number) => void = () => {}) {
  let page = 0;
  const fetch = async () => {
    page += 1;
    whenAsked(page);
    const data = Array.from({ length: pageSize }, (_, index) => product(`prod_${page}_${index}`));
    return Response.json({ data, has_more: page < 3, next_cursor: `after_${page}` });
  };
  const { products } = new PaymentsClient({ baseUrl: 'https://payments.test', secretKey, fetch });
  return products.list({}, { signal }).toArray({ max: 100 });
}

describe.each(signals)('a list with a %s signal', (_kind, make) => {
  it('gets all pages, and leaves no listener', async () => {
    const signal = make();
    expect(await threePages(signal)).toHaveLength(3 * pageSize);
    expect(listenersOf(signal)).toBe(0);
  });
});

it('a foreign signal aborts a prefetched page', async () => {
  const signal = new ForeignSignal();
  const items = threePages(signal, (page) => {
    if (page === 2) signal.abort('closed');
  });
  const error = await failureOf(items, RequestAbortedError);
  expect(error.cause).toBe('closed');
  expect(listenersOf(signal)).toBe(0);
});

it.each([['an attempt'], ['a wait between attempts']])('a foreign signal aborts %s', async (stage) => {
  const signal = new ForeignSignal();
  const isWait = stage !== 'an attempt';
  const { url, close } = await serve((_request, response) => {
    if (isWait) response.writeHead(503, { 'retry-after': '60' }).end();
    else signal.abort('closed');
  });
  onTestFinished(close);
  const hooks = { retry: () => signal.abort('closed') };
  const { refunds } = new PaymentsClient({ baseUrl: url, secretKey, hooks });
  const error = await failureOf(refunds.retrieve('rf_1', { signal }), RequestAbortedError);
  expect(error.cause).toBe('closed');
  expect(listenersOf(signal)).toBe(0);
});
