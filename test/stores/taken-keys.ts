/** The contract of every store for `take`, by which workers claim kept keys. */

import { ConfigurationError } from 'payments-client';
import type { Store, TakenClaim, TakeQuery } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

/** Adds the tests to the surrounding suite. */
export function describeTakenKeys(stores: () => readonly Store[]): void {
  const firstStore = () => stores()[0] as Store;
  const take = (prefix: string, query: Partial<TakeQuery> = {}, store = firstStore()) =>
    store.take({ prefix, limit: 10, lease: long, maxAttempts: 5, ...query });
  const keysOf = (taken: readonly TakenClaim[]) => taken.map(({ key }) => key).sort();

  /** Keeps keys with a common prefix that no other test uses. */
  async function kept(...names: string[]): Promise<string> {
    const prefix = `${freshKey()}/`;
    for (const name of names) await firstStore().keep(prefix + name, `data of ${name}`);
    return prefix;
  }

  describe('take', () => {
    it('claims kept keys as a claim does', async () => {
      const prefix = await kept('a');
      const taken = await take(prefix);
      const token = taken[0]?.token ?? '';
      expect(taken).toEqual([
        { status: 'claimed', key: `${prefix}a`, token: expect.any(String), attempt: 1, data: 'data of a' },
      ]);
      expect(await firstStore().claim(`${prefix}a`, long)).toMatchObject({ status: 'in_progress' });
      expect(await firstStore().renew(`${prefix}a`, token, long)).toBe(true);
      expect(await firstStore().complete(`${prefix}a`, token, long)).toBe(true);
      expect(await firstStore().claim(`${prefix}a`, long)).toEqual({
        status: 'completed',
        data: 'data of a',
      });
    });

    it('takes the first keys, no more than the limit, and none twice', async () => {
      const prefix = await kept('c', 'a', 'b');
      expect(keysOf(await take(prefix, { limit: 2 }))).toEqual([`${prefix}a`, `${prefix}b`]);
      expect(keysOf(await take(prefix, { limit: 2 }))).toEqual([`${prefix}c`]);
      expect(await take(prefix)).toEqual([]);
    });

    it('takes only keys that begin with the prefix, taken literally', async () => {
      const prefix = await kept('%', '_x', 'é/1', 'é/2', 'É/1');
      expect(keysOf(await take(`${prefix}_`))).toEqual([`${prefix}_x`]);
      expect(keysOf(await take(`${prefix}é/`))).toEqual([`${prefix}é/1`, `${prefix}é/2`]);
      expect(await take(`${prefix}y`)).toEqual([]);
    });

    it('skips keys that are claimed, completed, without data, or released with a retention', async () => {
      const prefix = await kept('held', 'completed', 'refused', 'released');
      const tokenOf = async (name: string) => claimOf(await firstStore().claim(prefix + name, long)).token;
      await tokenOf('held');
      await tokenOf('bare');
      await firstStore().release(`${prefix}bare`, await tokenOf('bare 2'));
      await firstStore().complete(`${prefix}completed`, await tokenOf('completed'), long);
      await firstStore().release(`${prefix}refused`, await tokenOf('refused'), { retention: long });
      await firstStore().release(`${prefix}released`, await tokenOf('released'));
      expect(await take(prefix)).toMatchObject([{ key: `${prefix}released`, attempt: 2 }]);
    });

    it('takes the key of a dead worker after its lease expired', async () => {
      const prefix = await kept('a');
      const [dead] = await take(prefix, { lease: 1 });
      await untilExpired(firstStore());
      const [next] = await take(prefix);
      expect(next).toMatchObject({ key: `${prefix}a`, attempt: 2, data: 'data of a' });
      expect(next?.token).not.toBe(dead?.token);
      expect(await firstStore().complete(`${prefix}a`, dead?.token ?? '', long)).toBe(false);
    });

    it('skips keys with too many attempts', async () => {
      const prefix = await kept('a', 'b');
      const [first] = await take(prefix, { limit: 1 });
      await firstStore().release(`${prefix}a`, first?.token ?? '');
      expect(keysOf(await take(prefix, { maxAttempts: 1 }))).toEqual([`${prefix}b`]);
      expect(keysOf(await take(prefix, { maxAttempts: 2 }))).toEqual([`${prefix}a`]);
    });

    it('takes only keys after the given one', async () => {
      const prefix = await kept('a', 'b', 'ﬀ', '𝒳');
      expect(keysOf(await take(prefix, { after: `${prefix}a`, limit: 1 }))).toEqual([`${prefix}b`]);
      expect(keysOf(await take(prefix, { after: `${prefix}ﬀ` }))).toEqual([`${prefix}𝒳`]);
      expect(await take(prefix, { after: `${prefix}𝒳` })).toEqual([]);
      expect(keysOf(await take(prefix, { after: ' ' }))).toEqual([`${prefix}a`, `${prefix}ﬀ`]);
    });

    it('never returns a key to two workers', async () => {
      const names = Array.from({ length: 60 }, (_, index) => String(index));
      const prefix = await kept(...names);
      const workers = Array.from({ length: 20 }, (_, index) => stores()[index % stores().length]);
      const takeAll = async (store: Store | undefined, taken: string[] = []): Promise<string[]> => {
        const page = keysOf(await take(prefix, { limit: 4 }, store));
        return page.length === 0 ? taken : takeAll(store, [...taken, ...page]);
      };
      const all = (await Promise.all(workers.map((store) => takeAll(store)))).flat();
      // A worker stops if the others have claimed the remaining keys.
      const rest = await takeAll(firstStore());
      expect([...all, ...rest].sort()).toEqual(names.map((name) => prefix + name).sort());
    });

    it.each([{ limit: 0 }, { limit: 1001 }, { lease: 0 }, { maxAttempts: 0 }, { prefix: '\0' }])(
      'refuses %o',
      async (wrong) => {
        await expect(take('a', wrong)).rejects.toBeInstanceOf(ConfigurationError);
      },
    );
  });
}
