/** The contract of every store for claims with data. */

import { ConfigurationError } from 'payments-client';
import type { Store } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

const hostileData = [
  '',
  '{"amount":1200,"note":"it\'s \\"quoted\\"; DROP TABLE payments_claims; --"}',
  '\\x00 \\0 %s $1 {a}{b} null undefined false',
  ' leading, trailing, and line breaks \r\n\t\u0001\u007f ',
  'São Paulo 東京 🍵 👩‍👩‍👧 עברית \u2028\ufeff',
];

const mebibyte = 1024 * 1024;

const keysOf = (page: Awaited<ReturnType<Store['open']>>) => page.map(({ key }) => key);

/** Returns all keys with a prefix, page by page. */
async function keysByPage(store: Store, prefix: string, limit: number): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const page = await store.open({ prefix, limit, after: keys.at(-1) });
    keys.push(...keysOf(page));
    if (page.length < limit) return keys;
  }
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
    expect(await firstStore().open({ prefix: key, limit: 10 })).toEqual([]);
  });

  it('accepts new data for a forgotten key', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'old' }));
    await firstStore().complete(key, token, 1);
    await untilExpired(firstStore());
    expect(await firstStore().claim(key, long, { data: 'new' })).toMatchObject({ attempt: 1, data: 'new' });
    expect(keysOf(await firstStore().open({ prefix: key, limit: 10 }))).toEqual([key]);
  });

  it('forgets the data with the key', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'old' }));
    await firstStore().complete(key, token, 1);
    await untilExpired(firstStore());
    expect(await firstStore().claim(key, long)).toMatchObject({ attempt: 1, data: undefined });
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
    expect(await firstStore().open({ prefix: key, limit: 10 })).toMatchObject([
      { key, data: 'late', attempt: 1, leased: 0 },
    ]);
    expect(await firstStore().claim(key, long)).toMatchObject({ attempt: 2, data: 'late' });
  });

  it('remembers a key that is released with a retention, and lists it once it is claimed again', async () => {
    const key = freshKey();
    const listed = () => firstStore().open({ prefix: key, limit: 10 });
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
    expect(await firstStore().open({ prefix: key, limit: 10 })).toEqual([]);
    expect(await firstStore().claim(key, long, { data: 'new' })).toMatchObject({ attempt: 1, data: 'new' });
    expect(await firstStore().open({ prefix: key, limit: 10 })).toMatchObject([
      { key, data: 'new', attempt: 1 },
    ]);
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

  it('grants a key released with a retention to one of many concurrent callers', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long, { data: 'a' }));
      await firstStore().release(key, token, { retention: long });
      const claims = Array.from({ length: 10 }, () => stores().map((store) => store.claim(key, long)));
      const results = await Promise.all(claims.flat());
      const [winners, others] = [
        results.filter(({ status }) => status === 'claimed'),
        results.filter(({ status }) => status === 'in_progress'),
      ];
      expect(winners).toMatchObject([{ attempt: 2, data: 'a' }]);
      expect(others).toHaveLength(results.length - 1);
    }
  });

  it('completes a claim with data for the first time', async () => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long));
    await firstStore().complete(key, token, long, { data: 'late' });
    expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'late' });
    expect(await firstStore().open({ prefix: key, limit: 10 })).toEqual([]);
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

  it('keeps hostile data, and 1 MiB of it', async () => {
    for (const data of [...hostileData, 'x'.repeat(mebibyte), '🍵'.repeat(mebibyte / 4)]) {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long, { data }));
      const [open] = await firstStore().open({ prefix: key, limit: 1 });
      expect(open?.data === data).toBe(true);
      await firstStore().complete(key, token, long, { data: `${data.slice(0, -2)}!` });
      const after = await firstStore().claim(key, long);
      expect(after.data === `${data.slice(0, -2)}!`).toBe(true);
    }
  });

  it.each([
    ['NUL', 'a\0', 'got a string of 2 characters'],
    ['a lone surrogate', '\udf75', 'well-formed Unicode without NUL, at most 1 MiB in UTF-8'],
    ['more than 1 MiB', 'x'.repeat(mebibyte + 1), 'got a string of 1048577 characters'],
    ['more than 1 MiB of multi-byte letters', '東'.repeat(400_000), 'got a string of 400000 characters'],
    ['a value that is not text', 5, 'got the number 5'],
  ])('refuses data with %s, and changes nothing', async (_what, data, message) => {
    const key = freshKey();
    const { token } = claimOf(await firstStore().claim(key, long, { data: 'kept' }));
    const options: object = { data };
    for (const [name, refused] of [
      ['claim', firstStore().claim(freshKey(), long, options)],
      ['complete', firstStore().complete(key, token, long, options)],
      ['release', firstStore().release(key, token, options)],
    ] as const) {
      const failure: unknown = await refused.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ConfigurationError);
      expect(String(failure)).toContain(`${name}.data: expected`);
      expect(String(failure)).toContain(message);
    }
    expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress', data: 'kept' });
  });

  it('grants a key to one of many concurrent callers, with its data', async () => {
    for (let round = 0; round < 10; round += 1) {
      const key = freshKey();
      const claims = Array.from({ length: 10 }, (_, index) =>
        stores().map((store, of) => store.claim(key, long, { data: `${of} ${index}` })),
      );
      const results = await Promise.all(claims.flat());
      expect(results.filter(({ status }) => status === 'claimed')).toHaveLength(1);
      expect(new Set(results.map(({ data }) => data)).size).toBe(1);
    }
  });

  it('lists open claims with the remaining lease and the age', async () => {
    const prefix = freshKey();
    const held = claimOf(await firstStore().claim(`${prefix} held`, long, { data: 'h' }));
    await firstStore().claim(`${prefix} lapsed`, 1, { data: 'l' });
    const freed = claimOf(await firstStore().claim(`${prefix} released`, long, { data: 'r' }));
    await firstStore().release(`${prefix} released`, freed.token);
    await firstStore().claim(`${prefix} without data`, long);
    const done = claimOf(await firstStore().claim(`${prefix} completed`, long, { data: 'c' }));
    await firstStore().complete(`${prefix} completed`, done.token, long);
    await untilExpired(firstStore());

    const page = await firstStore().open({ prefix, limit: 10 });
    expect(page.map(({ key, data, attempt }) => ({ key, data, attempt }))).toEqual([
      { key: `${prefix} held`, data: 'h', attempt: 1 },
      { key: `${prefix} lapsed`, data: 'l', attempt: 1 },
      { key: `${prefix} released`, data: 'r', attempt: 1 },
    ]);
    const [first, ...others] = page;
    expect(first?.leased).toBeGreaterThan(long / 2);
    expect(first?.leased).toBeLessThanOrEqual(long);
    expect(others.map(({ leased }) => leased)).toEqual([0, 0]);
    for (const { age, leased } of page) {
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(long);
      expect([Number.isInteger(age), Number.isInteger(leased)]).toEqual([true, true]);
    }
    await firstStore().complete(`${prefix} held`, held.token, long);
    expect(keysOf(await firstStore().open({ prefix, limit: 1 }))).toEqual([`${prefix} lapsed`]);
  });

  it('lists open claims by the code points of their keys, page by page', async () => {
    const prefix = freshKey();
    // Lower case sorts after all upper case, and an emoji after the last letter of the basic plane.
    const ends = ['', ' ', '10', '9', 'A', 'B', 'Z', 'a', 'b', 'é', '東', '\uffdc', '🍵', '🍵🍵'];
    const keys = ends.map((end) => prefix + end);
    for (const key of keys.toReversed()) await firstStore().claim(key, long, { data: key });
    await firstStore().claim(`${prefix.slice(0, -1)}~`, long, { data: 'of another prefix' });
    for (const limit of [1, 3, ends.length, 1000]) {
      expect(await keysByPage(firstStore(), prefix, limit)).toEqual(keys);
    }
    expect(keysOf(await firstStore().open({ prefix: `${prefix}🍵`, limit: 10 }))).toEqual(keys.slice(-2));
    expect(keysOf(await firstStore().open({ prefix: '', after: keys.at(-3), limit: 2 }))).toEqual(
      keys.slice(-2),
    );
    // The start of a page may be before the prefix, or after all keys with it.
    expect(keysOf(await firstStore().open({ prefix, after: ' ', limit: 2 }))).toEqual(keys.slice(0, 2));
    expect(await firstStore().open({ prefix, after: `${prefix}\u{10ffff}`, limit: 10 })).toEqual([]);
  });

  it('reads a prefix literally', async () => {
    const own = freshKey();
    const ends = ['%', '_', '*', '?', '[a]', '\\', "'", '"', '$1', '{a}', '(', '\u{10ffff}'];
    for (const end of ends) await firstStore().claim(`${own}${end}1`, long, { data: end });
    for (const end of ends) {
      expect(keysOf(await firstStore().open({ prefix: `${own}${end}`, limit: 10 }))).toEqual([
        `${own}${end}1`,
      ]);
    }
  });

  it.each([
    [{ prefix: 'a\0', limit: 1 }, 'open.prefix: expected 0 to 512 characters of well-formed Unicode'],
    [{ prefix: 'x'.repeat(513), limit: 1 }, 'open.prefix: expected 0 to 512 characters'],
    [{ prefix: '', after: '', limit: 1 }, 'open.after: expected 1 to 512 characters'],
    [{ prefix: '', limit: 0 }, 'open.limit: expected an integer from 1 to 1000'],
    [{ prefix: '', limit: 1001 }, 'open.limit: expected an integer from 1 to 1000'],
    [{ limit: 1 }, 'open.prefix: expected'],
    [{ prefix: '', limit: 1, offset: 1 }, 'open.offset: expected one of prefix, after, limit'],
    [undefined, 'open: expected an object'],
  ])('refuses to list %j', async (query, message) => {
    const failure: unknown = await firstStore()
      .open(anything(query))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigurationError);
    expect(String(failure)).toContain(message);
  });
}
