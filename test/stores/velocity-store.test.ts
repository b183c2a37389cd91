/** Reaches inside: the sandbox's own store keeps the same contract and is not public. */

import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  typicalVelocityRules,
  type VelocityAttempt,
  type VelocityEntry,
  VelocityGuard,
  type VelocityReference,
  type VelocityRule,
  type VelocityStore,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { SandboxVelocityStore } from '../../src/sandbox/transact/velocity-count.ts';
import { sandboxState } from '../support/sandbox-state.ts';
import { describeCountedAttempts } from './counted-attempts.ts';

const entry = (key: string, id: string, at = 0, amount = 0n): VelocityEntry => ({
  key,
  id,
  at,
  amount,
  windowMs: 100,
});

const keys = 20_000;
/** Less bytes than a key takes for which nothing but an empty map is kept. */
const leastOfKey = 64;

/** What is in use after all that can be freed was. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}

describe("the sandbox's store", () => {
  const store = new SandboxVelocityStore(sandboxState());
  describeCountedAttempts(() => [store]);
});

describe('the memory store', () => {
  it('is bounded, and forgets first what was not used for longest', async () => {
    const store = memoryStore({ maxEntries: 3 });
    await store.countAttempts([entry('a', '1')]);
    await store.countAttempts([entry('b', '1')]);
    await store.countAttempts([entry('a', '2')]);
    await store.countAttempts([entry('c', '1')]);
    expect(await store.countAttempts([entry('a', '3')])).toMatchObject([{ count: 3 }]);
    expect(await store.countAttempts([entry('b', '2')])).toMatchObject([{ count: 1 }]);
    for (let index = 0; index < 50; index += 1) await store.countAttempts([entry('one key', String(index))]);
    expect(await store.countAttempts([entry('one key', '50')])).toMatchObject([{ count: 3 }]);
  });

  it.each<[what: string, options: object, taken: boolean]>([
    ['whose entries were taken out', {}, true],
    ['whose entries it forgot', { maxEntries: 10 }, false],
  ])('holds nothing of a key %s', async (_what, options, taken) => {
    const store = memoryStore(options);
    const before = heapUsed();
    for (let index = 0; index < keys; index += 1) {
      await store.countAttempts([entry(`key ${index}`, '1')]);
      if (taken) await store.removeAttempts([{ key: `key ${index}`, id: '1' }]);
    }
    expect(heapUsed() - before).toBeLessThan(keys * leastOfKey);
    // The store is still in use here, so that all it holds was measured.
    const last = await store.countAttempts([entry(`key ${keys - 1}`, '2')]);
    expect(last).toMatchObject([{ count: taken ? 1 : 2 }]);
  });
});

describe('a card number, an address and a secret', () => {
  const canaries = [
    '4929876512340988',
    '4929-8765',
    '203.0.113.77',
    'canary@buyer.example',
    'canary-secret',
    'order-9',
  ];

  it('never appear in the store, in a verdict, in an error or in what is inspected', async () => {
    const seen: unknown[] = [];
    const memory = memoryStore();
    const store: VelocityStore = {
      countAttempts(entries: readonly VelocityEntry[]) {
        seen.push(...entries);
        return memory.countAttempts(entries);
      },
      removeAttempts(references: readonly VelocityReference[]) {
        seen.push(...references);
        return memory.removeAttempts(references);
      },
    };
    const rules = [
      ...typicalVelocityRules({ dailyAmountPerCard: '10.00' }),
      {
        name: 'email',
        per: 'email',
        counts: 'attempts',
        limit: 1,
        windowMs: 1000,
        action: 'review',
      } as const,
    ];
    const guard = new VelocityGuard({ secret: 'canary-secret of the merchant', rules, store });
    const attempt = { ip: '203.0.113.77', amount: '7.00', subjects: { email: 'canary@buyer.example' } };
    for (const card of [
      { number: '4929876512340988' },
      { token: '4929876512340988' },
      { number: '4929-8765-1234-0988' },
    ]) {
      for (let index = 0; index < 4; index += 1) {
        const verdict = await guard.check({ ...attempt, card, id: `order-9-${index}` });
        await guard.record(verdict.ticket, 'declined');
        seen.push(verdict);
      }
    }
    const wrong = [
      { card: { number: '4929876512340988x' } },
      { card: '4929876512340988' },
      { card: { number: 4929876512340988 } },
      { card: { number: '4929876512340988', token: '4929876512340988' } },
      { card: { token: '4929876512340988' }, amount: '4929876512340988' },
      { card: { token: '4929876512340988' }, currency: '4929876512340988' },
      { subjects: { email: ['canary@buyer.example'] } },
      { ip: ['203.0.113.77'] },
    ];
    for (const each of wrong) {
      // @ts-expect-error: that is what is wrong with it
      const failure = await guard.check(each).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TypeError);
      seen.push(failure);
    }
    const text = [...seen, guard, memory]
      .flatMap((each) => [
        inspect(each, { depth: 20, showHidden: true }),
        each instanceof Error ? `${each.message} ${each.stack}` : '',
        JSON.stringify(each, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
      ])
      .join('\n');
    expect(text).toMatch(/[0-9a-f]{64}/);
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
  });

  const secret = 'a secret of the merchant, random';
  const hashOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

  /** The keys under which an attempt is kept. */
  async function keysOf(attempt: VelocityAttempt, rules?: readonly VelocityRule[]): Promise<string[]> {
    const keys: string[] = [];
    const memory = memoryStore();
    const store: VelocityStore = {
      countAttempts(entries) {
        keys.push(...entries.map(({ key }) => key));
        return memory.countAttempts(entries);
      },
      removeAttempts: (references) => memory.removeAttempts(references),
    };
    await new VelocityGuard({ secret, store, rules }).check(attempt);
    return keys;
  }

  it('are hashed with the key: HMAC-SHA-256 of the domain and the value', async () => {
    const keys = await keysOf({ card: { number: '4929876512340988' } });
    const hash = hashOf('card number 4929876512340988');
    expect(keys).toEqual([`card-10-minutes:${hash}:`, `card-failures-day:${hash}:`]);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(200);
  });

  // A store outlives a version of the package, which must find again what an earlier one has counted.
  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['Unknown', 'unknown'],
  ])('are the same from version to version: the address %s is %s', async (ip, text) => {
    expect(await keysOf({ ip })).toEqual([`ip-hour:${hashOf(`ip ${text}`)}:`]);
  });

  it.each([
    [undefined, ''],
    ['usd', 'USD'],
    ['EUR', 'EUR'],
  ])('are the same from version to version: the currency %s is %s', async (currency, text) => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '10.00' }).slice(3);
    const attempt = { card: { token: 'fp_1' }, amount: '1.00', currency };
    expect(await keysOf(attempt, rules)).toEqual([`card-amount-day:${hashOf('card token fp_1')}:${text}`]);
  });
});
