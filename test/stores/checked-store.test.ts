/** A store that does not answer in time. */

import { ConfigurationError, PaymentsError } from 'payments-client';
import { postgresStore, redisStore, type Store } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { openAt } from '../support/stores.ts';

const hanging = () => new Promise<never>(() => {});
const entry = { key: 'k', amount: 1n, limit: 1n, windowMs: 1000, blocks: true };

/** The calls that are bounded, by their names. */
const callsOf = (store: Store<never>) => ({
  claim: () => store.claim('k', 1000),
  renew: () => store.renew('k', 't', 1000),
  complete: () => store.complete('k', 't', 1000),
  release: () => store.release('k', 't'),
  open: () => openAt(store, 'k'),
  advance: () => store.advance('k', 1, 'd'),
  check: () => store.check('id', [entry]),
});

const stores = {
  redisStore: redisStore({ isOpen: true, eval: hanging }, { timeout: 1 }),
  postgresStore: postgresStore({ query: hanging }, { timeout: 1 }),
};

describe.each(Object.entries(stores))('a %s whose server hangs', (_name, store) => {
  it.each(Object.entries(callsOf(store)))('rejects %s after the timeout', async (_call, run) => {
    expect(await failureOf(run(), PaymentsError)).toMatchObject({
      code: 'STORE_TIMEOUT',
      outcome: 'unknown',
      retryable: true,
      message: 'expected an answer of the store within 1 ms, got none',
    });
  });
});

it('bounds a record in a transaction', async () => {
  const store = postgresStore({ query: hanging }, { timeout: 1 });
  const recorded = store.record('k', 1000, { client: { query: hanging } });
  expect(await failureOf(recorded, PaymentsError)).toMatchObject({ code: 'STORE_TIMEOUT' });
});

it('waits for migrate and purge as long as they take', async () => {
  let answer = (_rows: { rows: never[] }) => {};
  const query = () => new Promise<{ rows: never[] }>((resolve) => (answer = resolve));
  const store = postgresStore({ query }, { timeout: 1 });
  const purged = store.purge();
  await failureOf(openAt(store, 'k'), PaymentsError);
  expect(await Promise.race([purged, Promise.resolve('still running')])).toBe('still running');
  answer({ rows: [] });
});

it.each([0, 5001, 1.5, '3000'])('refuses the timeout %j', (timeout) => {
  const options: object = { timeout };
  const expected = 'timeout: expected an integer from 1 to 5000, in ms';
  for (const make of [
    () => redisStore({ isOpen: true, eval: hanging }, options),
    () => postgresStore({ query: hanging }, options),
  ]) {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(expected);
  }
});
