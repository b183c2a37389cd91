/** A store that does not answer in time. */

import { PaymentsError } from 'payments-client';
import { postgresStore, redisStore, type Store } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { openAt } from '../support/stores.ts';
import { entryOf } from './attempts.ts';

const hanging = () => new Promise<never>(() => {});
const timedOut = { code: 'STORE_TIMEOUT', outcome: 'not_an_operation', retryable: true };

/** The calls that are bounded, by their names. */
const callsOf = (store: Store<never>) => ({
  claim: () => store.claim('k', 1000),
  renew: () => store.renew('k', 't', 1000),
  complete: () => store.complete('k', 't', 1000),
  release: () => store.release('k', 't'),
  open: () => openAt(store, 'k'),
  list: () => store.open({ space: 'k', limit: 1 }),
  advance: () => store.advance('k', 1, 'd'),
  check: () => store.check('id', [entryOf('k')]),
});

const hung = postgresStore({ query: hanging }, { timeout: 1 });

describe.each<[string, ReturnType<typeof callsOf>]>([
  ['redisStore', callsOf(redisStore({ isOpen: true, eval: hanging }, { timeout: 1 }))],
  ['postgresStore', callsOf(hung)],
])('a %s whose server hangs', (_name, calls) => {
  it.each(Object.entries(calls))('rejects %s after the timeout', async (_call, run) => {
    const error = await failureOf(run(), PaymentsError);
    expect(error).toMatchObject(timedOut);
    expect(error.message).toContain('within 1 ms');
  });
});

it('bounds a record in a transaction', async () => {
  const recorded = hung.record('k', 1000, { client: { query: hanging } });
  expect(await failureOf(recorded, PaymentsError)).toMatchObject(timedOut);
});

it('waits 3 s by default', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = vi.fn();
  const claim = postgresStore({ query: hanging }).claim('k', 1000).catch(ended);
  await vi.advanceTimersByTimeAsync(2999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await claim;
  expect(ended).toHaveBeenCalledWith(expect.objectContaining(timedOut));
});

it.each([
  [1000, true],
  [1001, false],
])(
  'takes an answer after %i of 1000 ms, also if the process was paused meanwhile: %s',
  async (ms, isTaken) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const query = async () => {
      await Promise.resolve();
      vi.advanceTimersByTime(ms);
      return { rows: [{ attempt: 1 }] };
    };
    const claim = postgresStore({ query }, { timeout: 1000 }).claim('k', 1000);
    if (isTaken) expect(await claim).toMatchObject({ status: 'claimed', attempt: 1 });
    else expect(await failureOf(claim, PaymentsError)).toMatchObject(timedOut);
  },
);

it('waits for migrate and purge as long as they take', async () => {
  let answer = (_rows: { rows: never[] }) => {};
  const query = () => new Promise<{ rows: never[] }>((resolve) => (answer = resolve));
  const store = postgresStore({ query }, { timeout: 1 });
  for (const run of [() => store.purge(), () => store.migrate()]) {
    const running = run();
    const given = answer;
    await failureOf(openAt(store, 'k'), PaymentsError);
    expect(await Promise.race([running, Promise.resolve('still running')])).toBe('still running');
    given({ rows: [] });
  }
});
