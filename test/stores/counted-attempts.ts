/** What every store promises of the attempts that it counts for a velocity guard. */

import { VelocityGuard } from 'payments-client/fraud';
import type { VelocityEntry, VelocityStore } from 'payments-client/stores';
import { expect, it } from 'vitest';

/** Longer than any test, since a store may drop what is older than its window by its own clock. */
export const windowMs = 3_600_000;

/** An attempt at so many hundredths of a window. */
export const attemptAt = (key: string, id: string, hundredths = 0, amount = 0n): VelocityEntry => ({
  key,
  id,
  at: (hundredths * windowMs) / 100,
  amount,
  windowMs,
});

const hundredths = (number: number) => (number * windowMs) / 100;

/** Adds the tests to the suite that surrounds the call. `freshKeys` gives keys that no other test uses. */
export function describeCountedAttempts(stores: () => readonly VelocityStore[]): void {
  const one = () => stores()[0] as VelocityStore;
  const freshKeys = () => {
    const own = crypto.randomUUID();
    return { a: `rule:${own}:`, b: `rule:${own}:USD`, c: `other:${own}:EUR` };
  };

  it('counts the attempts of the window: totals for each, in their order', async () => {
    const { a, b } = freshKeys();
    expect(await one().countAttempts([attemptAt(a, '1', 0, 5n), attemptAt(b, '1', 0, 7n)])).toEqual([
      { count: 1, sum: 5n, oldestAt: 0, added: true },
      { count: 1, sum: 7n, oldestAt: 0, added: true },
    ]);
    expect(await one().countAttempts([attemptAt(a, '2', 99, 3n)])).toEqual([
      { count: 2, sum: 8n, oldestAt: 0, added: true },
    ]);
    expect(await one().countAttempts([attemptAt(a, '3', 100, 1n)])).toEqual([
      { count: 2, sum: 4n, oldestAt: hundredths(99), added: true },
    ]);
    expect(await one().countAttempts([])).toEqual([]);
  });

  it('keeps an attempt that is there as it is, until it is too old', async () => {
    const { a } = freshKeys();
    await one().countAttempts([attemptAt(a, '1', 0, 5n)]);
    expect(await one().countAttempts([attemptAt(a, '1', 99, 9n)])).toEqual([
      { count: 1, sum: 5n, oldestAt: 0, added: false },
    ]);
    expect(await one().countAttempts([attemptAt(a, '1', 100, 9n)])).toEqual([
      { count: 1, sum: 9n, oldestAt: hundredths(100), added: true },
    ]);
  });

  it('removes an attempt with its amount, and ignores one that is not there', async () => {
    const { a, b, c } = freshKeys();
    await one().countAttempts([attemptAt(a, '1', 0, 5n), attemptAt(b, '1', 0, 7n)]);
    await one().countAttempts([attemptAt(a, '2', 0, 3n)]);
    await one().removeAttempts([
      { key: a, id: '1' },
      { key: a, id: '2' },
      { key: a, id: '3' },
      { key: c, id: '1' },
    ]);
    await one().removeAttempts([]);
    const after = [attemptAt(a, '3', 1, 1n), attemptAt(b, '2', 1, 1n), attemptAt(c, '2', 1, 1n)];
    expect(await one().countAttempts(after)).toMatchObject([
      { count: 1, sum: 1n },
      { count: 2, sum: 8n },
      { count: 1, sum: 1n },
    ]);
  });

  it('finds the oldest where attempts come out of order', async () => {
    const { a } = freshKeys();
    await one().countAttempts([attemptAt(a, '1', 50)]);
    expect(await one().countAttempts([attemptAt(a, '2', 20)])).toMatchObject([
      { count: 2, oldestAt: hundredths(20) },
    ]);
  });

  it('sums up more than a number holds exactly', async () => {
    const { a } = freshKeys();
    const large = 9_007_199_254_740_993n;
    await one().countAttempts([attemptAt(a, '1', 0, large)]);
    expect(await one().countAttempts([attemptAt(a, '2', 0, 2n)])).toMatchObject([{ sum: large + 2n }]);
    await one().removeAttempts([{ key: a, id: '2' }]);
    expect(await one().countAttempts([attemptAt(a, '3', 0, 0n)])).toMatchObject([{ count: 2, sum: large }]);
  });

  it('keeps times of today exactly', async () => {
    const { a } = freshKeys();
    const at = 1_795_000_000_123;
    expect(await one().countAttempts([{ ...attemptAt(a, '1'), at }])).toMatchObject([{ oldestAt: at }]);
  });

  it('keeps keys and ids apart that look alike', async () => {
    const { a } = freshKeys();
    for (const id of ['1', '01', 'sum', 'id:1', '__proto__', "it's", '"', '{a}', '%']) {
      expect(await one().countAttempts([attemptAt(`${a}${id}`, id, 0, 1n)])).toMatchObject([
        { count: 1, sum: 1n, added: true },
      ]);
      expect(await one().countAttempts([attemptAt(a, id, 0, 1n)])).toMatchObject([{ added: true }]);
    }
    expect(await one().countAttempts([attemptAt(a, '2', 0, 1n)])).toMatchObject([{ count: 10, sum: 10n }]);
  });

  it('counts many at the same time one after the other', async () => {
    const { a, b } = freshKeys();
    const attempts = Array.from({ length: 10 }, (_, index) =>
      stores().map((store, of) => {
        const entries = [attemptAt(a, `${of} ${index}`, 0, 2n), attemptAt(b, `${of} ${index}`)];
        // In either order, so that two calls could wait for each other.
        return store.countAttempts(index % 2 === 0 ? entries : entries.reverse());
      }),
    );
    const totals = (await Promise.all(attempts.flat())).flat();
    const sums = totals.filter(({ sum }) => sum > 0n).map(({ sum }) => Number(sum));
    const steps = Array.from({ length: 10 * stores().length }, (_, index) => index + 1);
    expect(sums.sort((x, y) => x - y)).toEqual(steps.map((step) => 2 * step));
    const counts = totals.filter(({ sum }) => sum === 0n).map(({ count }) => count);
    expect(counts.sort((x, y) => x - y)).toEqual(steps);
  });

  it('adds one attempt once, however often it comes at the same time', async () => {
    const { a } = freshKeys();
    const same = stores().flatMap((store) => [store, store, store]);
    const totals = await Promise.all(same.map((store) => store.countAttempts([attemptAt(a, '1', 0, 5n)])));
    expect(totals.flat().filter(({ added }) => added)).toHaveLength(1);
    expect(new Set(totals.flat().map(({ count, sum }) => `${count} ${sum}`))).toEqual(new Set(['1 5']));
  });

  it('lets no attempt of many slip through a guard', async () => {
    const card = { token: crypto.randomUUID() };
    const rules = [
      { name: 'three', per: 'card', counts: 'attempts', limit: 3, windowMs, action: 'block' } as const,
    ];
    const guards = stores().map(
      (store) => new VelocityGuard({ secret: 'the same in every process', rules, store }),
    );
    const checks = Array.from({ length: 10 }, () => guards.map((guard) => guard.check({ card })));
    const verdicts = await Promise.all(checks.flat());
    expect(verdicts.filter(({ decision }) => decision === 'allow')).toHaveLength(3);
  });
}
