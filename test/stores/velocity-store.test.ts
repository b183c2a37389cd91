/** Reaches inside: the sandbox's store and the counting code of two stores are not public, but have the same contract. */

import { createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  typicalVelocityRules,
  type VelocityAttempt,
  VelocityGuard,
  type VelocityRule,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { SandboxVelocityStore } from '../../sandbox/src/transact/screening.ts';
import { type Bucket, checkAttempt, type Part } from '../../src/stores/velocity-count.ts';
import { sandboxState } from '../support/sandbox-state.ts';
import { takeBack, type VelocityStore } from '../support/stores.ts';
import { describeCountedAttempts, entryOf, windowMs } from './counted-attempts.ts';
import { describeVelocityTime, exactly } from './velocity-time.ts';

const keys = 20_000;
/** Fewer bytes than a key with only an empty map occupies. */
const minimumBytesPerKey = 64;

/** Returns the heap in use after a full collection. */
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

describeVelocityTime(
  "the sandbox's store",
  false,
  async () => {
    const state = sandboxState();
    return { store: new SandboxVelocityStore(state), setTime: (now) => state.clock.set(now) };
  },
  exactly,
);

describeVelocityTime('the memory store', false, async () => {
  let present = 0;
  const setTime = (now: number) => {
    present = now;
  };
  return { store: memoryStore({ now: () => present }), setTime };
});

describe('the counting code of memory and SQLite', () => {
  const lists = <Item>() => {
    const map = new Map<string, readonly Item[]>();
    return {
      get: (key: string) => map.get(key) ?? [],
      put: (key: string, items: readonly Item[]) => void map.set(key, items),
      update: (key: string, items: readonly Item[]) => void map.set(key, items),
    };
  };

  describeVelocityTime('it', false, async () => {
    const records = { now: 0, buckets: lists<Bucket>(), parts: lists<Part>() };
    const store: VelocityStore = {
      check: async (...args) => checkAttempt(records, ...args),
    };
    const setTime = (now: number) => {
      records.now = now;
    };
    return { store, setTime, bucketsOf: (key) => records.buckets.get(key).length };
  });
});

describe('the memory store', () => {
  const totalsOf = async (store: VelocityStore, id: string, key: string) =>
    (await store.check(id, [entryOf(key)])).map(({ total }) => total);

  it('is bounded, and evicts the oldest counts first', async () => {
    let now = 0;
    const store = memoryStore({ maxEntries: 2, now: () => now });
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) {
      now = index;
      await store.check(`${index}`, [entryOf(key)]);
    }
    expect(await totalsOf(store, '4', 'a')).toEqual([3n]);
    expect(await totalsOf(store, '5', 'b')).toEqual([1n]);
  });

  it('reports times in ms since 1970', async () => {
    const before = Date.now() + windowMs;
    const [total] = await memoryStore().check('1', [entryOf('a')]);
    expect(total?.freeAt).toBeGreaterThanOrEqual(before - 1000);
    expect(total?.freeAt).toBeLessThan(before + windowMs / 60 + 60_000);
  });

  it.each<[what: string, isReverted: boolean, maxEntries: number, passes: number]>([
    ['attempts were reverted', true, 100_000, 0],
    ['attempts were evicted', false, 10, 0],
    ['attempts are older than their window', false, 100_000, 1],
  ])('keeps nothing of a key whose %s', async (_what, isReverted, maxEntries, passes) => {
    let now = 0;
    const store = memoryStore({ maxEntries, now: () => now });
    const before = heapUsed();
    for (let index = 0; index < keys; index += 1) {
      now += passes;
      await store.check(`${index}`, [entryOf(`key ${index}`, 1n, { windowMs: 1 })]);
      if (isReverted) await takeBack(store, `${index}`, [`key ${index}`]);
    }
    expect(heapUsed() - before).toBeLessThan(keys * minimumBytesPerKey);
    // The store is still in use here, so the measurement included its contents.
    const last = await store.check('last', [entryOf(`key ${keys - 1}`, 1n, { windowMs: 1 })]);
    expect(last).toMatchObject([{ total: isReverted ? 1n : 2n }]);
  });
});

describe('a card number, an address and a secret', () => {
  const secret = 'a secret of the merchant, random';
  const hashOf = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

  /** Returns the keys of an attempt in the store. */
  async function keysOf(attempt: VelocityAttempt, rules?: readonly VelocityRule[]): Promise<string[]> {
    const keys: string[] = [];
    const memory = memoryStore();
    const store: VelocityStore = {
      check(id, entries) {
        keys.push(...entries.map(({ key }) => key));
        return memory.check(id, entries);
      },
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

  // Counts outlive a version of the package, so a later version must compute the same keys.
  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['Unknown', 'unknown'],
  ])('are the same in every version: the address %s is %s', async (ip, text) => {
    expect(await keysOf({ ip })).toEqual([`ip-hour:${hashOf(`ip ${text}`)}:`]);
  });

  it.each([
    [undefined, ''],
    ['usd', 'USD'],
    ['EUR', 'EUR'],
  ])('are the same in every version: the currency %s is %s', async (currency, text) => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '10.00' }).slice(3);
    const attempt = { card: { token: 'fp_1' }, amount: '1.00', currency };
    expect(await keysOf(attempt, rules)).toEqual([`card-amount-day:${hashOf('card token fp_1')}:${text}`]);
  });
});
