/** The contract of every store for the attempts of a velocity guard, compared with a model that keeps each attempt. */

import fc from 'fast-check';
import { VelocityGuard } from 'payments-client/fraud';
import { expect, it } from 'vitest';
import { bySize } from '../support/size.ts';
import { takeBack, token, type VelocityEntry, type VelocityStore } from '../support/stores.ts';
import { start } from './time.ts';

/** Stores that share their counts, and their clock. */
export interface CountingStores {
  readonly stores: readonly [VelocityStore, ...VelocityStore[]];
  /** Sets the clock, in ms since 1970; it never goes back. */
  setTime(now: number): unknown;
  /** Returns how many buckets are kept under a key. */
  bucketsOf?(key: string): number | Promise<number>;
}

type VelocityTotal = Awaited<ReturnType<VelocityStore['check']>>[number];

const windowMs = 3_600_000;

/** Returns an entry of an hour that allows everything by default. */
export const entryOf = (key: string, amount = 1n, more: Partial<VelocityEntry> = {}): VelocityEntry => ({
  key,
  amount,
  limit: 10n ** 18n,
  windowMs,
  blocks: false,
  token,
  ...more,
});

/** Rules against card testing: 3 attempts per card, 5 per IP address. */
export const cardAndAddress = [
  { name: 'card', per: 'card', counts: 'attempts', limit: 3, windowMs, action: 'block' },
  { name: 'ip', per: 'ip', counts: 'attempts', limit: 5, windowMs, action: 'block' },
] as const;

/** Returns keys that no other test uses. */
function freshKeys() {
  const own = crypto.randomUUID();
  return { a: `rule:${own}:`, b: `rule:${own}:USD`, c: `other:${own}:EUR` };
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
  /** `undefined` once it has ended. */
  readonly id: string | undefined;
  readonly token: string;
  readonly amount: bigint;
  readonly end: number;
}

/** Keeps each attempt in a list. */
class Model {
  now = start;
  readonly #endOf: EndOf;
  #attempts: readonly Attempt[] = [];

  constructor(endOf: EndOf) {
    this.#endOf = endOf;
  }

  check(id: string, entries: readonly VelocityEntry[]): VelocityTotal[] {
    const ends = (windowMs: number) => this.#endOf(this.now, windowMs);
    const ending = entries.filter(({ amount }) => amount === 0n);
    this.#attempts = this.#attempts.flatMap((attempt) => {
      const { key, token } = attempt;
      const end = ending.find((one) => attempt.id === id && one.key === key && one.token === token);
      if (end === undefined) return [attempt];
      return end.keeps ? [{ ...attempt, id: undefined }] : [];
    });
    const judged = entries.map((entry) => {
      const { key, amount, limit, windowMs, blocks } = entry;
      const live = this.#attempts.filter((attempt) => attempt.key === key && attempt.end > this.now);
      const { token } = live.find((attempt) => attempt.id === id) ?? entry;
      const isNew = amount > 0n && live.every((attempt) => attempt.id !== id);
      const total = live.reduce((sum, attempt) => sum + attempt.amount, isNew ? amount : 0n);
      const freeAt = Math.min(...live.map(({ end }) => end), ends(windowMs));
      const attempt = isNew ? [{ key, id, token, amount, end: ends(windowMs) }] : [];
      return { total, exceeded: total > limit, freeAt, token, blocks, attempt };
    });
    if (!judged.some(({ blocks, exceeded }) => blocks && exceeded))
      this.#attempts = [...this.#attempts, ...judged.flatMap(({ attempt }) => attempt)];
    return judged.map(({ total, exceeded, freeAt, token }) => ({ total, exceeded, freeAt, token }));
  }
}

/** The keys of a run, each with its rule's window. */
const windows = [1, 59, 100, 6000, 600_000];
/** Some are above the safe integers. */
const amounts = [0n, 0n, 1n, 2n, 5n, 9_007_199_254_740_993n];

const entries = fc.uniqueArray(
  fc.record({
    key: fc.nat(windows.length - 1),
    amount: fc.constantFrom(...amounts),
    limit: fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.constant(2n * 9_007_199_254_740_993n)),
    blocks: fc.boolean(),
    token: fc.constantFrom('one', 'two'),
    keeps: fc.constantFrom(undefined, false, true),
  }),
  { selector: ({ key }) => key, maxLength: 4 },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id: fc.nat(7), store: fc.nat(5), entries }) },
  {
    weight: 2,
    arbitrary: fc.record({ passes: fc.constantFrom(1, 2, 58, 99, 100, 101, 1000, 6099, 600_000) }),
  },
);

/** Adds the tests to the surrounding suite. */
export function describeAttempts(opened: () => CountingStores, endOf = atEndOfBucket): void {
  const store = () => opened().stores[0];
  const totalsOf = async (id: string, entries: readonly VelocityEntry[]) =>
    (await store().check(id, entries)).map(({ total }) => total);
  /** Returns the present counts of keys. */
  const countedAt = (...keys: readonly string[]) =>
    totalsOf(
      crypto.randomUUID(),
      keys.map((key) => entryOf(key, 0n)),
    );
  /** Each store several times. */
  const many = () => opened().stores.flatMap((one) => [one, one, one]);
  /** Starts a property or a history after all others. */
  let now = start;
  const pass = (ms: number) => opened().setTime((now += ms));

  it('agrees with a model that keeps each attempt', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: bySize({ short: 30, all: 60 }) }),
      async (run) => {
        const model = new Model(endOf);
        const own = crypto.randomUUID();
        await pass(1_000_000);
        model.now = now;
        for (const one of run) {
          if ('passes' in one) {
            await pass(one.passes);
            model.now = now;
          } else {
            const [id, { stores }] = [`${own} ${one.id}`, opened()];
            const all = one.entries.map(({ key, ...more }) => ({
              ...more,
              key: `${own}:${key}`,
              windowMs: windows[key] ?? 1,
            }));
            const asked = stores[one.store % stores.length] ?? store();
            expect(await asked.check(id, all)).toEqual(model.check(id, all));
          }
        }
      },
    );
    await fc.assert(property, { numRuns: bySize({ short: 20, all: 100, long: 1000 }) });
  });

  it('counts an attempt under all its keys, and returns the totals in their order', async () => {
    const { a, b, c } = freshKeys();
    expect(await totalsOf('1', [entryOf(b, 5n), entryOf(a, 7n)])).toEqual([5n, 7n]);
    expect(await totalsOf('2', [entryOf(a, 3n), entryOf(c), entryOf(b)])).toEqual([10n, 1n, 6n]);
    expect(await totalsOf('3', [])).toEqual([]);
    expect(await countedAt(a, b, c)).toEqual([10n, 6n, 1n]);
  });

  it('counts an attempt that exceeds a limit, but under no key if one of its limits blocks', async () => {
    const { a, b, c } = freshKeys();
    const blocking = entryOf(b, 1n, { limit: 1n, blocks: true });
    await store().check('1', [blocking, entryOf(a, 2n, { limit: 1n })]);
    const blocked = [entryOf(a), blocking, entryOf(c, 1n, { limit: 0n })];
    expect(await store().check('2', blocked)).toMatchObject([
      { total: 3n, exceeded: false },
      { total: 2n, exceeded: true },
      { total: 1n, exceeded: true },
    ]);
    expect(await countedAt(a, b, c)).toEqual([2n, 1n, 0n]);
    await takeBack(store(), '2', [a, b, c]);
    expect(await countedAt(a, b, c)).toEqual([2n, 1n, 0n]);
  });

  it('counts a repeated attempt once, also if many stores repeat it at once', async () => {
    const { a, b } = freshKeys();
    const limited = [entryOf(a, 5n, { limit: 5n, blocks: true }), entryOf(b)];
    const totals = await Promise.all(many().map((one) => one.check('1', limited)));
    expect(totals.flat().filter(({ exceeded }) => exceeded)).toEqual([]);
    expect(await countedAt(a, b)).toEqual([5n, 1n]);
    expect(await store().check('2', limited)).toMatchObject([{ total: 10n, exceeded: true }, {}]);
  });

  it('takes an attempt back once, under the keys given, also if many stores do so at once', async () => {
    const { a, b, c } = freshKeys();
    await store().check('1', [entryOf(a, 5n), entryOf(b, 7n), entryOf(c)]);
    await store().check('2', [entryOf(a, 3n), entryOf(b, 2n)]);
    await Promise.all(many().map((one, index) => takeBack(one, '1', index % 2 === 0 ? [a, c] : [c, a])));
    expect(await countedAt(a, b, c)).toEqual([3n, 7n + 2n, 0n]);
    await takeBack(store(), 'unknown', [a, b]);
    expect(await totalsOf('1', [entryOf(a, 5n), entryOf(b, 7n), entryOf(c)])).toEqual([8n, 9n, 1n]);
  });

  it('ends an attempt, so that its id is counted anew, and keeps or takes back what it has added', async () => {
    const { a, b, c } = freshKeys();
    const ends = (key: string, more: Partial<VelocityEntry> = {}) => entryOf(key, 0n, more);
    await store().check('1', [entryOf(a, 5n), entryOf(b, 7n), entryOf(c, 9n)]);
    await Promise.all(
      many().map((one) => one.check('1', [ends(a, { keeps: true }), ends(b, { keeps: false })])),
    );
    expect(await countedAt(a, b, c)).toEqual([5n, 0n, 9n]);
    expect(await totalsOf('1', [entryOf(a, 5n), entryOf(b, 7n), entryOf(c, 9n)])).toEqual([10n, 7n, 9n]);
    expect(await countedAt(a, b, c)).toEqual([10n, 7n, 9n]);
  });

  it('ends no attempt by the token of an earlier one with its id, and returns that of a repeat', async () => {
    const { a, b } = freshKeys();
    const check = (key: string, token: string, amount = 1n) =>
      store().check('1', [entryOf(key, amount, { token })]);
    expect(await check(a, 'first')).toMatchObject([{ total: 1n, token: 'first' }]);
    expect(await check(a, 'second')).toMatchObject([{ total: 1n, token: 'first' }]);
    expect(await check(b, 'second')).toMatchObject([{ total: 1n, token: 'second' }]);
    expect(await check(a, 'second', 0n)).toMatchObject([{ total: 1n, token: 'first' }]);
    expect(await check(a, 'first', 0n)).toMatchObject([{ total: 0n, token: 'first' }]);
    expect(await check(a, 'third')).toMatchObject([{ total: 1n, token: 'third' }]);
    await check(a, 'first', 0n);
    expect(await countedAt(a, b)).toEqual([1n, 1n]);
  });

  it('gives each concurrent attempt a total of its own, and never deadlocks', async () => {
    const { a, b } = freshKeys();
    const all = many();
    const checked = await Promise.all(
      all.map(async (one, index) => {
        // In either order, so that two calls could deadlock.
        const order = <Item>(items: Item[]) => (index % 2 === 0 ? items : items.toReversed());
        const totals = await one.check(`${a} ${index}`, order([entryOf(a), entryOf(b, 2n)]));
        if (index % 3 === 0) await takeBack(one, `${a} ${index}`, order([b]));
        return order([...totals])[0]?.total;
      }),
    );
    expect(checked.toSorted((x, y) => Number(x) - Number(y))).toEqual(
      all.map((_, index) => BigInt(index + 1)),
    );
    expect(await countedAt(a, b)).toEqual([BigInt(all.length), BigInt((all.length / 3) * 4)]);
  });

  it('keeps its counts when a rule gets a longer or a shorter window', async () => {
    const { a } = freshKeys();
    const totalAfter = async (ms: number, windowMs: number) => {
      await pass(ms);
      return totalsOf(crypto.randomUUID(), [entryOf(a, 1n, { windowMs })]);
    };
    expect(await totalAfter(1_000_000, 60_000)).toEqual([1n]);
    expect(await totalAfter(30_000, 6_000_000)).toEqual([2n]);
    expect(await totalAfter(70_000, 6_000_000)).toEqual([3n]);
    expect(await totalAfter(300_000, 1000)).toEqual([1n]);
  });

  it('remembers an attempt for the longest of its windows', async () => {
    const { a, b } = freshKeys();
    await pass(1_000_000);
    await store().check(a, [entryOf(a)]);
    await store().check(a, [entryOf(b, 1n, { windowMs: 1 })]);
    await pass(1000);
    await store().check(b, [entryOf(b)]);
    expect(await totalsOf(a, [entryOf(a)])).toEqual([1n]);
  });

  it('keeps no more than 61 buckets of a key', async ({ skip }) => {
    const bucketsOf = opened().bucketsOf ?? skip('this store shows no buckets');
    const { a } = freshKeys();
    const counts = new Set<number>();
    for (let index = 0; index < 70; index += 1) {
      await pass(9999);
      await store().check(`${a} ${index}`, [entryOf(a, 1n, { windowMs: 600_000 })]);
      counts.add(await bucketsOf(a));
    }
    expect(Math.max(...counts)).toBe(61);
  });

  it('blocks a stolen card for all processes, but no other card at its address', async () => {
    const secret = 'the same in every process';
    const guards = many().map((one) => new VelocityGuard({ secret, rules: cardAndAddress, store: one }));
    const ip = crypto.randomUUID();
    const check = (guard: VelocityGuard, token: string) => guard.check({ card: { token }, ip });
    const stolen = crypto.randomUUID();
    const tries = await Promise.all([...guards, ...guards].map((guard) => check(guard, stolen)));
    expect(tries.filter(({ decision }) => decision === 'allow')).toHaveLength(3);
    const other = guards.slice(-1).map((guard) => check(guard, crypto.randomUUID()));
    expect(await Promise.all(other)).toMatchObject([{ decision: 'allow', reasons: [] }]);
  });
}
