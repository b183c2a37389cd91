/** The contract of every store for counted attempts over time, compared with a model that keeps each attempt. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bySize } from '../support/size.ts';
import type { VelocityEntry, VelocityStore } from '../support/stores.ts';
import { entryOf, freshKeys } from './counted-attempts.ts';

type VelocityTotal = Awaited<ReturnType<VelocityStore['check']>>[number];

/** A store with a clock that the test sets. */
export interface TimedStore {
  readonly store: VelocityStore;
  /** In ms since 1970; never decreases. */
  setTime(now: number): void | Promise<void>;
  /** Returns how many buckets are kept under a key. */
  bucketsOf?(key: string): number | Promise<number>;
}

/** Returns when an attempt stops counting. */
type EndOf = (at: number, windowMs: number) => number;

/** At the end of its 60th of the window, one window later. */
const atEndOfBucket: EndOf = (at, windowMs) => {
  const width = Math.ceil(windowMs / 60);
  return at - (at % width) + width - 1 + windowMs;
};

/** When it is as old as the window is long. */
export const exactly: EndOf = (at, windowMs) => at + windowMs;

interface Attempt {
  readonly key: string;
  readonly id: string;
  readonly amount: bigint;
  readonly end: number;
}

/** Keeps each attempt in a list. */
class Model {
  now = 0;
  readonly #endOf: EndOf;
  #attempts: readonly Attempt[] = [];

  constructor(endOf: EndOf) {
    this.#endOf = endOf;
  }

  check(id: string, entries: readonly VelocityEntry[]): VelocityTotal[] {
    const ends = (windowMs: number) => this.#endOf(this.now, windowMs);
    const taken = entries.filter(({ amount }) => amount === 0n).map(({ key }) => key);
    this.#attempts = this.#attempts.filter((attempt) => attempt.id !== id || !taken.includes(attempt.key));
    const judged = entries.map(({ key, amount, limit, windowMs, blocks }) => {
      const live = this.#attempts.filter((attempt) => attempt.key === key && attempt.end > this.now);
      const isNew = amount > 0n && live.every((attempt) => attempt.id !== id);
      const total = live.reduce((sum, attempt) => sum + attempt.amount, isNew ? amount : 0n);
      const freeAt = Math.min(...live.map(({ end }) => end), ends(windowMs));
      const attempt = isNew ? [{ key, id, amount, end: ends(windowMs) }] : [];
      return { total, exceeded: total > limit, freeAt, blocks, attempt };
    });
    if (!judged.some(({ blocks, exceeded }) => blocks && exceeded)) {
      this.#attempts = [...this.#attempts, ...judged.flatMap(({ attempt }) => attempt)];
    }
    return judged.map(({ total, exceeded, freeAt }) => ({ total, exceeded, freeAt }));
  }
}

/** The keys of a run, each with its rule's window. */
const windows = [1, 59, 100, 6000, 600_000];
const keyIndex = fc.nat(windows.length - 1);

const entry = fc.record({
  key: keyIndex,
  amount: fc.constantFrom(0n, 0n, 1n, 2n, 5n),
  limit: fc.bigInt({ min: 0n, max: 12n }),
  blocks: fc.boolean(),
});
const id = fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      id,
      entries: fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ passes: fc.constantFrom(1, 2, 58, 99, 100, 101, 1000, 6099, 600_000) }),
  },
);

const start = Date.UTC(2026, 0, 1);

/** Runs the suite. Calls `open` once. */
export function describeVelocityTime(
  name: string,
  isSkipped: boolean,
  open: () => Promise<TimedStore>,
  endOf: EndOf = atEndOfBucket,
): void {
  describe.skipIf(isSkipped)(`${name}, with a manual clock`, () => {
    let opened: Promise<TimedStore> | undefined;
    const timed = () => {
      opened ??= open();
      return opened;
    };
    let now = start;

    it('agrees with a model that keeps each attempt', { timeout: 120_000 }, async () => {
      const { store, setTime } = await timed();
      const steps = fc.array(step, { minLength: 5, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(steps, async (run) => {
          const model = new Model(endOf);
          const own = crypto.randomUUID();
          const keyAt = (index: number) => `${own}:${index}`;
          model.now = now;
          await setTime(now);
          for (const one of run) {
            if ('passes' in one) {
              now += one.passes;
              model.now = now;
              await setTime(now);
            } else {
              const entries = one.entries.map(({ key, ...more }) => ({
                ...more,
                key: keyAt(key),
                windowMs: windows[key] ?? 1,
              }));
              const expected = model.check(`${own} ${one.id}`, entries);
              expect(await store.check(`${own} ${one.id}`, entries)).toEqual(expected);
            }
          }
          now += 1_000_000;
        }),
        { numRuns: bySize({ short: 40, all: 150, long: 1000 }) },
      );
    });

    it('keeps its counts when a rule gets a longer or shorter window', async () => {
      const { store, setTime } = await timed();
      const { a } = freshKeys();
      const totalAt = async (time: number, windowMs: number) => {
        await setTime(now + time);
        const [total] = await store.check(crypto.randomUUID(), [entryOf(a, 1n, { windowMs })]);
        return total?.total;
      };
      expect(await totalAt(0, 60_000)).toBe(1n);
      expect(await totalAt(30_000, 6_000_000)).toBe(2n);
      expect(await totalAt(100_000, 6_000_000)).toBe(3n);
      expect(await totalAt(400_000, 1000)).toBe(1n);
      now += 400_000;
    });

    it('remembers an attempt for the longest of its windows', async () => {
      const { store, setTime } = await timed();
      const { a, b } = freshKeys();
      await setTime(now);
      await store.check(a, [entryOf(a)]);
      await store.check(a, [entryOf(b, 1n, { windowMs: 1 })]);
      now += 1000;
      await setTime(now);
      await store.check(b, [entryOf(b)]);
      expect(await store.check(a, [entryOf(a)])).toMatchObject([{ total: 1n }]);
    });

    it('keeps no more than 61 buckets, however many attempts there are', { timeout: 60_000 }, async () => {
      const { store, setTime, bucketsOf } = await timed();
      if (bucketsOf === undefined) return;
      const { a } = freshKeys();
      const windowMs = 600_000;
      let most = 0;
      for (let index = 0; index < 400; index += 1) {
        now += 4999;
        await setTime(now);
        await store.check(`${a} ${index}`, [entryOf(a, 1n, { windowMs })]);
        most = Math.max(most, await bucketsOf(a));
      }
      expect(most).toBeGreaterThanOrEqual(60);
      expect(most).toBeLessThanOrEqual(61);
      const [last] = await store.check(`${a} last`, [entryOf(a, 1n, { windowMs })]);
      expect(Number(last?.total)).toBeGreaterThan(120);
    });
  });
}
