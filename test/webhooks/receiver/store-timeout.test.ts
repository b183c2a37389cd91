/** Reaches inside: a store of this test has the time limit of the stores of the package. */

// A store stalls: the request gets a response in time, and no event is handled twice or lost.

import { memoryStore } from 'payments-client/stores';
import type { ReceiverContext, WebhookStore } from 'payments-client/webhooks';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTime } from '../../../src/stores/in-time.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';

const failed = eventOf('refund.failed');
type Step = 'claim' | 'renew' | 'complete' | 'release';

/** A receiver whose store does one operation, but does not say so until the test resumes it, and gives up after 100 ms. */
function start(step: Step, act: (context: ReceiverContext) => unknown = () => {}) {
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
  const after = <T>(name: Step, result: Promise<T>): Promise<T> => {
    calls.push(name);
    return name === step && isStalled
      ? inTime(
          resumed.then(() => result),
          100,
        )
      : result;
  };
  const stalled: WebhookStore = {
    ...store,
    claim: (...given) => after('claim', store.claim(...given)),
    renew: (...given) => after('renew', store.renew(...given)),
    complete: (...given) => after('complete', store.complete(...given)),
    release: (...given) => after('release', store.release(...given)),
  };
  const attempts: number[] = [];
  const failures: unknown[] = [];
  const { handle } = webhooksAt().receiver({
    store: stalled,
    on: {
      'refund.failed': (_event, context) => {
        attempts.push(context.attempt);
        return act(context);
      },
    },
    onError: ({ error }) => failures.push(error),
  });
  const deliver = async () => {
    const replied = handle(await delivery(failed));
    // Each stalled operation of a delivery gives up in turn.
    for (let round = 0; round < 3; round += 1) await vi.advanceTimersByTimeAsync(100);
    const { status, outcome, headers } = await replied;
    return [status, outcome, headers['retry-after']].filter(Boolean).join(' ');
  };
  return { attempts, failures, calls, deliver, resume };
}

const timeout = expect.objectContaining({ code: 'STORE_TIMEOUT', outcome: 'not_an_operation' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('that claims too late leads to a 503, and its late claim is released', async () => {
  const { attempts, failures, calls, deliver, resume } = start('claim');
  expect(await deliver()).toBe('503 failed 3');
  expect(failures).toEqual([timeout]);
  resume();
  expect(await deliver()).toBe('200 handled');
  // It was never handled, and the next delivery claims it at once.
  expect(attempts).toEqual([2]);
  expect(calls).toEqual(['claim', 'release', 'claim', 'complete']);
});

it('that completes too late leads to a 503, and the late record counts', async () => {
  const { attempts, failures, deliver, resume } = start('complete');
  expect(await deliver()).toBe('503 failed 3');
  expect(failures).toEqual([timeout]);
  resume();
  expect(await deliver()).toBe('200 duplicate');
  expect(attempts).toEqual([1]);
});

it('that releases too late does not hide the error of the handler', async () => {
  const cause = new Error('the cause');
  const { failures, deliver } = start('release', () => Promise.reject(cause));
  expect(await deliver()).toBe('500 failed');
  // With the body, and then without it.
  expect(failures).toEqual([timeout, timeout, cause]);
});

it.each([
  ['renew', (context: ReceiverContext) => context.extend()],
  ['complete', (context: ReceiverContext) => context.completeIn(undefined as never)],
] as const)('that is too late to %s fails the handler, with 503', async (step, act) => {
  expect(await start(step, act).deliver()).toBe('503 failed 3');
});
