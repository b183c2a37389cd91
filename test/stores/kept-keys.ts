/** The contract of every store for `keep`, which stores a key before its first claim. */

import { ConfigurationError } from 'payments-client';
import type { Store } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

const mebibyte = 1024 * 1024;

/** Adds the tests to the surrounding suite. `untilForgotten` waits until a record with a retention of 1 ms is forgotten. */
export function describeKeptKeys(stores: () => readonly Store[], untilForgotten: () => Promise<void>): void {
  const firstStore = () => stores()[0] as Store;
  const listed = (key: string) => firstStore().open({ prefix: key, limit: 10 });

  describe('keep', () => {
    it('opens a new key, whose first claim is attempt 1 and returns the data', async () => {
      const key = freshKey();
      expect(await firstStore().keep(key, 'kept')).toBe(true);
      const [open, ...more] = await listed(key);
      expect(more).toEqual([]);
      expect(open).toEqual({ key, data: 'kept', attempt: 0, leased: 0, age: expect.any(Number) });
      expect(open?.age).toBeGreaterThanOrEqual(0);
      expect(open?.age).toBeLessThan(long);
      const { token, attempt, data } = claimOf(await firstStore().claim(key, long, { data: 'of the claim' }));
      expect([attempt, data]).toEqual([1, 'kept']);
      expect(await listed(key)).toMatchObject([{ key, data: 'kept', attempt: 1 }]);
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await listed(key)).toEqual([]);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'kept' });
    });

    it('does not change a key with data', async () => {
      const key = freshKey();
      expect(await firstStore().keep(key, 'first')).toBe(true);
      expect(await firstStore().keep(key, 'second')).toBe(false);
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(await firstStore().keep(key, 'third')).toBe(false);
      expect(await listed(key)).toMatchObject([{ data: 'first', attempt: 1 }]);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress', data: 'first' });
      expect(await firstStore().release(key, token)).toBe(true);
      expect(await firstStore().keep(key, 'fourth')).toBe(false);
      expect(claimOf(await firstStore().claim(key, long))).toMatchObject({ attempt: 2, data: 'first' });
    });

    it('keeps the empty text as data', async () => {
      const key = freshKey();
      expect(await firstStore().keep(key, '')).toBe(true);
      expect(await firstStore().keep(key, 'other')).toBe(false);
      expect(await listed(key)).toMatchObject([{ data: '' }]);
    });

    it('adds data to a claim without data, and changes nothing else', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(await firstStore().keep(key, 'late')).toBe(true);
      const [open] = await listed(key);
      expect(open).toMatchObject({ data: 'late', attempt: 1 });
      expect(open?.leased).toBeGreaterThan(long / 2);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress', data: 'late' });
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().keep(key, 'too late')).toBe(false);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed', data: 'late' });
    });

    it('adds data to an expired claim, which may still be completed', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, 1));
      await untilExpired(firstStore());
      expect(await firstStore().keep(key, 'late')).toBe(true);
      expect(await listed(key)).toMatchObject([{ data: 'late', attempt: 1, leased: 0 }]);
      expect(await firstStore().renew(key, token, 1)).toBe(true);
      await untilForgotten();
      expect(claimOf(await firstStore().claim(key, long))).toMatchObject({ attempt: 2, data: 'late' });
    });

    it('adds data to a released key', async () => {
      const key = freshKey();
      await firstStore().release(key, claimOf(await firstStore().claim(key, long)).token);
      expect(await firstStore().keep(key, 'late')).toBe(true);
      expect(await listed(key)).toMatchObject([{ data: 'late', attempt: 1, leased: 0 }]);
    });

    it('opens a key that was released with a retention, with its own data and attempts', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long, { data: 'sent' }));
      await firstStore().release(key, token, { data: 'refused', retention: long });
      expect(await firstStore().keep(key, 'new')).toBe(true);
      expect(await firstStore().keep(key, 'new')).toBe(false);
      expect(await listed(key)).toMatchObject([{ data: 'refused', attempt: 1, leased: 0 }]);
      expect(claimOf(await firstStore().claim(key, long))).toMatchObject({ attempt: 2, data: 'refused' });
    });

    it('remembers a key that was released with a retention, once it is kept', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      await firstStore().release(key, token, { retention: 1000 });
      expect(await firstStore().keep(key, 'new')).toBe(true);
      expect(await listed(key)).toMatchObject([{ data: 'new', attempt: 1 }]);
      const again = claimOf(await firstStore().claim(key, 1));
      await untilForgotten();
      expect(await listed(key)).toMatchObject([{ data: 'new', attempt: 2, leased: 0 }]);
      expect(await firstStore().complete(key, again.token, long)).toBe(true);
    });

    it('does not change a completed key, and treats it as new after its retention', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      await firstStore().complete(key, token, long);
      expect(await firstStore().keep(key, 'late')).toBe(false);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
      const other = freshKey();
      const first = claimOf(await firstStore().claim(other, long, { data: 'old' }));
      await firstStore().complete(other, first.token, 1);
      await untilExpired(firstStore());
      expect(await firstStore().keep(other, 'new')).toBe(true);
      expect(await listed(other)).toMatchObject([{ data: 'new', attempt: 0, leased: 0 }]);
      expect(await firstStore().complete(other, first.token, long)).toBe(false);
      expect(claimOf(await firstStore().claim(other, long))).toMatchObject({ attempt: 1, data: 'new' });
    });

    it('never forgets a kept key', async () => {
      const key = freshKey();
      await firstStore().keep(key, 'kept');
      await untilForgotten();
      expect(await listed(key)).toMatchObject([{ data: 'kept' }]);
    });

    it('keeps the data of one of many concurrent calls, and each claim returns it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = freshKey();
        const writers = Array.from({ length: 50 }, (_, index) => ({
          data: String(index),
          store: stores()[index % stores().length] ?? firstStore(),
        }));
        const results = await Promise.all(
          writers.map(async ({ data, store }, index) =>
            index % 10 === 9
              ? { claim: await store.claim(key, long, { data }) }
              : { data, isOpened: await store.keep(key, data) },
          ),
        );
        const openers = results.filter(({ isOpened }) => isOpened === true);
        const claims = results.flatMap(({ claim }) => claim ?? []);
        const kept = (await listed(key))[0]?.data;
        // An earlier claim already had data, so no call opened the key.
        expect(openers.length).toBeLessThanOrEqual(1);
        for (const { data } of openers) expect(data).toBe(kept);
        expect(claims.filter(({ status }) => status === 'claimed')).toHaveLength(1);
        expect(new Set(claims.map(({ data }) => data))).toEqual(new Set([kept]));
      }
    });

    it('loses no data when claims without data are completed', async () => {
      for (let round = 0; round < 10; round += 1) {
        const key = freshKey();
        const handle = async (store: Store) => {
          const claim = await store.claim(key, long);
          if (claim.status === 'claimed') await store.complete(key, claim.token, long);
        };
        await Promise.all(stores().flatMap((store) => [store.keep(key, 'kept'), handle(store)]));
        const end = await firstStore().claim(key, long);
        if (end.status !== 'completed') expect(await listed(key)).toMatchObject([{ data: 'kept' }]);
        else expect(await firstStore().keep(key, 'again')).toBe(false);
      }
    });

    it.each([
      ['', 'a', /^keep\.key: expected 1 to 512 characters/],
      ['evt\0', 'a', /^keep\.key: .+ got a string of 4 characters/],
      ['evt', 'a\0', /^keep\.data: expected well-formed Unicode without NUL, at most 1 MiB in UTF-8/],
      ['evt', 'x'.repeat(mebibyte + 1), /^keep\.data: .+ got a string of 1048577 characters/],
      ['evt', undefined, /^keep\.data: .+, got nothing/],
    ])('refuses the key %j with wrong arguments', async (key, data, message) => {
      const kept = firstStore().keep(key, anything(data));
      await expect(kept).rejects.toThrow(ConfigurationError);
      await expect(kept).rejects.toThrow(message);
    });

    it('refuses unknown options', async () => {
      const key = freshKey();
      await expect(firstStore().keep(key, 'a', anything({ client: {} }))).rejects.toThrow(/client: expected/);
      await expect(firstStore().keep(key, 'a', anything({ data: 'b' }))).rejects.toThrow(
        /^keep\.data: expected one of client/,
      );
      expect(await listed(key)).toEqual([]);
    });
  });
}
