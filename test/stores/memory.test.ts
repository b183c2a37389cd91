import fc from 'fast-check';
import { type MemoryStoreOptions, memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { describeStore } from './contract.ts';
import { claimOf, long } from './time.ts';

describeStore('the memory store', false, async () => {
  const store = memoryStore();
  return { stores: [store, store, store], close: async () => {} };
});

/** Returns a store with a manual clock. */
function withClock(options: MemoryStoreOptions = {}) {
  const clock = { time: 1000 };
  const store = memoryStore({ ...options, now: () => clock.time });

  const claimAndComplete = async (key: string, retention: number) => {
    const { token } = claimOf(await store.claim(key, long));
    await store.complete(key, token, retention);
  };
  return { store, clock, claimAndComplete };
}

describe('the times of the memory store', () => {
  it('are exact', async () => {
    const { store, clock } = withClock();
    const { token } = claimOf(await store.claim('a', 10));
    clock.time += 9.5;
    expect(await store.claim('a', 10)).toEqual({ status: 'in_progress', retryAfter: 1 });
    clock.time += 0.5;
    expect(await store.complete('a', token, 20)).toBe(true);
    clock.time += 10;
    expect(await store.complete('a', token, 15)).toBe(true);
    clock.time += 14;
    expect(await store.claim('a', 10)).toEqual({ status: 'completed' });
    clock.time += 1;
    expect(await store.complete('a', token, 20)).toBe(false);
    expect(await store.claim('a', 10)).toMatchObject({ status: 'claimed', attempt: 1 });
  });
});

describe('a full memory store', () => {
  it('evicts expired records first, then expired claims, then the oldest completed key', async () => {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 4 });
    await claimAndComplete('oldest', 1000);
    await store.claim('ran out', 5);
    clock.time += 1;
    await claimAndComplete('expired', 5);
    clock.time += 1;
    await claimAndComplete('younger', 900);
    clock.time += 10;
    // Each new claim evicts one: the younger one expires first, but the oldest goes.
    await store.claim('new 1', long);
    expect(await store.claim('ran out', 1)).toMatchObject({ status: 'claimed', attempt: 2 });
    clock.time += 1;
    await store.claim('new 2', long);
    expect(await store.claim('oldest', long)).toEqual({ status: 'completed' });
    await store.claim('new 3', long);
    expect(await store.claim('younger', long)).toEqual({ status: 'completed' });
    expect(await store.claim('oldest', long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('evicts when claims with data are completed, and not only when the next one is claimed', async () => {
    const { store } = withClock({ maxEntries: 2 });
    const tokens = new Map<string, string>();
    for (const key of ['evt 1', 'evt 2', 'evt 3']) {
      tokens.set(key, claimOf(await store.claim(key, long, { data: 'data' })).token);
    }
    for (const [key, token] of tokens) await store.complete(key, token, long);
    expect(await store.claim('evt 3', long)).toMatchObject({ status: 'completed' });
    expect(await store.complete('evt 1', tokens.get('evt 1') ?? '', long)).toBe(false);
  });

  it('never evicts a live claim, so it grows, and shrinks when claims end', async () => {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 2 });
    await claimAndComplete('done', long);
    const keys = Array.from({ length: 10 }, (_, index) => `live ${index}`);
    for (const key of keys) await store.claim(key, 100);
    for (const key of keys) expect(await store.claim(key, 100)).toMatchObject({ status: 'in_progress' });
    // All of them expire. Beside the new claim there is room for one: the last that expired.
    clock.time += 100;
    await store.claim('new', long);
    expect(await store.claim('live 9', 100)).toMatchObject({ status: 'claimed', attempt: 2 });
    expect(await store.claim('live 0', 100)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('remembers the last 100,000 by default', async () => {
    const { store, claimAndComplete } = withClock();
    const count = 100_001;
    for (let index = 0; index < count; index += 1) await claimAndComplete(`evt ${index}`, long);
    expect(await store.claim('evt 1', long)).toEqual({ status: 'completed' });
    expect(await store.claim('evt 0', long)).toMatchObject({ status: 'claimed' });
  });
});

/** The reference model of eviction, which scans all records each time. */
class PlainStore {
  readonly #entries = new Map<string, { done: boolean; since: number; until: number; attempt: number }>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  claim(key: string, lease: number, now: number): string {
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > now) return known.done ? 'completed' : 'in_progress';
    const attempt = known === undefined || known.done ? 1 : known.attempt + 1;
    this.#entries.set(key, { done: false, since: now, until: now + lease, attempt });
    while (this.#entries.size > this.#maxEntries && this.#forgetOne(now));
    return `claimed ${attempt}`;
  }

  end(key: string, retention: number | undefined, now: number): void {
    const known = this.#entries.get(key);
    if (known === undefined || known.done) return;
    this.#entries.set(key, {
      ...known,
      done: retention !== undefined,
      since: now,
      until: now + (retention ?? 0),
    });
    while (retention !== undefined && this.#entries.size > this.#maxEntries && this.#forgetOne(now));
  }

  #forgetOne(now: number): boolean {
    const all = [...this.#entries].map(([key, entry]) => ({ key, ...entry }));
    const byUntil = all.toSorted((one, other) => one.until - other.until);
    const bySince = all.toSorted((one, other) => one.since - other.since);
    const victim =
      byUntil.find(({ done, until }) => done && until <= now) ??
      byUntil.find(({ done, until }) => !done && until <= now) ??
      bySince.find(({ done }) => done);
    return victim !== undefined && this.#entries.delete(victim.key);
  }
}

const step = fc.record({
  key: fc.nat({ max: 5 }).map(String),
  // No two leases differ by whole seconds, as the steps do, so that expiry times never tie.
  lease: fc.constantFrom(510, 3520, 20_530, 7540),
  end: fc.constantFrom('complete', 'release', 'leave'),
  retention: fc.constantFrom(210, 4220, 9230, 30_240),
  passes: fc.constantFrom(1000, 2000, 6000),
});

describe('a full memory store, for any sequence of operations', () => {
  it('evicts the same records as a store that scans all', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step), async (max, steps) => {
      const { store, clock } = withClock({ maxEntries: max });
      const plain = new PlainStore(max);
      for (const { key, lease, end, retention, passes } of steps) {
        clock.time += passes;
        const result = await store.claim(key, lease);
        const outcome = result.status === 'claimed' ? `claimed ${result.attempt}` : result.status;
        expect(outcome).toBe(plain.claim(key, lease, clock.time));
        if (result.status !== 'claimed' || end === 'leave') continue;
        clock.time += passes;
        if (end === 'complete') await store.complete(key, result.token, retention);
        else await store.release(key, result.token);
        plain.end(key, end === 'complete' ? retention : undefined, clock.time);
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe('a claim with data in the memory store', () => {
  it('is never evicted before it is completed, and does not count towards the limit', async () => {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 2 });
    for (let index = 0; index < 10; index += 1) {
      const claim = claimOf(await store.claim(`open ${index}`, 5, { data: `data ${index}` }));
      if (index % 2 === 0) await store.release(`open ${index}`, claim.token);
    }
    clock.time += 100;
    await claimAndComplete('first', long);
    await claimAndComplete('second', long);
    expect(await store.claim('first', long)).toMatchObject({ status: 'completed' });
    for (let index = 0; index < 10; index += 1) {
      const again = claimOf(await store.claim(`open ${index}`, 5));
      expect(again).toMatchObject({ attempt: 2, data: `data ${index}` });
    }
  });

  it('is forgotten after the retention of its release, unless it is claimed again before', async () => {
    const { store, clock } = withClock();
    for (const key of ['a', 'b']) {
      const { token } = claimOf(await store.claim(key, long, { data: key }));
      await store.release(key, token, { retention: 50 });
    }
    clock.time += 49;
    const again = claimOf(await store.claim('b', 1));
    expect(again).toMatchObject({ attempt: 2, data: 'b' });
    clock.time += 1;
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1, data: undefined });
    clock.time += long;
    expect(await store.open({ prefix: '', limit: 10 })).toMatchObject([{ key: 'b', attempt: 2 }]);
    expect(await store.claim('b', long)).toMatchObject({ attempt: 3, data: 'b' });
  });

  it('is evicted like an expired claim once it is released with a retention', async () => {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 3 });
    await claimAndComplete('done', long);
    const { token } = claimOf(await store.claim('refused', long, { data: 'r' }));
    clock.time += 1;
    await store.release('refused', token, { retention: long });
    await store.claim('ran out', 5);
    clock.time += 10;
    await store.claim('new 1', long);
    await store.claim('new 2', long);
    expect(await store.claim('done', long)).toEqual({ status: 'completed' });
    expect(await store.claim('refused', 1)).toMatchObject({ status: 'claimed', attempt: 1, data: undefined });
  });

  it('is like any other key once it is completed', async () => {
    const { store, clock } = withClock({ maxEntries: 1 });
    const { token } = claimOf(await store.claim('a', long, { data: 'before' }));
    await store.complete('a', token, 50, { data: 'after' });
    expect(await store.claim('a', long)).toEqual({ status: 'completed', data: 'after' });
    clock.time += 50;
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1, data: undefined });
  });

  it('is listed with its age and the rest of its lease', async () => {
    const { store, clock } = withClock();
    await store.claim('a', 100, { data: 'text' });
    clock.time += 30;
    const open = { key: 'a', data: 'text', attempt: 1 };
    expect(await store.open({ prefix: '', limit: 10 })).toEqual([{ ...open, leased: 70, age: 30 }]);
    clock.time += 100;
    expect(await store.open({ prefix: '', limit: 10 })).toEqual([{ ...open, leased: 0, age: 130 }]);
  });
});

describe('memoryStore refuses', () => {
  it('invalid options', () => {
    expect(() => memoryStore({ maxEntries: 0 })).toThrow(
      'memoryStore.maxEntries: expected an integer from 1 to 10000000, got the number 0. Correct the options of memoryStore.',
    );
    // @ts-expect-error: an invalid argument
    expect(() => memoryStore({ now: 5 })).toThrow('memoryStore.now: expected a function, got the number 5');
    // @ts-expect-error: an invalid argument
    expect(() => memoryStore({ max: 5 })).toThrow('memoryStore.max: expected one of maxEntries, now');
    // @ts-expect-error: an invalid argument
    expect(() => memoryStore(null)).toThrow('memoryStore: expected an object, got null');
  });
});
