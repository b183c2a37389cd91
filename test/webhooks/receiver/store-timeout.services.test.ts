/** Reaches inside: a store of this test has the time limit of the stores of the package. */

// A store is slow, stalled or gone: the request gets a response in time, and no event is handled twice or lost.

import { createServer } from 'node:http';
import { Redis as Ioredis } from 'ioredis';
import { PaymentsError } from 'payments-client';
import { memoryStore, redisStore } from 'payments-client/stores';
import type { DeliveryFailure, ReceiverOptions, WebhookStore } from 'payments-client/webhooks';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inTime } from '../../../src/stores/in-time.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { listen } from './running.ts';
import { type Received, send, summary } from './send.ts';

const failed = eventOf('refund.failed');

async function start(options: Partial<ReceiverOptions> & Pick<ReceiverOptions, 'store'>) {
  const attempts: number[] = [];
  const failures: DeliveryFailure[] = [];
  const receiver = webhooksAt().receiver({
    on: { 'refund.failed': (_event, { attempt }) => attempts.push(attempt) },
    onError: (failure) => failures.push(failure),
    ...options,
  });
  const url = await listen(createServer(receiver.node));
  const deliver = async () => send(url, await delivery(failed));
  return { attempts, failures, deliver };
}

/** Delivers until the earlier claim, which is granted late, is released. */
async function untilHandled(deliver: () => Promise<Received>): Promise<Received> {
  const response = await deliver();
  return response.status === 409 || response.status === 503 ? untilHandled(deliver) : response;
}

/** A store that delays one of its operations until the test releases it, and waits 100 ms for it. */
function storeStallingAt(step: keyof WebhookStore) {
  const store = memoryStore();
  let resume = () => {};
  let isStalled = true;
  const resumed = new Promise<void>((resolve) => {
    resume = () => {
      isStalled = false;
      resolve();
    };
  });
  const calls: string[] = [];
  const stall = async <T>(result: Promise<T>): Promise<T> => {
    await resumed;
    return result;
  };
  const after = <T>(name: keyof WebhookStore, result: Promise<T>): Promise<T> => {
    calls.push(name);
    return name === step && isStalled ? inTime(stall(result), 100) : result;
  };
  const stalled: WebhookStore = {
    ...store,
    claim: (...values) => after('claim', store.claim(...values)),
    renew: (...values) => after('renew', store.renew(...values)),
    complete: (...values) => after('complete', store.complete(...values)),
    release: (...values) => after('release', store.release(...values)),
  };
  return { stalled, resume, given: calls };
}

const timeout = expect.objectContaining({
  name: 'PaymentsError',
  code: 'STORE_TIMEOUT',
  outcome: 'unknown',
  message: 'expected an answer of the store within 100 ms, got none',
});

describe('a store that does not reply', () => {
  it('to claim leads to a 503, and its late claim is released', async () => {
    const { stalled, resume, given: calls } = storeStallingAt('claim');
    const { attempts, failures, deliver } = await start({ store: stalled });
    const response = await deliver();
    expect([summary(response), response.headers['retry-after']]).toEqual(['503 failed', '3']);
    expect(failures).toEqual([{ error: timeout, outcome: 'failed', event: failed }]);
    expect(failures[0]?.error).toBeInstanceOf(PaymentsError);
    resume();
    expect(summary(await deliver())).toBe('200 handled');
    // It was never handled, and the next delivery claims it immediately.
    expect(attempts).toEqual([2]);
    expect(calls).toEqual(['claim', 'release', 'claim', 'complete']);
  });

  it('to complete leads to a 503, and the late record counts', async () => {
    const { stalled, resume } = storeStallingAt('complete');
    const { attempts, failures, deliver } = await start({ store: stalled });
    expect(summary(await deliver())).toBe('503 failed');
    expect(failures).toEqual([{ error: timeout, outcome: 'failed', event: failed }]);
    resume();
    expect(summary(await deliver())).toBe('200 duplicate');
    expect(attempts).toEqual([1]);
  });

  it('to release does not delay the response of a handler that threw', async () => {
    const { stalled } = storeStallingAt('release');
    const on = { 'refund.failed': () => Promise.reject(new Error('the cause')) };
    const { failures, deliver } = await start({ store: stalled, on });
    expect(summary(await deliver())).toBe('500 failed');
    expect(failures.map(({ error }) => String(error))).toEqual([
      // With the body, and then without it.
      'PaymentsError: expected an answer of the store within 100 ms, got none',
      'PaymentsError: expected an answer of the store within 100 ms, got none',
      'Error: the cause',
    ]);
  });

  it.each(['extend', 'completeIn'] as const)('to %s fails the handler, with 503', async (step) => {
    const { stalled } = storeStallingAt(step === 'extend' ? 'renew' : 'complete');
    const receiver = webhooksAt().receiver({
      store: stalled,
      on: { 'refund.failed': (_event, context) => context[step](undefined as never) },
      onError: () => {},
    });
    const { status, headers } = await receiver.handle(await delivery(failed));
    expect([status, headers['retry-after']]).toEqual([503, '3']);
  });
});

const redis = skipWithout(
  hasRedis(),
  'redis-server',
  'test/webhooks/receiver/store-timeout.services.test.ts',
);

describe.skipIf(redis.isSkipped)(`a Redis that stalls${redis.why}`, { timeout: 30_000 }, () => {
  it.each(['redis', 'ioredis'])(
    'does not hang requests, and events are handled once it resumes (%s)',
    async (kind) => {
      const server = await startRedisServer();
      onTestFinished(() => server.stop());
      const node = await createClient({ socket: { path: server.path, tls: false } }).connect();
      const io = new Ioredis({ path: server.path });
      onTestFinished(() => {
        node.destroy();
        io.disconnect();
      });
      const { attempts, failures, deliver } = await start({
        store: redisStore(kind === 'redis' ? node : io, { timeout: 100 }),
      });
      server.pause();
      expect(summary(await deliver())).toBe('503 failed');
      expect(failures).toMatchObject([{ error: timeout }]);
      server.resume();
      expect(summary(await untilHandled(deliver))).toBe('200 handled');
      expect(attempts).toHaveLength(1);
      expect(summary(await deliver())).toBe('200 duplicate');
    },
  );
});
