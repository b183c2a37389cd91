/** The lease of a handler: it starts with the handler, can be extended, and warns before its end. */

import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryStore } from 'payments-client/stores';
import type { ReceiverContext, ReceiverOptions, WebhookStore } from 'payments-client/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send, summary } from './send.ts';

const failed = eventOf('refund.failed');

/** A receiver whose handler exposes its context, and waits for the test. */
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
  const receiver = webhooksAt().receiver({
    store: memoryStore(),
    lease: 1000,
    on: {
      'refund.failed': (_event, context) => {
        if (context.attempt > 1) return undefined;
        start(context);
        return ended;
      },
    },
    onError: ({ error }) => failures.push(error),
    ...options,
  });
  const handle = async () => (await receiver.handle(await delivery(failed))).outcome;
  return { receiver, handle, started, end, failures };
}

/** A memory store with delayed claims. */
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

describe('with a fixed clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [1000, 900],
    [50_000, 45_000],
    [600_000, 595_000],
  ])('a lease of %i ms aborts the signal after %i ms', async (lease, warning) => {
    const { handle, started, end } = receiverWaiting({ lease });
    const first = handle();
    const { signal } = await started;
    vi.advanceTimersByTime(warning - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({
      name: 'TimeoutError',
      message: `webhooks: the lease of ${lease} ms ends in ${lease - warning} ms. Raise 'lease' or call context.extend() earlier.`,
    });
    end();
    // No other delivery has taken over.
    expect(await first).toBe('handled');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('extend renews a lease for the passed time', async () => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    for (let round = 0; round < 5; round += 1) {
      vi.advanceTimersByTime(800);
      await extend();
    }
    vi.advanceTimersByTime(800);
    expect(await handle()).toBe('in_progress');
    await extend(100_000);
    vi.advanceTimersByTime(94_999);
    expect(signal.aborted).toBe(false);
    expect(await handle()).toBe('in_progress');
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('handled');
    expect(await handle()).toBe('duplicate');
  });

  it('a handler that ends after another delivery took over fails', async () => {
    const { handle, started, end, failures } = receiverWaiting();
    const first = handle();
    await started;
    vi.advanceTimersByTime(1000);
    expect(await handle()).toBe('handled');
    end();
    expect(await first).toBe('failed');
    expect(failures).toMatchObject([
      {
        code: 'WEBHOOK_LEASE_LOST',
        outcome: 'unknown',
        message: expect.stringContaining(
          'expected the handler of evt_1 to end within its lease of 1000 ms, but another delivery took over',
        ),
      },
    ]);
  });

  it('extend throws if another delivery took over, and aborts the signal', async () => {
    const { handle, started, end, failures } = receiverWaiting();
    const first = handle();
    const { signal, extend } = await started;
    vi.advanceTimersByTime(1000);
    expect(await handle()).toBe('handled');
    await expect(extend()).rejects.toMatchObject({ code: 'WEBHOOK_LEASE_LOST', outcome: 'unknown' });
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('failed');
    expect(failures).toEqual([
      expect.objectContaining({
        code: 'WEBHOOK_LEASE_LOST',
        message: expect.stringContaining('its lease of 1000 ms'),
      }),
    ]);
  });

  it.each([0, 1.5, 2 ** 31, '1'])('extend refuses a lease of %j', async (lease) => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { extend } = await started;
    await expect(extend(lease as never)).rejects.toThrow(
      /^extend\.lease: expected an integer from 1 to 2147483647/,
    );
    end();
    expect(await first).toBe('handled');
  });

  it('extend leaves no timer behind if the handler ended', async () => {
    const { handle, started, end } = receiverWaiting();
    const first = handle();
    const { extend } = await started;
    const extending = extend();
    end();
    await Promise.all([first, extending.catch(() => undefined)]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a lease starts with the handler, even after a slow claim', async () => {
    const { slow, renew } = slowToClaim(600);
    const { handle, started, end } = receiverWaiting({ store: slow });
    const first = handle();
    const { signal } = await started;
    expect(renew).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(899);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('handled');
  });

  it('a slow claim that cannot be renewed is released', async () => {
    const { slow, renew } = slowToClaim(600);
    renew.mockRejectedValueOnce(new Error('no renew today'));
    const { handle, failures } = receiverWaiting({
      store: slow,
      on: { 'refund.failed': (_event, { attempt }) => expect(attempt).toBe(2) },
    });
    expect(await handle()).toBe('failed');
    expect(failures).toEqual([new Error('no renew today')]);
    expect(await handle()).toBe('handled');
  });

  it('a lease whose renewal took half of it calls no handler', async () => {
    const { slow, renew } = slowToClaim(200);
    renew.mockImplementationOnce(async () => {
      await nextTurn();
      vi.advanceTimersByTime(501);
      return true;
    });
    const { handle, failures } = receiverWaiting({
      store: slow,
      on: { 'refund.failed': (_event, { attempt }) => expect(attempt).toBe(2) },
    });
    expect(await handle()).toBe('failed');
    expect(failures).toMatchObject([{ code: 'STORE_TIMEOUT' }]);
    expect(vi.getTimerCount()).toBe(0);
    expect(await handle()).toBe('handled');
  });

  it('a lease is not renewed if the claim took less than a tenth of it, which counts', async () => {
    const { slow, renew } = slowToClaim(100);
    const { handle, started, end } = receiverWaiting({ store: slow });
    const first = handle();
    const { signal } = await started;
    expect(renew).not.toHaveBeenCalled();
    vi.advanceTimersByTime(799);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
    end();
    expect(await first).toBe('handled');
  });

  it('a lease that expired during its claim calls no handler if another delivery took over', async () => {
    const store = memoryStore();
    let claims = 0;
    const { handle, failures } = receiverWaiting({
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
      on: { 'refund.failed': (_event, { attempt }) => expect(attempt).toBe(2) },
    });
    expect(await handle()).toBe('failed');
    expect(failures).toEqual([
      expect.objectContaining({
        code: 'WEBHOOK_LEASE_LOST',
        message: expect.stringContaining('its lease of 1000 ms'),
      }),
    ]);
  });
});

it('a handler keeps its event beyond its lease if it extends the lease, over HTTP', async () => {
  let clock = 0;
  let deliver = async () => '';
  const receiver = webhooksAt().receiver({
    store: memoryStore({ now: () => clock }),
    lease: 60_000,
    on: {
      'refund.failed': async (_event, { extend }) => {
        for (let round = 0; round < 3; round += 1) {
          clock += 50_000;
          expect(await deliver()).toBe('409 in_progress');
          await extend();
        }
      },
    },
  });
  const url = await listen(createServer(receiver.node));
  deliver = async () => summary(await send(url, await delivery(failed)));
  expect(await deliver()).toBe('200 handled');
  expect(await deliver()).toBe('200 duplicate');
});
