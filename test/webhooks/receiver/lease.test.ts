/** The lease of a handler: it starts with the handler, can be extended, and warns before its end. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryStore } from 'payments-client/stores';
import type { ReceiverContext, ReceiverOptions, WebhookStore } from 'payments-client/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';

/** A receiver with a lease of 1000 ms whose first handler exposes its context, and waits for the test. */
function receiverWaiting(options: Partial<ReceiverOptions> = {}) {
  let start = (_context: ReceiverContext) => {};
  const started = new Promise<ReceiverContext>((resolve) => {
    start = resolve;
  });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const failures: unknown[] = [];
  const attempts: number[] = [];
  const receiver = webhooksAt().receiver({
    store: memoryStore(),
    lease: 1000,
    on: {
      'refund.failed': (_event, context) => {
        attempts.push(context.attempt);
        if (context.attempt > 1) return undefined;
        start(context);
        return ended;
      },
    },
    onError: ({ error }) => failures.push(error),
    ...options,
  });
  const handle = async () => (await receiver.handle(await delivery(eventOf('refund.failed')))).outcome;
  return { handle, started, end, failures, attempts };
}

/** A memory store whose claims take a time, after the store has granted them. */
function slowToClaim(milliseconds: number) {
  const store = memoryStore();
  const renew = vi.fn(store.renew);
  const slow: WebhookStore = {
    ...store,
    async claim(...values) {
      const claim = await store.claim(...values);
      vi.advanceTimersByTime(milliseconds);
      return claim;
    },
    renew,
  };
  return { slow, renew };
}

const lost = expect.objectContaining({
  code: 'WEBHOOK_LEASE_LOST',
  outcome: 'not_an_operation',
  message: expect.stringMatching(
    /handler of evt_1 to end within its lease of 1000 ms, but another delivery took over/,
  ),
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Expects that the signal aborts after exactly this time. */
function expectAbortAfter(milliseconds: number, signal: ReceiverContext['signal']) {
  vi.advanceTimersByTime(milliseconds - 1);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
}

describe('the signal', () => {
  it.each([
    [1000, 900],
    [50_000, 45_000],
    [600_000, 595_000],
  ])('of a lease of %i ms aborts after %i ms, and leaves time to end', async (lease, warning) => {
    const { handle, started, end } = receiverWaiting({ lease });
    const first = handle();
    const { signal } = await started;
    expectAbortAfter(warning, signal);
    expect(signal.reason).toMatchObject({
      name: 'TimeoutError',
      message: expect.stringMatching(
        `lease of ${lease} ms ends in ${lease - warning} ms.+context\\.extend\\(\\)`,
      ),
    });
    end();
    // No other delivery has taken over.
    expect(await first).toBe('handled');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of a receiver without a lease of its own aborts after 55 s', async () => {
    const { handle, started, end } = receiverWaiting({ lease: undefined });
    const first = handle();
    expectAbortAfter(55_000, (await started).signal);
    end();
    expect(await first).toBe('handled');
  });

  it.each([
    // The store granted the lease before the answer came: what has passed of it counts.
    ['a claim that took a tenth of the lease', 100, 0, 800],
    ['a slower claim, whose lease is renewed', 101, 1, 900],
  ])('counts from the start of the handler after %s', async (_what, took, renewals, rest) => {
    const { slow, renew } = slowToClaim(took);
    const { handle, started, end } = receiverWaiting({ store: slow });
    const first = handle();
    const { signal } = await started;
    expect(renew).toHaveBeenCalledTimes(renewals);
    expectAbortAfter(rest, signal);
    end();
    expect(await first).toBe('handled');
  });
});

describe('extend', () => {
  it.each([
    ['the lease of the receiver', undefined, 900],
    ['a lease of its own', 5000, 4500],
  ])('renews %s, as often as it is called', async (_what, lease, rest) => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(800);
      await extend(lease);
      expect(await handle()).toBe('in_progress');
    }
    expectAbortAfter(rest, signal);
    end();
    expect(await first).toBe('handled');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves an aborted signal aborted', async () => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    expectAbortAfter(900, signal);
    await extend();
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('handled');
  });

  it('throws if another delivery took over, and aborts the signal', async () => {
    const { handle, started, end, failures } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    vi.advanceTimersByTime(1000);
    expect(await handle()).toBe('handled');
    await expect(extend()).rejects.toEqual(lost);
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('failed');
    expect(failures).toEqual([lost]);
  });

  it('aborts the signal at once if the store says that the claim is lost', async () => {
    const store = { ...memoryStore(), renew: async () => false };
    const { handle, started, end } = receiverWaiting({ store });
    const first = handle();
    const { signal, extend } = await started;
    await expect(extend()).rejects.toEqual(lost);
    expect([signal.aborted, signal.reason]).toEqual([true, lost]);
    end();
    await first;
  });

  it.each([0, 1.5, 2 ** 31, '1'])('refuses a lease of %j, and leaves the lease as it was', async (lease) => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    await expect(extend(lease as never)).rejects.toThrow(
      /^extend\.lease: expected an integer from 1 to 2147483647/,
    );
    expectAbortAfter(900, signal);
    end();
    expect(await first).toBe('handled');
  });

  it('leaves no timer behind if the handler ends meanwhile', async () => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { extend } = await started;
    const extending = extend();
    end();
    await Promise.all([first, extending.catch(() => undefined)]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a claim that came late calls no handler', () => {
  it.each<[what: string, took: number, renewal: () => Promise<boolean>, error: unknown]>([
    [
      'if it cannot be renewed',
      600,
      () => Promise.reject(new Error('no renew today')),
      new Error('no renew today'),
    ],
    [
      'if its renewal took more than half of the lease',
      200,
      async () => {
        await nextTurn();
        vi.advanceTimersByTime(501);
        return true;
      },
      expect.objectContaining({ code: 'STORE_TIMEOUT' }),
    ],
  ])('%s, and is released', async (_what, took, renewal, error) => {
    const { slow, renew } = slowToClaim(took);
    renew.mockImplementationOnce(renewal);
    const { handle, failures, attempts } = receiverWaiting({ store: slow });
    expect(await handle()).toBe('failed');
    expect([failures, attempts]).toEqual([[error], []]);
    expect(vi.getTimerCount()).toBe(0);
    // At once: its lease would last longer.
    expect(await handle()).toBe('handled');
    expect(attempts).toEqual([2]);
  });

  it('if another delivery took over meanwhile', async () => {
    const store = memoryStore();
    let claims = 0;
    const { handle, failures, attempts } = receiverWaiting({
      store: {
        ...store,
        async claim(...values) {
          claims += 1;
          const claim = await store.claim(...values);
          if (claims > 1) return claim;
          vi.advanceTimersByTime(1000);
          expect(await handle()).toBe('handled');
          return claim;
        },
      },
    });
    expect(await handle()).toBe('failed');
    expect([failures, attempts]).toEqual([[lost], [2]]);
  });
});
