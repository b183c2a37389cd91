/** What a store does about a Redis that may delete records. `redis-eviction.services.test.ts` shows it with real servers and clients. */

import { PaymentsError } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { entryOf } from '../attempts.ts';

/** A client whose server grants each claim, and says this of its memory; and the store, with what it asks and logs. */
function openWith(told: unknown, options: Parameters<typeof redisStore>[1] = {}) {
  const state = { told };
  const warnings: unknown[][] = [];
  let reads = 0;
  const client = {
    isOpen: true,
    async eval(script: string): Promise<unknown> {
      if (script.includes('HINCRBY')) return [[0, 0, '0', 0, 'token']];
      if (script.includes("'snapshot")) return [1, 'data'];
      if (script.includes("'wake'")) return 1;
      if (!script.includes('INFO')) return [1, 1, 'data'];
      reads += 1;
      if (state.told instanceof Error) throw state.told;
      return state.told;
    },
  };
  const logger = { warn: (...line: unknown[]) => warnings.push(line) };
  const store = redisStore(client, { logger, ...options });
  return {
    state,
    warnings,
    reads: () => reads,
    /** As orders do. */
    save: () => store.save('order', 0, '{}', { wakeAt: null }),
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

const info = (maxmemory: string, policy: string) =>
  `# Memory\r\nused_memory:1\r\nmaxmemory:${maxmemory}\r\nmaxmemory_human:1M\r\nmaxmemory_policy:${policy}\r\n`;
const warningOf = (got: string) => [
  expect.stringContaining(`expected the maxmemory-policy noeviction, got ${got}. `),
  {},
];
const noAnswer = 'no answer of INFO memory';

it.each([
  ['without a limit', info('0', 'allkeys-lru')],
  ['with a limit and noeviction', info('104857600', 'noeviction')],
  ['with a limit and noeviction, in bytes', Buffer.from(info('1', 'noeviction'))],
])('a server %s is asked once, and fits every use', async (_what, told) => {
  const { record, others, warnings, reads } = openWith(told);
  for (const use of [...Object.values(others), record, record]) await use();
  expect([warnings, reads()]).toEqual([[], 1]);
});

it.each(['allkeys-lru', 'allkeys-random', 'volatile-ttl'])(
  'a server that evicts by %s is refused for what must last, each time until it is corrected',
  async (policy) => {
    const { state, record, others, warnings, reads } = openWith(info('104857600', policy));
    for (let time = 1; time <= 2; time += 1) {
      const error = await failureOf(record(), PaymentsError);
      expect(error).toMatchObject({ code: 'STORE_EVICTS', outcome: 'not_an_operation' });
      expect(error.message).toMatch(
        new RegExp(`noeviction, got ${policy}\\. .*set the policy, or pass { allowEviction: true }`),
      );
      expect(reads()).toBe(time);
    }
    expect(warnings).toEqual([]);
    // Another use may go on, and warns once.
    for (const use of [...Object.values(others), others.claim]) await use();
    expect([warnings, reads()]).toEqual([[warningOf(policy)], 3]);
    // What is known by now still refuses what must last.
    await failureOf(record(), PaymentsError);
    state.told = info('104857600', 'noeviction');
    expect(await record()).toMatchObject({ status: 'claimed' });
    expect([warnings.length, reads()]).toEqual([1, 4]);
  },
);

it.each([
  ['nothing', ''],
  ['no policy', 'maxmemory:104857600\r\n'],
  ['no limit', 'maxmemory_policy:allkeys-lru\r\n'],
])('a server that says %s leads to one warning, and fits every use', async (_what, told) => {
  const { record, others, warnings, reads } = openWith(told);
  for (const use of [record, ...Object.values(others), record]) await use();
  expect([warnings, reads()]).toEqual([[warningOf(noAnswer)], 1]);
});

it('a client that fails to ask leads to one warning, asks again each time, and refuses once it has the answer', async () => {
  const { state, record, others, warnings, reads } = openWith(new Error('not allowed by this host'));
  for (const use of [record, others.check, record]) await use();
  expect([warnings, reads()]).toEqual([[warningOf(noAnswer)], 3]);
  state.told = info('104857600', 'allkeys-lru');
  expect(await failureOf(record(), PaymentsError)).toMatchObject({ code: 'STORE_EVICTS' });
  await others.claim();
  expect(warnings).toHaveLength(1);
});

it('with allowEviction the server is not asked', async () => {
  const { record, others, warnings, reads } = openWith(info('1', 'allkeys-lru'), { allowEviction: true });
  for (const use of [record, ...Object.values(others)]) await use();
  expect([warnings, reads()]).toEqual([[], 0]);
});

it('without a logger the warning is on the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await openWith(info('1', 'allkeys-lru'), { logger: undefined }).others.claim();
  expect(warn.mock.calls).toEqual([warningOf('allkeys-lru')]);
});

it('a document is refused by a server that evicts, and saved by any other', async () => {
  const { state, save } = openWith(info('1', 'allkeys-lru'));
  expect(await failureOf(save(), PaymentsError)).toMatchObject({ code: 'STORE_EVICTS' });
  state.told = info('1', 'noeviction');
  expect(await save()).toBe(true);
});
