/** One attempt: its time-out and that of the call, a signal that is aborted just before it, and errors of a `fetch`. */

import {
  ConnectionError,
  PaymentsClient,
  type PaymentsClientOptions,
  RequestAbortedError,
  type ResponseEvent,
  TimeoutError,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';

const operation = { operationId: 'order-1' };
const neverResponds = () => new Promise<Response>(() => {});

function client(options: PaymentsClientOptions): PaymentsClient {
  return new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey: 'sk_v1_test_attempt',
    ...options,
  });
}

/** Stops the clock and returns a function that sets it. */
function stopClock(): (time: number) => void {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  return (time) => void now.mockReturnValue(time);
}

describe('the time-out of an attempt', () => {
  it('does not start if the time of the call is over', async () => {
    const setClock = stopClock();
    const fetch = vi.fn(async () => Response.json({}, { status: 500, headers: { 'retry-after': '0' } }));
    const hooks = { retry: () => setClock(1_000) };
    const { refunds } = client({ fetch, hooks, totalTimeout: 1_000 });
    const error = await failureOf(refunds.create(refundParams, operation), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('wins if it equals the remaining time of the call', async () => {
    stopClock();
    const { refunds } = client({ fetch: neverResponds, timeout: 30, totalTimeout: 30, maxRetries: 0 });
    const error = await failureOf(refunds.retrieve('rf_1'), TimeoutError);
    expect(error.code).toBe('ATTEMPT_TIMEOUT');
  });

  it('starts with the request, as does the duration of its response event', async () => {
    const setClock = stopClock();
    setClock(5);
    const fetch = async () => {
      setClock(12);
      return Response.json(refund);
    };
    const events: ResponseEvent[] = [];
    await client({ fetch, hooks: { response: (event) => events.push(event) } }).refunds.retrieve('rf_1');
    expect(events).toMatchObject([{ duration: 7 }]);
  });
});

it('reports a call as not executed if a hook aborts it before the request is sent', async () => {
  const controller = new AbortController();
  const fetch = vi.fn(neverResponds);
  const { refunds } = client({ fetch, hooks: { request: () => controller.abort() } });
  const call = refunds.create(refundParams, { ...operation, signal: controller.signal });
  expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'not_executed' });
  expect(fetch).not.toHaveBeenCalled();
});

describe('a fetch that throws', () => {
  it.each(['Failed to fetch', 'fetch failed'])('%s is reported as a network failure', async (message) => {
    const fetch = () => Promise.reject(new TypeError(message));
    const { refunds } = client({ fetch, maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, operation), ConnectionError);
    expect(error).toMatchObject({ code: 'NETWORK', outcome: 'unknown' });
  });

  it.each(['getPrototypeOf', 'get', 'has'])(
    'a value whose trap %s throws is reported as FETCH_THREW',
    async (trap) => {
      const hostile: unknown = new Proxy(
        {},
        {
          [trap]: () => {
            throw new Error('trapped');
          },
        },
      );
      const { refunds } = client({ fetch: () => Promise.reject(hostile) });
      const error = await failureOf(refunds.create(refundParams, operation), ConnectionError);
      expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    },
  );
});
