import fc from 'fast-check';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAt } from '../support/stores.ts';
import { describeStore } from './contract.ts';
import { claimOf, long } from './time.ts';

describeStore('the memory store', false, async () => {
  const store = memoryStore();
  return { stores: [store, store, store], close: async () => {} };
});

/** Returns a store with a manual clock. */
function withClock(options: Parameters<typeof memoryStore>[0] = {}) {
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
  it('evicts an expired record first, then an expired claim, then the oldest completed key', async () => {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 4 });
    await claimAndComplete('expired', 5);
    await store.claim('ran out', 5);
    await claimAndComplete('oldest', 1000);
    await claimAndComplete('younger', 900);
    clock.time += 10;
    // Each new claim evicts one: the younger one would expire first, but the oldest goes.
    await store.claim('new 1', long);
    expect(await store.claim('ran out', 1)).toMatchObject({ status: 'claimed', attempt: 2 });
    clock.time += 1;
    await store.claim('new 2', long);
    expect(await store.claim('oldest', long)).toEqual({ status: 'completed' });
    await store.claim('new 3', long);
    expect(await store.claim('younger', long)).toEqual({ status: 'completed' });
    expect(await store.claim('oldest', long)).toMatchObject({ status: 'claimed', attempt: 1 });
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
    while (this.#entries.size > this.#maxEntries && this.#forgetOne(now));
  }

  #forgetOne(now: number): boolean {
    const all = [...this.#entries].map(([key, entry]) => ({ key, ...entry }));
    const byUntil = all.toSorted((one, other) => one.until - other.until);
    const [first] = all.filter(({ done }) => done).toSorted((one, other) => one.since - other.since);
    const victim =
      [first].find((done) => done !== undefined && done.until <= now) ??
      byUntil.find(({ done, until }) => !done && until <= now) ??
      first;
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
    expect(await openAt(store, 'a')).toEqual([]);
    expect(await openAt(store, 'b')).toMatchObject([{ key: 'b', attempt: 2 }]);
    expect(await store.claim('b', long)).toMatchObject({ attempt: 3, data: 'b' });
  });

  it('is forgotten after its retention once it is completed', async () => {
    const { store, clock } = withClock();
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
    const open = { key: 'a', data: 'text', attempt: 1, since: 1000 };
    expect(await openAt(store, 'a')).toEqual([{ ...open, leased: 70, age: 30 }]);
    clock.time += 100;
    expect(await openAt(store, 'a')).toEqual([{ ...open, leased: 0, age: 130 }]);
  });
});

describe('a memory store full of keys with data', () => {
  const refused = {
    name: 'PaymentsError',
    code: 'STORE_FULL',
    outcome: 'not_executed',
    retryable: false,
    message:
      'expected at most 5 operations in memoryStore, got another. Use a durable store: sqliteStore, redisStore or postgresStore.',
  };

  /** Returns a store with two open, one released and two completed keys with data. */
  async function fullStore() {
    const { store, clock, claimAndComplete } = withClock({ maxEntries: 2, maxOperations: 5, logger: {} });
    await store.claim('open', 5, { data: 'o' });
    const { token: freed } = claimOf(await store.claim('free', 5, { data: 'f' }));
    await store.release('free', freed);
    const { token: refusal } = claimOf(await store.claim('refused', 5, { data: 'r' }));
    await store.release('refused', refusal, { retention: 100 });
    for (const key of ['done 1', 'done 2']) {
      const { token } = claimOf(await store.claim(key, 5, { data: key }));
      await store.complete(key, token, 200);
    }
    return { store, clock, claimAndComplete };
  }

  it('refuses a new one, and drops none', async () => {
    const { store, clock } = await fullStore();
    clock.time += 99;
    await expect(store.claim('new', long, { data: 'n' })).rejects.toMatchObject(refused);
    expect(await store.claim('done 1', 1)).toEqual({ status: 'completed', data: 'done 1' });
    expect(await store.claim('done 2', 1)).toEqual({ status: 'completed', data: 'done 2' });
    for (const key of ['open', 'free', 'refused']) {
      expect(await store.claim(key, long, { data: 'new' })).toMatchObject({ status: 'claimed', attempt: 2 });
    }
  });

  it('accepts a new one once a retention is over', async () => {
    const { store, clock } = await fullStore();
    clock.time += 100;
    expect(await store.claim('new', long, { data: 'n' })).toMatchObject({ status: 'claimed', attempt: 1 });
    await expect(store.claim('newer', long, { data: 'n' })).rejects.toMatchObject(refused);
    clock.time += 100;
    expect(await store.claim('done 2', long, { data: 'again' })).toMatchObject({ attempt: 1, data: 'again' });
  });

  it('keeps deliveries within a limit of their own', async () => {
    const { store, claimAndComplete } = await fullStore();
    for (const key of ['evt 1', 'evt 2', 'evt 3']) await claimAndComplete(key, long);
    expect(await store.claim('evt 2', 1)).toEqual({ status: 'completed' });
    expect(await store.claim('evt 3', 1)).toEqual({ status: 'completed' });
    expect(await store.claim('evt 1', 1)).toMatchObject({ status: 'claimed', attempt: 1 });
    expect(await store.claim('done 1', 1)).toEqual({ status: 'completed', data: 'done 1' });
  });

  it('refuses to open a key without data, and changes nothing', async () => {
    const { store, clock } = await fullStore();
    const { token } = claimOf(await store.claim('late', long));
    await expect(store.release('late', token, { data: 'late' })).rejects.toMatchObject(refused);
    expect(await store.claim('late', long)).toMatchObject({ status: 'in_progress', data: undefined });
    clock.time += 100;
    expect(await store.release('late', token, { data: 'late' })).toBe(true);
    expect(await openAt(store, 'late')).toMatchObject([{ data: 'late' }]);
  });

  it('counts a completed key whose data was dropped as one without data', async () => {
    const { store } = withClock({ maxEntries: 1, maxOperations: 1, logger: {} });
    for (const key of ['a', 'b', 'c']) {
      const { token } = claimOf(await store.claim(key, long, { data: key }));
      expect(await store.complete(key, token, long, { data: '' })).toBe(true);
    }
    expect(await store.claim('c', long)).toEqual({ status: 'completed', data: '' });
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('records the end of a key that got its data late', async () => {
    const { store } = await fullStore();
    const { token } = claimOf(await store.claim('late', long));
    expect(await store.complete('late', token, long, { data: 'result' })).toBe(true);
    expect(await store.claim('late', long)).toEqual({ status: 'completed', data: 'result' });
  });

  it('warns once, at 80 %', async () => {
    const lines: unknown[][] = [];
    const { store } = withClock({ maxOperations: 10, logger: { warn: (...line) => lines.push(line) } });
    for (let index = 1; index <= 10; index += 1) {
      await store.claim(`evt ${index}`, long);
      await store.claim(`open ${index}`, long, { data: '' });
      expect(lines).toHaveLength(index < 8 ? 0 : 1);
    }
    expect(lines).toEqual([
      [
        'memoryStore has 8 operations and refuses more than 10: use sqliteStore, redisStore or postgresStore',
        { operations: 8, maxOperations: 10 },
      ],
    ]);
  });

  it('warns on the console if it has no logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { store } = withClock({ maxOperations: 1 });
    await store.claim('open', long, { data: '' });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('memoryStore has 1 operations'), {
      operations: 1,
      maxOperations: 1,
    });
  });
});
