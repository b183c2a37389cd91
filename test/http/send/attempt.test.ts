/** One attempt: what its time-out, that of the call and the caller's signal end, and what the caller then knows. */

import { getEventListeners, setMaxListeners } from 'node:events';
import {
  ApiError,
  type PaymentsError,
  RequestAbortedError,
  type ResponseEvent,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { product, refund, refundParams } from '../../support/fixtures.ts';
import { createClient } from '../../support/mock-service.ts';
import { bySize } from '../../support/size.ts';
import { everyForm, type Form } from '../forms.ts';
import { startServer } from '../transport/support.ts';

const operation = { operationId: 'order-1' };
const neverResponds = () => new Promise<Response>(() => {});

afterEach(() => void vi.useRealTimers());

/** A response whose head is complete, and whose body never ends. */
const endless = (status: number, type = 'application/json') =>
  new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), {
    status,
    headers: { 'content-type': type, 'request-id': 'req_1' },
  });

/** What the service does, and what that leaves open for a form of call. */
const silences: readonly (readonly [
  what: string,
  answer: () => Promise<Response>,
  outcomeOf: (form: Form) => string,
  requestId: string | undefined,
])[] = [
  ['without a response', neverResponds, ({ unanswered }) => unanswered, undefined],
  ['within the body of a 2xx', async () => endless(200), ({ accepted }) => accepted, 'req_1'],
  [
    'within a page that may be a proxy’s',
    async () => endless(200, 'text/html'),
    ({ unanswered }) => unanswered,
    'req_1',
  ],
];

// What a 2xx proves differs between these.
const differing = everyForm.filter(([name]) => /^a (?:read|sale|POST with a key)$/.test(name));

describe.each(differing)('%s', (_name, form) => {
  describe.each(silences)('%s', (_what, answer, outcomeOf, requestId) => {
    it.each([
      ['ATTEMPT_TIMEOUT', { timeout: 900, totalTimeout: 901 }, 'within 900 ms (timeout; 30 s is 30_000)'],
      ['TOTAL_TIMEOUT', { timeout: 1001, totalTimeout: 1000 }, 'within 1000 ms (totalTimeout)'],
      ['ATTEMPT_TIMEOUT', { timeout: 1000, totalTimeout: 1000 }, 'within 1000 ms (timeout)'],
    ])('ends with %s under %j', async (code, bounds, words) => {
      vi.useFakeTimers();
      const fetch = vi.fn((_request: Request) => answer());
      const call = form.call(createClient({ fetch, maxRetries: 0 }), bounds);
      const failure = failureOf(call, TimeoutError);
      await vi.advanceTimersByTimeAsync(Math.min(bounds.timeout, bounds.totalTimeout) - 1);
      expect(fetch.mock.calls[0]?.[0].signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      const error = await failure;
      expect(error).toMatchObject({ code, outcome: outcomeOf(form), attempts: 1, requestId });
      expect(error.message).toContain(words);
      expect(fetch.mock.calls[0]?.[0].signal.aborted).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('ends with the reason of the signal', async () => {
      const controller = new AbortController();
      const fetch = () => {
        setImmediate(() => controller.abort('closed'));
        return answer();
      };
      const call = form.call(createClient({ fetch }), { signal: controller.signal });
      const error = await failureOf(call, RequestAbortedError);
      expect(error).toMatchObject({ outcome: outcomeOf(form), cause: 'closed', attempts: 1, requestId });
    });
  });
});

describe.each(everyForm)('%s', (_name, form) => {
  it('sends nothing if its signal was aborted before, or by a hook', async () => {
    const fetch = vi.fn(neverResponds);
    const signal = AbortSignal.abort('closed');
    const early = await failureOf(form.call(createClient({ fetch }), { signal }), RequestAbortedError);
    expect(early).toMatchObject({ outcome: form.unsent, cause: 'closed', attempts: 0 });
    const controller = new AbortController();
    const client = createClient({ fetch, hooks: { request: () => controller.abort() } });
    const late = await failureOf(form.call(client, { signal: controller.signal }), RequestAbortedError);
    expect(late).toMatchObject({ outcome: form.unsent, attempts: 1 });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is an error of its status if the body of an error response never ends', async () => {
    vi.useFakeTimers();
    const call = form.call(createClient({ fetch: async () => endless(503), maxRetries: 0 }), { timeout: 30 });
    const error = failureOf(call, ServerError);
    await vi.advanceTimersByTimeAsync(30);
    const outcome = form.unanswered;
    expect(await error).toMatchObject({ status: 503, outcome, body: '', requestId: 'req_1' });
  });

  it('reports an abort even if an error response had begun to arrive', async () => {
    const controller = new AbortController();
    const fetch = async () => {
      setImmediate(() => controller.abort());
      return endless(400);
    };
    const call = form.call(createClient({ fetch }), { signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: form.unanswered });
  });
});

describe('the time of a call', () => {
  it('leaves no timer when the call succeeds', async () => {
    vi.useFakeTimers();
    await createClient({ fetch: async () => Response.json(refund) }).refunds.retrieve('rf_1');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be over before the next attempt starts', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const fetch = vi.fn(async () => Response.json({}, { status: 500, headers: { 'retry-after': '0' } }));
    const hooks = { retry: () => void now.mockReturnValue(1_000) };
    const { refunds } = createClient({ fetch, hooks, totalTimeout: 1_000 });
    const error = await failureOf(refunds.create(refundParams, operation), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('includes the wait for the key', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const secretKey = async () => {
      now.mockReturnValue(1_000);
      return 'sk_v1_test_late';
    };
    const fetch = vi.fn(neverResponds);
    const { refunds } = createClient({ fetch, secretKey, totalTimeout: 1_000 });
    const error = await failureOf(refunds.create(refundParams, operation), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'not_executed', attempts: 0 });
    expect(fetch).not.toHaveBeenCalled();
  });

  it('of an attempt is 30 s by default, and that of the call four times as much', async () => {
    vi.useFakeTimers();
    const { refunds } = createClient({ fetch: neverResponds, maxRetries: 100 });
    const error = failureOf(refunds.retrieve('rf_1'), TimeoutError);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await error).message).toContain('within 120000 ms (totalTimeout)');
    expect((await error).attempts).toBe(4);
  });

  it('starts with the request in the duration of a response event', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(5);
    const fetch = async () => {
      now.mockReturnValue(12);
      return Response.json(refund);
    };
    const events: ResponseEvent[] = [];
    const hooks = { response: (event: ResponseEvent) => events.push(event) };
    await createClient({ fetch, hooks }).refunds.retrieve('rf_1');
    expect(events).toMatchObject([{ duration: 7 }]);
  });
});

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

/** A signal that outlives many calls, such as that of a server's shutdown. */
interface LongLived {
  readonly signal: AbortSignal & EventTarget;
  readonly abort: (reason: string) => void;
}

const longLived: readonly (readonly [kind: string, make: () => LongLived])[] = [
  [
    'native',
    () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
    },
  ],
  [
    'foreign',
    () => {
      const signal = new ForeignSignal();
      return { signal, abort: (reason) => signal.abort(reason) };
    },
  ],
];

const listenersOf = (signal: EventTarget) => getEventListeners(signal, 'abort').length;

/** A list of three pages; `whenAsked` gets the number of each. */
function threePages({ signal }: LongLived, whenAsked: (page: number) => void = () => {}) {
  let page = 0;
  const fetch = async () => {
    page += 1;
    whenAsked(page);
    const data = ['a', 'b', 'c', 'd'].map((name) => product(`prod_${page}_${name}`));
    return Response.json({ data, has_more: page < 3, next_cursor: `after_${page}` });
  };
  return createClient({ fetch }).products.list({}, { signal }).toArray({ max: 100 });
}

describe.each(longLived)('a %s signal', (_kind, make) => {
  it.each(['node:http', 'fetch'])('has no listener after many calls over %s', async (transport) => {
    const [calls, concurrency] = [bySize({ short: 60, all: 2_000 }), 20];
    const { signal } = make();
    let count = 0;
    let most = 0;
    const baseUrl = await startServer((_request, response) => {
      count += 1;
      most = Math.max(most, listenersOf(signal));
      // Every tenth response is a failure that is retried.
      response.statusCode = count % 10 === 0 ? 503 : 200;
      response.setHeader('retry-after', '0').end(JSON.stringify(refund));
    });
    const fetch = transport === 'fetch' ? globalThis.fetch : undefined;
    const { refunds } = createClient({ baseUrl, maxRetries: 20, fetch });
    // Node never warns about the number of listeners of its own signals.
    setMaxListeners(concurrency, signal);
    for (let made = 0; made < calls; made += concurrency) {
      const batch = Array.from({ length: concurrency }, () => refunds.retrieve('rf_1', { signal }));
      await Promise.all(batch);
      expect(listenersOf(signal)).toBe(0);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(concurrency);
  });

  it('has no listener after a whole list', async () => {
    const own = make();
    expect(await threePages(own)).toHaveLength(12);
    expect(listenersOf(own.signal)).toBe(0);
  });

  it.each<readonly [what: string, start: (own: LongLived) => PromiseLike<unknown>]>([
    ['a prefetched page', (own) => threePages(own, (page) => page === 2 && own.abort('closed'))],
    [
      'a wait between attempts',
      ({ signal, abort }) => {
        const fetch = async () => Response.json({}, { status: 503, headers: { 'retry-after': '60' } });
        const hooks = { retry: () => abort('closed') };
        return createClient({ fetch, hooks }).refunds.retrieve('rf_1', { signal });
      },
    ],
    [
      'the wait for a key',
      ({ signal, abort }) => {
        setImmediate(() => abort('closed'));
        const secretKey = () => new Promise<string>(() => {});
        return createClient({ secretKey }).refunds.retrieve('rf_1', { signal });
      },
    ],
  ])('ends %s, and keeps no listener', async (_what, start) => {
    const own = make();
    const error: PaymentsError = await failureOf(start(own), RequestAbortedError);
    expect(error.cause).toBe('closed');
    expect(error).not.toBeInstanceOf(ApiError);
    expect(listenersOf(own.signal)).toBe(0);
  });
});
