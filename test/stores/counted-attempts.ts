/** The contract of every store for the attempts of a velocity guard. */

import { VelocityGuard } from 'payments-client/fraud';
import { expect, it } from 'vitest';
import { takeBack, type VelocityStore } from '../support/stores.ts';

type VelocityEntry = Parameters<VelocityStore['check']>[1][number];

/** Longer than any test, so that nothing expires. */
export const windowMs = 3_600_000;

/** Returns an entry of an hour that allows everything by default. */
export const entryOf = (key: string, amount = 1n, more: Partial<VelocityEntry> = {}): VelocityEntry => ({
  key,
  amount,
  limit: 10n ** 18n,
  windowMs,
  blocks: false,
  ...more,
});

/** Rules against card testing: 3 attempts per card, 5 per IP address. */
export const cardAndAddress = [
  { name: 'card', per: 'card', counts: 'attempts', limit: 3, windowMs, action: 'block' },
  { name: 'ip', per: 'ip', counts: 'attempts', limit: 5, windowMs, action: 'block' },
] as const;

/** Returns keys that no other test uses. */
export function freshKeys() {
  const own = crypto.randomUUID();
  return { a: `rule:${own}:`, b: `rule:${own}:USD`, c: `other:${own}:EUR` };
}

/** Adds the tests to the surrounding suite. */
export function describeCountedAttempts(stores: () => readonly VelocityStore[]): void {
  const firstStore = () => {
    const [first] = stores();
    if (first === undefined) throw new Error('expected a store');
    return first;
  };
  const totalsOf = async (id: string, entries: readonly VelocityEntry[]) =>
    (await firstStore().check(id, entries)).map(({ total }) => total);
  /** Returns the present counts of keys. */
  const countedAt = (...keys: readonly string[]) =>
    totalsOf(
      crypto.randomUUID(),
      keys.map((key) => entryOf(key, 0n)),
    );

  it('counts an attempt under all its entries, and returns their totals in order', async () => {
    const { a, b, c } = freshKeys();
    expect(await totalsOf('1', [entryOf(b, 5n), entryOf(a, 7n)])).toEqual([5n, 7n]);
    expect(await totalsOf('2', [entryOf(a, 3n), entryOf(c), entryOf(b)])).toEqual([10n, 1n, 6n]);
    expect(await totalsOf('3', [])).toEqual([]);
    expect(await countedAt(a, b, c)).toEqual([10n, 6n, 1n]);
  });

  it('reports exceeded limits, and counts the attempt unless one blocks', async () => {
    const { a, b } = freshKeys();
    const entries = [entryOf(a, 2n, { limit: 3n }), entryOf(b)];
    expect(await firstStore().check('1', entries)).toMatchObject([
      { total: 2n, exceeded: false },
      { total: 1n, exceeded: false },
    ]);
    expect(await firstStore().check('2', entries)).toMatchObject([
      { total: 4n, exceeded: true },
      { total: 2n, exceeded: false },
    ]);
    expect(await countedAt(a, b)).toEqual([4n, 2n]);
  });

  it('counts a blocked attempt under no key, whichever limit blocks', async () => {
    const { a, b, c } = freshKeys();
    const blocking = entryOf(b, 1n, { limit: 1n, blocks: true });
    await firstStore().check('1', [blocking]);
    const blocked = [entryOf(a), blocking, entryOf(c, 1n, { limit: 0n })];
    expect(await firstStore().check('2', blocked)).toMatchObject([
      { total: 1n, exceeded: false },
      { total: 2n, exceeded: true },
      { total: 1n, exceeded: true },
    ]);
    expect(await countedAt(a, b, c)).toEqual([0n, 1n, 0n]);
    await takeBack(firstStore(), '2', [a, b, c]);
    expect(await countedAt(a, b, c)).toEqual([0n, 1n, 0n]);
  });

  it('counts a repeated attempt once, and under new keys', async () => {
    const { a, b } = freshKeys();
    const limited = entryOf(a, 5n, { limit: 5n, blocks: true });
    await firstStore().check('1', [limited]);
    expect(await firstStore().check('1', [limited, entryOf(b, 2n)])).toMatchObject([
      { total: 5n, exceeded: false },
      { total: 2n, exceeded: false },
    ]);
    expect(await firstStore().check('2', [limited])).toMatchObject([{ total: 10n, exceeded: true }]);
    expect(await countedAt(a, b)).toEqual([5n, 2n]);
  });

  it('reverts an attempt for some of its keys, once', async () => {
    const { a, b, c } = freshKeys();
    await firstStore().check('1', [entryOf(a, 5n), entryOf(b, 7n), entryOf(c)]);
    await firstStore().check('2', [entryOf(a, 3n), entryOf(b, 2n)]);
    for (const store of stores()) await takeBack(store, '1', [a, c]);
    expect(await countedAt(a, b, c)).toEqual([3n, 9n, 0n]);
    await takeBack(firstStore(), '1', [a, b, c]);
    await takeBack(firstStore(), '1', []);
    await takeBack(firstStore(), 'nothing', [a, b]);
    expect(await countedAt(a, b, c)).toEqual([3n, 2n, 0n]);
    expect(await totalsOf('1', [entryOf(a, 5n), entryOf(c)])).toEqual([8n, 1n]);
  });

  it('reverts an attempt once for concurrent calls', async () => {
    const { a, b } = freshKeys();
    await firstStore().check('1', [entryOf(a, 5n), entryOf(b, 7n)]);
    await firstStore().check('2', [entryOf(a, 5n), entryOf(b, 7n)]);
    const same = stores().flatMap((store) => [store, store, store]);
    await Promise.all(same.map((store, index) => takeBack(store, '1', index % 2 === 0 ? [a, b] : [b, a])));
    expect(await countedAt(a, b)).toEqual([5n, 7n]);
  });

  it('is exact above the safe integers', async () => {
    const { a } = freshKeys();
    const large = 9_007_199_254_740_993n;
    const limited = (amount: bigint) => [entryOf(a, amount, { limit: 2n * large, blocks: true })];
    expect(await firstStore().check('1', limited(large))).toMatchObject([{ total: large }]);
    expect(await firstStore().check('2', limited(large + 1n))).toMatchObject([
      { total: 2n * large + 1n, exceeded: true },
    ]);
    expect(await firstStore().check('3', limited(large))).toMatchObject([
      { total: 2n * large, exceeded: false },
    ]);
    await takeBack(firstStore(), '1', [a]);
    expect(await countedAt(a)).toEqual([large]);
  });

  it('checks an amount of zero, and adds nothing', async () => {
    const { a } = freshKeys();
    const nothing = entryOf(a, 0n, { limit: 1n, blocks: true });
    expect(await firstStore().check('1', [nothing])).toMatchObject([{ total: 0n, exceeded: false }]);
    await takeBack(firstStore(), '1', [a]);
    await firstStore().check('2', [entryOf(a, 2n)]);
    expect(await firstStore().check('1', [nothing])).toMatchObject([{ total: 2n, exceeded: true }]);
  });

  it('separates similar keys and ids', async () => {
    const { a } = freshKeys();
    const alike = [
      '1',
      '01',
      'sum',
      'attempt 1',
      '__proto__',
      'constructor',
      "it's",
      '"',
      '{a}',
      '%',
      '}',
      '\\',
    ];
    for (const text of alike) {
      expect(await totalsOf(`${a}${text}`, [entryOf(`${a}${text}`), entryOf(a)])).toMatchObject([
        1n,
        BigInt(alike.indexOf(text) + 1),
      ]);
    }
    for (const text of alike) await takeBack(firstStore(), `${a}${text}`, [`${a}${text}`]);
    expect(await countedAt(...alike.map((text) => a + text), a)).toEqual([
      ...alike.map(() => 0n),
      BigInt(alike.length),
    ]);
  });

  it('serializes concurrent attempts', async () => {
    const { a, b } = freshKeys();
    const attempts = Array.from({ length: 10 }, (_, index) =>
      stores().map(async (store, of) => {
        const entries = [entryOf(a, 2n), entryOf(b)];
        const id = `${a} ${of} ${index}`;
        // In either order, so that two calls could deadlock.
        const totals = await store.check(id, index % 2 === 0 ? entries : entries.toReversed());
        if (index % 3 === 0) await takeBack(store, id, index % 2 === 0 ? [b, a] : [a, b]);
        return totals;
      }),
    );
    expect(new Set((await Promise.all(attempts.flat())).map(({ length }) => length))).toEqual(new Set([2]));
    const left = BigInt(stores().length * 6);
    expect(await countedAt(a, b)).toEqual([2n * left, left]);
  });

  it('returns a different total to each concurrent attempt', async () => {
    const { a } = freshKeys();
    const all = Array.from({ length: 10 }, () => stores()).flat();
    const totals = await Promise.all(all.map((store, index) => store.check(`${a} ${index}`, [entryOf(a)])));
    const sorted = totals.map(([first]) => Number(first?.total)).sort((x, y) => x - y);
    expect(sorted).toEqual(all.map((_, index) => index + 1));
  });

  it('adds one attempt once for concurrent calls', async () => {
    const { a, b } = freshKeys();
    const same = stores().flatMap((store) => [store, store, store]);
    const entries = [entryOf(a, 5n), entryOf(b, 1n, { limit: 1n, blocks: true })];
    const totals = await Promise.all(same.map((store) => store.check('1', entries)));
    expect(totals.flat().filter(({ exceeded }) => exceeded)).toEqual([]);
    expect(await countedAt(a, b)).toEqual([5n, 1n]);
  });

  it('blocks a stolen card after 50 attempts, but not another card at the same address', async () => {
    const guards = stores().map(
      (store) => new VelocityGuard({ secret: 'the same in every process', rules: cardAndAddress, store }),
    );
    const guardAt = (index: number) => guards[index % guards.length] ?? guards[0];
    for (let round = 0; round < 4; round += 1) {
      const ip = crypto.randomUUID();
      const stolen = { card: { token: crypto.randomUUID() }, ip };
      const tries = Array.from({ length: 50 }, (_, index) => guardAt(index)?.check(stolen));
      const innocent = guardAt(round)?.check({ card: { token: crypto.randomUUID() }, ip });
      const more = Array.from({ length: 10 }, (_, index) => guardAt(index)?.check(stolen));
      const decisions = (await Promise.all([...tries, ...more])).map((verdict) => verdict?.decision);
      expect(decisions.filter((decision) => decision === 'allow')).toHaveLength(3);
      expect(await innocent).toMatchObject({ decision: 'allow', reasons: [] });
    }
  });
}
