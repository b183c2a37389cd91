/** The contract of every store for claims with data. */

import type { Store } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { openAt } from '../support/stores.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

const hostileData = [
  '',
  '{"amount":1200,"note":"it\'s \\"quoted\\"; DROP TABLE payments_claims; --"}',
  '\\x00 \\0 %s $1 {a}{b} null undefined false',
  ' leading, trailing, and line breaks \r\n\t\u0001\u007f ',
  'São Paulo 東京 🍵 👩‍👩‍👧 עברית \u2028\ufeff',
];

const mostData = 4 * 1024 * 1024;

type OpenClaims = Awaited<ReturnType<Store['open']>>['claims'];

const keysOf = (claims: OpenClaims) => claims.map(({ key }) => key);

/** Returns the pages of a space, each with the number of all open claims. */
async function pagesOf(store: Store, space: string, limit: number) {
  const pages = [await store.open({ space, limit })];
  for (;;) {
    const after = pages.at(-1)?.claims.at(-1);
    if (after === undefined) return pages;
    pages.push(await store.open({ space, limit, after }));
  }
}

/** Returns the open claims of a space, page by page. */
async function claimsOf(store: Store, space: string, limit = 1000): Promise<OpenClaims> {
  return (await pagesOf(store, space, limit)).flatMap(({ claims }) => claims);
}

/** The order of open claims: by age, and by the bytes of the key within a millisecond. */
function inOrder(claims: OpenClaims): OpenClaims {
  return claims.toSorted(
    (one, other) => one.since - other.since || Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)),
  );
}

/** Adds the tests to the surrounding suite. `untilForgotten` waits until a record with a retention of 1 ms is forgotten. */
export function describeOpenClaims(
  stores: () => readonly Store[],
  untilForgotten: () => Promise<void>,
): void {
  const firstStore = () => stores()[0] as Store;

  it('keeps data with a new key, and returns it to each claim', async () => {
    const key = freshKey();
    expect(claimOf(await firstStore().claim(key, 1, { data: 'first' })).data).toBe('first');
    await untilExpired(firstStore());
    const again = claimOf(await firstStore().claim(key, long, { data: 'second' }));
    expect(again).toMatchObject({ attempt: 2, data: 'first' });
    expect(await firstStore().claim(key, long, { data: 'third' })).toMatchObject({
      status: 'in_progress',
      data: 'first',
    });
    await firstStore().complete(key, again.token, long);
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'first' });
  });

  it('does not change a known key without data', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long));
    await firstStore().release(key, token);
    const again = claimOf(await firstStore().claim(key, long, { data: 'late' }));
    expect(again).toMatchObject({ attempt: 2, data: undefined });
    expect(await openAt(firstStore(), key)).toEqual([]);
  });

  it.each([undefined, 'new'])('forgets the data with the key, and accepts new data: %s', async (data) => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'old' }));
    await firstStore().complete(key, token, 1);
    await untilExpired(firstStore());
    expect(await firstStore().claim(key, long, { data })).toMatchObject({ attempt: 1, data });
    expect(keysOf(await openAt(firstStore(), key))).toEqual(data === undefined ? [] : [key]);
  });

  it('replaces data on completion and release', async () => {
    const key = freshKey();
    const first = claimOf(await firstStore().claim(key, long, { data: '1' }));
    expect(await firstStore().release(key, first.token, { data: '2' })).toBe(true);
    const second = claimOf(await firstStore().claim(key, long));
    expect(second.data).toBe('2');
    expect(await firstStore().complete(key, second.token, long, { data: '' })).toBe(true);
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: '' });
    expect(await firstStore().complete(key, second.token, 1, { data: '4' })).toBe(true);
    await untilExpired(firstStore());
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: '4' });
  });

  it('opens a claim that is released with its first data', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long));
    await firstStore().release(key, token, { data: 'late' });
    expect(await openAt(firstStore(), key)).toMatchObject([{ key, data: 'late', attempt: 1, leased: 0 }]);
    expect(await firstStore().claim(key, long)).toMatchObject({ attempt: 2, data: 'late' });
  });

  it('remembers a key that is released with a retention, and lists it once it is claimed again', async () => {
    const key = freshKey();
    const listed = () => openAt(firstStore(), key);
    const first = claimOf(await firstStore().claim(key, long, { data: 'sent' }));
    expect(await firstStore().release(key, first.token, { data: 'refused', retention: long })).toBe(true);
    expect(await listed()).toEqual([]);
    expect(await firstStore().complete(key, first.token, long)).toBe(false);
    expect(await firstStore().renew(key, first.token, long)).toBe(false);
    const second = claimOf(await firstStore().claim(key, 1, { data: 'of another' }));
    expect(second).toMatchObject({ attempt: 2, data: 'refused' });
    expect(await listed()).toMatchObject([{ key, data: 'refused', attempt: 2 }]);
    await untilForgotten();
    expect(await listed()).toMatchObject([{ key, data: 'refused', attempt: 2, leased: 0 }]);
    expect(await firstStore().release(key, second.token)).toBe(true);
    expect(await listed()).toMatchObject([{ key, data: 'refused', attempt: 2 }]);
    expect(await firstStore().claim(key, long)).toMatchObject({ attempt: 3, data: 'refused' });
  });

  it('forgets a key that is released with a retention after it', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'old' }));
    await firstStore().release(key, token, { retention: 1 });
    await untilForgotten();
    expect(await openAt(firstStore(), key)).toEqual([]);
    expect(await firstStore().claim(key, long, { data: 'new' })).toMatchObject({ attempt: 1, data: 'new' });
    expect(await openAt(firstStore(), key)).toMatchObject([{ key, data: 'new', attempt: 1 }]);
  });

  it('completes a key that was released with a retention and claimed again', async () => {
    const key = freshKey();
    const first = claimOf(await firstStore().claim(key, long, { data: 'a' }));
    await firstStore().release(key, first.token, { retention: long });
    const { token } = claimOf(await firstStore().claim(key, long));
    expect(await firstStore().complete(key, token, long)).toBe(true);
    expect(await firstStore().release(key, token, { retention: 1 })).toBe(false);
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'a' });
  });

  it('completes a claim with data for the first time', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long));
    await firstStore().complete(key, token, long, { data: 'late' });
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'late' });
    expect(await openAt(firstStore(), key)).toEqual([]);
  });

  it('changes no data for another token', async () => {
    const key = freshKey();
    const stale = claimOf(await firstStore().claim(key, 1, { data: 'mine' }));
    await untilExpired(firstStore());
    const { token } = claimOf(await firstStore().claim(key, long));
    expect(await firstStore().complete(key, stale.token, long, { data: 'stale' })).toBe(false);
    expect(await firstStore().release(key, stale.token, { data: 'stale' })).toBe(false);
    await firstStore().complete(key, token, long);
    expect(await firstStore().release(key, token, { data: 'late' })).toBe(false);
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'mine' });
  });

  it('keeps hostile data, and 4 MiB of it', async () => {
    for (const data of [...hostileData, '🍵'.repeat(mostData / 4)]) {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long, { data }));
      const [open] = await openAt(firstStore(), key);
      expect(open?.data === data).toBe(true);
      await firstStore().complete(key, token, long, { data: `${data.slice(0, -2)}!` });
      const after = await firstStore().claim(key, long);
      expect(after.data === `${data.slice(0, -2)}!`).toBe(true);
    }
  });

  it('lists open claims with the remaining lease, the first claim and the age', async () => {
    const space = freshKey();
    const at = (name: string) => `${space}/${name}`;
    const held = claimOf(await firstStore().claim(at('held'), long, { data: 'h' }));
    await firstStore().claim(at('lapsed'), 1, { data: 'l' });
    const freed = claimOf(await firstStore().claim(at('released'), long, { data: 'r' }));
    await firstStore().release(at('released'), freed.token);
    await firstStore().claim(at('without data'), long);
    const done = claimOf(await firstStore().claim(at('completed'), long, { data: 'c' }));
    await firstStore().complete(at('completed'), done.token, long);
    await untilExpired(firstStore());

    const { claims, count } = await firstStore().open({ space, limit: 10 });
    expect(count).toBe(3);
    const byKey = claims.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    expect(byKey.map(({ key, data, attempt }) => ({ key, data, attempt }))).toEqual([
      { key: at('held'), data: 'h', attempt: 1 },
      { key: at('lapsed'), data: 'l', attempt: 1 },
      { key: at('released'), data: 'r', attempt: 1 },
    ]);
    const [first, ...others] = byKey;
    expect(first?.leased).toBeGreaterThan(long / 2);
    expect(first?.leased).toBeLessThanOrEqual(long);
    expect(others.map(({ leased }) => leased)).toEqual([0, 0]);
    for (const { age, leased, since } of claims) {
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(long);
      expect([age, leased, since].every(Number.isInteger)).toBe(true);
    }
    await firstStore().complete(at('held'), held.token, long);
    expect(keysOf(await claimsOf(firstStore(), space))).not.toContain(at('held'));
    expect((await firstStore().open({ space, limit: 1 })).count).toBe(2);
  });

  it('lists the oldest first, then by code point, page by page, and counts all', async () => {
    const space = freshKey();
    // Lower case sorts after all upper case, and an emoji after the last letter of the basic plane.
    const ends = ['', ' ', '10', '9', 'A', 'B', 'Z', 'a', 'b', 'é', '東', '\uffdc', '🍵', '🍵🍵'];
    const keys = ['first', 'second'].flatMap((round) => ends.map((end) => `${space}/${round}${end}`));
    const claimAll = (names: readonly string[]) =>
      Promise.all(names.map((key) => firstStore().claim(key, long, { data: key })));
    await claimAll(keys.slice(0, ends.length).toReversed());
    await untilExpired(firstStore());
    await claimAll(keys.slice(ends.length).toReversed());
    const all = await claimsOf(firstStore(), space);
    expect(keysOf(all).toSorted()).toEqual(keys.toSorted());
    expect(keysOf(all)).toEqual(keysOf(inOrder(all)));
    expect(all.slice(0, ends.length).every(({ key }) => key.startsWith(`${space}/first`))).toBe(true);
    for (const limit of [1, 3, ends.length, 1000]) {
      const pages = await pagesOf(firstStore(), space, limit);
      expect(pages.flatMap(({ claims }) => keysOf(claims))).toEqual(keysOf(all));
      expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([keys.length]));
    }
    const [first, second] = all;
    const [before, after] = [
      { since: 0, key: 'a' },
      { since: Number.MAX_SAFE_INTEGER, key: 'a' },
    ];
    expect(await firstStore().open({ space, after: before, limit: 1 })).toMatchObject({
      claims: [{ key: first?.key, since: first?.since }],
    });
    expect(await firstStore().open({ space, after, limit: 1 })).toEqual({ claims: [], count: keys.length });
    const between = { since: first?.since ?? 0, key: `${first?.key}\u0001` };
    const [next] = (await firstStore().open({ space, after: between, limit: 1 })).claims;
    expect(next?.key).toBe(second?.key);
  });

  it('goes on after a claim that is no longer open', async () => {
    const space = freshKey();
    const tokens = new Map<string, string>();
    for (const name of ['a', 'b', 'c', 'd']) {
      const key = `${space}/${name}`;
      tokens.set(key, claimOf(await firstStore().claim(key, long, { data: name })).token);
    }
    const { claims } = await firstStore().open({ space, limit: 2 });
    for (const { key } of claims) await firstStore().complete(key, tokens.get(key) ?? '', long);
    const rest = await firstStore().open({ space, after: claims.at(-1), limit: 10 });
    expect([...keysOf(claims), ...keysOf(rest.claims)].toSorted()).toEqual([...tokens.keys()]);
    expect(rest.count).toBe(2);
  });

  it('lists a key that is opened late where its first claim belongs', async () => {
    const space = freshKey();
    const [early, later] = [`${space}/z early`, `${space}/later`];
    const { token } = claimOf(await firstStore().claim(early, long));
    await untilExpired(firstStore());
    await firstStore().claim(later, long, { data: 'b' });
    expect(await firstStore().open({ space, limit: 10 })).toMatchObject({ count: 1 });
    await firstStore().release(early, token, { data: 'a' });
    expect(keysOf(await claimsOf(firstStore(), space))).toEqual([early, later]);
    const [first, second] = await claimsOf(firstStore(), space);
    expect(first?.since).toBeLessThan(second?.since ?? 0);
    // Further claims change neither its place nor its age.
    for (const end of [{ data: 'c' }, { retention: long }]) {
      const again = claimOf(await firstStore().claim(early, long));
      await firstStore().release(early, again.token, end);
    }
    await firstStore().claim(early, long);
    expect(await claimsOf(firstStore(), space)).toMatchObject([{ key: early, since: first?.since }, {}]);
  });

  it('lists only the keys of one space: what is before the first slash', async () => {
    const own = freshKey();
    const spaces = ['', '%', '_', '*', '?', '[a]', '\\', "'", '"', '$1', '{a}', '(', '.x', ' ', '\u{10ffff}'];
    const ends = ['', '/', '/a', '/a/b', '//'];
    for (const space of spaces) {
      for (const end of ends) await firstStore().claim(`${own}${space}${end}`, long, { data: end });
    }
    for (const space of spaces) {
      const claims = await claimsOf(firstStore(), own + space);
      expect(keysOf(claims).toSorted()).toEqual(ends.map((end) => `${own}${space}${end}`).toSorted());
    }
    const nameless = `/${own}`;
    const { count } = await firstStore().open({ space: '', limit: 1 });
    const { token } = claimOf(await firstStore().claim(nameless, long, { data: 'of the nameless space' }));
    expect((await firstStore().open({ space: '', limit: 1 })).count).toBe(count + 1);
    await firstStore().complete(nameless, token, long);
    expect((await firstStore().open({ space: '', limit: 1 })).count).toBe(count);
  });

  it('returns the open claim of one key', async () => {
    const space = freshKey();
    const key = `${space}/a`;
    expect(await firstStore().open({ key })).toEqual({ claims: [], count: 0 });
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'a' }));
    await firstStore().claim(`${key}b`, long, { data: 'of another' });
    const [listed] = await claimsOf(firstStore(), space);
    const found = await firstStore().open({ key });
    expect(found.count).toBe(1);
    expect(found.claims).toEqual([
      { ...listed, leased: expect.any(Number), age: expect.any(Number), key, data: 'a' },
    ]);
    await firstStore().release(key, token, { retention: long });
    expect(await firstStore().open({ key })).toEqual({ claims: [], count: 0 });
  });
}
