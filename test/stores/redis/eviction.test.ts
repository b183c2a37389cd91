/** What a store does about a Redis that may delete records. `eviction.services.test.ts` shows it with real servers and clients. */

import { ConfigurationError, PaymentsError } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { entryOf } from '../attempts.ts';

/** A client whose server grants each claim, and has this policy; and the store, with what it runs and logs. */
function openWith(policy: unknown, options: Parameters<typeof redisStore>[1] = {}) {
  const state = { policy };
  const warnings: unknown[][] = [];
  const scripts: string[] = [];
  const answerTo = (script: string): unknown => {
    if (script.includes('HINCRBY')) return [[0, 0, '0', 0, 'token']];
    if (script.includes("'version', ARGV[1]")) return [1, 'data'];
    return script.includes("'until', 'done'") ? [1, 1, 'data'] : 1;
  };
  const client = {
    isOpen: true,
    async eval(script: string): Promise<unknown> {
      scripts.push(script);
      if (!script.includes("'memory'")) return answerTo(script);
      const isRefused =
        script.includes('return { policy }') && !['', 'noeviction'].includes(String(state.policy));
      return isRefused ? [state.policy] : [state.policy, answerTo(script)];
    },
  };
  const logger = { warn: (...line: unknown[]) => warnings.push(line) };
  const store = redisStore(client, { logger, ...options });
  return {
    state,
    warnings,
    reads: () => scripts.filter((script) => script.includes("'memory'")).length,
    /** As orders do. */
    save: () => store.save('order', 0, '{}', { wakeAt: null }),
    renew: () => store.renew('operation', 'token', 1000, { data: '{}' }),
    complete: () => store.complete('operation', 'token', 1000, { data: '{}' }),
    /** As a journal does, whose lost record could repeat a payment. */
    record: () => store.claim('operation', 1000, { data: '{}' }),
    /** As receivers, guards and snapshots do. */
    others: {
      claim: () => store.claim('event', 1000),
      check: () => store.check('1', [entryOf('card')]),
      advance: () => store.advance('account', 1, 'data'),
    },
  };
}

const warningOf = (got: string) => [
  expect.stringContaining(`expected the maxmemory-policy noeviction, got ${got}. `),
  {},
];

it.each([
  ['in text', 'noeviction'],
  ['in bytes', Buffer.from('noeviction')],
])('a server that keeps all, as it says %s with each write, fits every use', async (_how, policy) => {
  const { record, others, warnings, reads } = openWith(policy);
  for (const use of [...Object.values(others), record, record]) await use();
  expect([warnings, reads()]).toEqual([[], 5]);
});

it.each(['allkeys-lru', 'allkeys-random', 'volatile-ttl'])(
  'a server that evicts by %s is refused for what must last, whenever it begins, until it is corrected',
  async (policy) => {
    const { state, record, others, warnings } = openWith('noeviction');
    expect(await record()).toMatchObject({ status: 'claimed' });
    state.policy = policy;
    for (let time = 1; time <= 2; time += 1) {
      const error = await failureOf(record(), PaymentsError);
      expect(error).toMatchObject({ code: 'STORE_EVICTS', outcome: 'not_an_operation' });
      expect(error.message).toMatch(
        new RegExp(`noeviction, got ${policy}\\. .*set the policy, or pass { allowEviction: true }`),
      );
    }
    expect(warnings).toEqual([]);
    // Another use may go on, and warns once.
    for (const use of [...Object.values(others), others.claim]) await use();
    expect(warnings).toEqual([warningOf(policy)]);
    await failureOf(record(), PaymentsError);
    state.policy = 'noeviction';
    expect(await record()).toMatchObject({ status: 'claimed' });
    expect(warnings).toHaveLength(1);
  },
);

it('a server that does not say leads to one warning, fits every use, and is refused once it says that it evicts', async () => {
  const { state, record, others, warnings } = openWith('');
  for (const use of [record, ...Object.values(others), record]) await use();
  expect(warnings).toEqual([warningOf('no answer of INFO memory')]);
  state.policy = 'allkeys-lru';
  expect(await failureOf(record(), PaymentsError)).toMatchObject({ code: 'STORE_EVICTS' });
  expect(warnings).toHaveLength(1);
});

it('an answer without a policy, as in a transaction, is refused', async () => {
  const store = redisStore({ isOpen: true, eval: async () => 'QUEUED' });
  const error = await failureOf(store.claim('a', 1000, { data: '{}' }), ConfigurationError);
  expect(error.message).toContain('redisStore.client: expected the answer of the script');
});

it('with allowEviction the server is not asked', async () => {
  const { record, save, others, warnings, reads } = openWith('allkeys-lru', { allowEviction: true });
  for (const use of [record, save, ...Object.values(others)]) await use();
  expect([warnings, reads()]).toEqual([[], 0]);
});

it('without a logger the warning is on the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await openWith('allkeys-lru', { logger: undefined }).others.claim();
  expect(warn.mock.calls).toEqual([warningOf('allkeys-lru')]);
});

it('a renewed text and a document are refused by a server that evicts, and what came of a call is recorded', async () => {
  const { state, save, renew, complete } = openWith('allkeys-lru');
  for (const write of [save, renew]) {
    expect(await failureOf(write(), PaymentsError)).toMatchObject({ code: 'STORE_EVICTS' });
  }
  expect(await complete()).toBe(true);
  state.policy = 'noeviction';
  expect([await save(), await renew()]).toEqual([true, true]);
});
