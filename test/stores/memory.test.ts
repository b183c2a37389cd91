import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bySize, thorough } from '../support/size.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { entryOf } from './attempts.ts';
import { describeStore } from './contract.ts';
import { handle, long, start } from './time.ts';

describeStore('the memory store', false, async () => {
  let present = start;
  const store = memoryStore({ now: () => present, logger: {} });
  return { stores: [store], setTime: (now) => (present = now), close: () => {} };
});

/** Returns a store with a manual clock. */
function withClock(options: Parameters<typeof memoryStore>[0] = {}) {
  const clock = { time: 1000 };
  const store = memoryStore({ logger: {}, ...options, now: () => clock.time });
  const statusOf = async (key: string) => {
    const claim = await store.claim(key, long);
    return claim.status === 'claimed' ? `claimed ${claim.attempt}` : claim.status;
  };
  return { store, clock, statusOf };
}

describe('the default clock of a memory store', () => {
  it('counts ms since 1970, and ignores corrections of the clock of the machine', async () => {
    const store = memoryStore();
    await store.claim('a', long, { data: '' });
    const [before] = await openAt(store, 'a');
    expect(Math.abs((before?.since ?? 0) - Date.now())).toBeLessThan(long);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    expect(await store.claim('a', long)).toMatchObject({ status: 'in_progress' });
  });

  it('rounds the rest of a lease up, and the age down, to whole ms', async () => {
    const { store, clock } = withClock();
    await store.claim('a', 10, { data: '' });
    clock.time += 8.4;
    expect(await store.claim('a', 1)).toMatchObject({ retryAfter: 2 });
    expect(await openAt(store, 'a')).toMatchObject([{ leased: 2, age: 8, since: 1000 }]);
  });
});

describe('a full memory store', () => {
  it('never evicts a live claim, so it grows, and shrinks when claims end', async () => {
    const { store, clock, statusOf } = withClock({ maxEntries: 2 });
    await handle(store, 'done', long);
    const keys = Array.from({ length: 10 }, (_, index) => `live ${index}`);
    for (const key of keys) await store.claim(key, 100);
    for (const key of keys) expect(await statusOf(key)).toBe('in_progress');
    // All of them expire. Beside the new claim there is room for one: the last that expired.
    clock.time += 100;
    await store.claim('new', long);
    expect([await statusOf('live 9'), await statusOf('live 0')]).toEqual(['claimed 2', 'claimed 1']);
  });

  it('remembers the last 100,000 by default', thorough, async () => {
    const { store, statusOf } = withClock();
    for (let index = 0; index <= 100_000; index += 1) await handle(store, `evt ${index}`, long);
    expect([await statusOf('evt 1'), await statusOf('evt 0')]).toEqual(['completed', 'claimed 1']);
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
      this.#put(key, { done: false, since: now, until: now + lease, attempt }, now);
      return `claimed ${attempt}`;
    }

    end(key: string, retention: number | undefined, now: number): void {
      const attempt = this.#entries.get(key)?.attempt ?? 1;
      const until = now + (retention ?? 0);
      this.#put(key, { attempt, done: retention !== undefined, since: now, until }, now);
    }

    #put(key: string, entry: { done: boolean; since: number; until: number; attempt: number }, now: number) {
      this.#entries.set(key, entry);
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

  it('evicts the same records as a store that scans all', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step), async (max, steps) => {
      const { store, clock } = withClock({ maxEntries: max });
      const plain = new PlainStore(max);
      for (const { key, lease, end, retention, passes } of steps) {
        clock.time += passes;
        const claim = await store.claim(key, lease);
        const outcome = claim.status === 'claimed' ? `claimed ${claim.attempt}` : claim.status;
        expect(outcome).toBe(plain.claim(key, lease, clock.time));
        if (claim.status !== 'claimed' || end === 'leave') continue;
        clock.time += passes;
        if (end === 'complete') await store.complete(key, claim.token, retention);
        else await store.release(key, claim.token);
        plain.end(key, end === 'complete' ? retention : undefined, clock.time);
      }
    });
    await fc.assert(property, { numRuns: bySize({ short: 80, all: 500 }) });
  });

  it('evicts no open claim for keys without data, and does not count it as one', async () => {
    const { store, clock, statusOf } = withClock({ maxEntries: 2 });
    for (let index = 0; index < 10; index += 1) await store.claim(`open/${index}`, 5, { data: `${index}` });
    clock.time += 100;
    for (const key of ['first', 'second']) await handle(store, key, long);
    expect([await statusOf('first'), await statusOf('second')]).toEqual(['completed', 'completed']);
    expect(await store.open({ space: 'open', limit: 10, counts: true })).toMatchObject({ count: 10 });
  });
});

describe('a memory store full of keys with data', () => {
  const refused = {
    name: 'PaymentsError',
    code: 'STORE_FULL',
    outcome: 'not_an_operation',
    retryable: false,
  };

  /** Returns a store with an open, a released, a refused and two completed keys with data. */
  async function fullStore() {
    const full = withClock({ maxEntries: 2, maxOperations: 5 });
    const { store } = full;
    for (const key of ['open', 'free', 'refused']) await store.claim(key, 5, { data: key, token: 'mine' });
    await store.release('free', 'mine');
    await store.release('refused', 'mine', { retention: 100 });
    for (const key of ['done 1', 'done 2']) await handle(store, key, 200, key);
    return full;
  }

  it('refuses a new one, names durable stores, and drops none', async () => {
    const { store, clock, statusOf } = await fullStore();
    clock.time += 99;
    const claim = store.claim('new', long, { data: 'n' });
    await expect(claim).rejects.toMatchObject(refused);
    await expect(claim).rejects.toThrow(/at most 5 operations .+ sqliteStore, redisStore or postgresStore/);
    const statuses = ['done 1', 'done 2', 'open', 'free', 'refused', 'new'].map(statusOf);
    const closed = ['completed', 'completed'];
    expect(await Promise.all(statuses)).toEqual([
      ...closed,
      'claimed 2',
      'claimed 2',
      'claimed 2',
      'claimed 1',
    ]);
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
    const { store, statusOf } = await fullStore();
    for (const key of ['evt 1', 'evt 2', 'evt 3']) await handle(store, key, long);
    const statuses = await Promise.all(['evt 2', 'evt 3', 'evt 1', 'done 1'].map(statusOf));
    expect(statuses).toEqual(['completed', 'completed', 'claimed 1', 'completed']);
  });

  it('refuses to open a key without data, and changes nothing', async () => {
    const { store, clock } = await fullStore();
    await store.claim('late', long, { token: 'mine' });
    for (const open of [
      () => store.release('late', 'mine', { data: 'late' }),
      () => store.renew('late', 'mine', 1, { data: 'late' }),
    ])
      await expect(open()).rejects.toMatchObject(refused);
    expect(await store.claim('late', 1)).toEqual({ status: 'in_progress', retryAfter: long });
    clock.time += 100;
    expect(await store.release('late', 'mine', { data: 'late' })).toBe(true);
    expect(await openAt(store, 'late')).toMatchObject([{ data: 'late' }]);
  });

  it('still records the end of a key that got its data late', async () => {
    const { store } = await fullStore();
    await store.claim('late', long, { token: 'mine' });
    expect(await store.complete('late', 'mine', long, { data: 'result' })).toBe(true);
    expect(await store.claim('late', long)).toEqual({ status: 'completed', data: 'result' });
  });

  it('counts a completed key whose data was dropped as one without data', async () => {
    const { store, statusOf } = withClock({ maxEntries: 1, maxOperations: 1 });
    for (const key of ['a', 'b', 'c']) {
      await store.claim(key, long, { data: key, token: 'mine' });
      expect(await store.complete(key, 'mine', long, { data: '' })).toBe(true);
    }
    expect([await statusOf('c'), await statusOf('a')]).toEqual(['completed', 'claimed 1']);
  });

  it('warns once, at 80 %', async () => {
    const lines: unknown[][] = [];
    const { store } = withClock({ maxOperations: 10, logger: { warn: (...line) => lines.push(line) } });
    for (let index = 1; index <= 10; index += 1) {
      await store.claim(`evt ${index}`, long);
      await store.claim(`open ${index}`, long, { data: '' });
      expect(lines).toHaveLength(index < 8 ? 0 : 1);
    }
    expect(lines).toEqual([[expect.stringMatching(/ 8 .+ 10\b/), { operations: 8, maxOperations: 10 }]]);
  });

  it('warns on the console if it has no logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await memoryStore({ maxOperations: 1 }).claim('open', long, { data: '' });
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { operations: 1, maxOperations: 1 });
  });
});

describe('the attempts in a memory store', () => {
  it('are bounded: the oldest counts are evicted first', async () => {
    const { store, clock } = withClock({ maxEntries: 2 });
    const totalOf = async (id: string, key: string) => (await store.check(id, [entryOf(key)]))[0]?.total;
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) {
      clock.time += 1;
      await store.check(`${index}`, [entryOf(key)]);
    }
    expect([await totalOf('4', 'a'), await totalOf('5', 'b')]).toEqual([3n, 1n]);
  });

  it('are bounded after a part of each was taken back', async () => {
    const { store } = withClock({ maxEntries: 4 });
    for (let index = 0; index < 10; index += 1) {
      await store.check(`${index}`, [entryOf(`a ${index}`), entryOf(`b ${index}`)]);
      await takeBack(store, `${index}`, [`a ${index}`]);
    }
    // The attempt and its count are both forgotten, so it counts anew.
    expect(await store.check('0', [entryOf('b 0')])).toMatchObject([{ total: 1n }]);
    expect(await store.check('9', [entryOf('b 9')])).toMatchObject([{ total: 1n }]);
    expect(await store.check('other', [entryOf('b 9')])).toMatchObject([{ total: 2n }]);
  });

  it('that were taken back leave room for others', async () => {
    const { store } = withClock({ maxEntries: 4 });
    const ids = ['0', '1', '2', '3'];
    for (const id of ids) {
      await store.check(id, [entryOf(`a ${id}`), entryOf(`b ${id}`)]);
      await takeBack(store, id, [`a ${id}`]);
    }
    // A repeated attempt adds nothing, as long as it is remembered.
    for (const id of ids) expect(await store.check(id, [entryOf(`b ${id}`)])).toMatchObject([{ total: 1n }]);
    expect(await store.check('other', [entryOf('b 0')])).toMatchObject([{ total: 2n }]);
  });

  /** Returns the heap in use after a full collection. */
  function heapUsed(): number {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed;
  }

  it.each<[what: string, isReverted: boolean, maxEntries: number, passes: number]>([
    ['attempts were reverted', true, 100_000, 0],
    ['attempts were evicted', false, 3, 0],
    ['attempts are older than their window', false, 100_000, 2],
  ])('leave nothing of a key whose %s', async (_what, isReverted, maxEntries, passes) => {
    const { store, clock } = withClock({ maxEntries });
    const [keys, length] = [100, 20_000];
    // So long that the heap shows whether a few hundred are kept.
    const entryAt = (index: number) => entryOf(String(index).padEnd(length, 'x'), 1n, { windowMs: 1 });
    const before = heapUsed();
    for (let index = 0; index < keys; index += 1) {
      clock.time += passes;
      const entry = entryAt(index);
      await store.check(`${index}`, [entry]);
      if (isReverted) await takeBack(store, `${index}`, [entry.key]);
    }
    expect(heapUsed() - before).toBeLessThan((keys * length) / 2);
    // The store is still in use here, so the measurement included its contents.
    expect(await store.check('last', [entryAt(keys - 1)])).toMatchObject([{ total: isReverted ? 1n : 2n }]);
  });
});
