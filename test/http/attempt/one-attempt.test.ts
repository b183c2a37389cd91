/** One attempt: its time beside that of the call, a signal that is aborted just before it, and what a `fetch` may throw. */

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

const by = { operationId: 'order-1' };
const never = () => new Promise<Response>(() => {});

function client(options: PaymentsClientOptions): PaymentsClient {
  return new PaymentsClient({
    baseUrl: 'https://payments.test',
    secretKey: 'sk_v1_test_attempt',
    ...options,
  });
}

/** Stops the clock, and gives what sets it. */
function stopClock(): (time: number) => void {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  return (time) => void now.mockReturnValue(time);
}

describe('the time of an attempt', () => {
  it('is over at the end of the whole call, before it begins', async () => {
    const setClock = stopClock();
    const fetch = vi.fn(async () => Response.json({}, { status: 500, headers: { 'retry-after': '0' } }));
    const hooks = { retry: () => setClock(1_000) };
    const { refunds } = client({ fetch, hooks, totalTimeout: 1_000 });
    const error = await failureOf(refunds.create(refundParams, by), TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'unknown', attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('counts where it is as long as what is left of the call', async () => {
    stopClock();
    const { refunds } = client({ fetch: never, timeout: 30, totalTimeout: 30, maxRetries: 0 });
    const error = await failureOf(refunds.retrieve('rf_1'), TimeoutError);
    expect(error.code).toBe('ATTEMPT_TIMEOUT');
  });

  it('is told to the hook of responses', async () => {
    const setClock = stopClock();
    setClock(5);
    const fetch = async () => {
      setClock(12);
      return Response.json(refund);
    };
    const told: ResponseEvent[] = [];
    await client({ fetch, hooks: { response: (event) => told.push(event) } }).refunds.retrieve('rf_1');
    expect(told).toMatchObject([{ duration: 7 }]);
  });
});

it('a signal that a hook aborts before the request is sent leaves nothing executed', async () => {
  const controller = new AbortController();
  const fetch = vi.fn(never);
  const { refunds } = client({ fetch, hooks: { request: () => controller.abort() } });
  const call = refunds.create(refundParams, { ...by, signal: controller.signal });
  expect(await failureOf(call, RequestAbortedError)).toMatchObject({ outcome: 'not_executed' });
  expect(fetch).not.toHaveBeenCalled();
});

describe('a fetch that throws', () => {
  it.each(['Failed to fetch', 'fetch failed'])('%s has met a failure of the network', async (message) => {
    const fetch = () => Promise.reject(new TypeError(message));
    const { refunds } = client({ fetch, maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, by), ConnectionError);
    expect(error).toMatchObject({ code: 'NETWORK', outcome: 'unknown' });
  });

  it.each(['getPrototypeOf', 'get', 'has'])(
    'what throws from its trap %s has failed by itself',
    async (trap) => {
      const hostile: unknown = new Proxy(
        {},
        {
          [trap]: () => {
            throw new Error('nobody may look');
          },
        },
      );
      const { refunds } = client({ fetch: () => Promise.reject(hostile) });
      const error = await failureOf(refunds.create(refundParams, by), ConnectionError);
      expect(error).toMatchObject({ code: 'FETCH_THREW', outcome: 'unknown', attempts: 1 });
    },
  );
});
