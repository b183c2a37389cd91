/** The contract of every store for snapshots. */

import fc from 'fast-check';
import type { Store } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { openAt } from '../support/stores.ts';
import { freshKey, long } from './time.ts';

const mostData = 4 * 1024 * 1024;

/** Adds the tests to the surrounding suite. */
export function describeSnapshots(stores: () => readonly Store[]): void {
  const firstStore = () => stores()[0] as Store;

  describe('advance', () => {
    it('keeps the data of the highest version, and returns it', async () => {
      const key = freshKey();
      expect(await firstStore().advance(key, 5, 'fifth')).toEqual({ version: 5, data: 'fifth' });
      expect(await firstStore().advance(key, 4, 'fourth')).toEqual({ version: 5, data: 'fifth' });
      expect(await firstStore().advance(key, 5, 'fifth again')).toEqual({ version: 5, data: 'fifth' });
      expect(await firstStore().advance(key, 6, '')).toEqual({ version: 6, data: '' });
    });

    it('orders every safe integer by its value', async () => {
      const key = freshKey();
      const versions = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER + 1, -10, -9, 0, 9, 10, 1e15];
      const highest = [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER];
      let before: { version: number; data: string } | undefined;
      for (const version of [...versions, ...highest]) {
        const snapshot = { version, data: `v${version}` };
        expect(await firstStore().advance(key, version, snapshot.data)).toEqual(snapshot);
        if (before) expect(await firstStore().advance(key, before.version, 'older')).toEqual(snapshot);
        before = snapshot;
      }
    });

    it('ends with the highest of many writers, in any order', async () => {
      const property = fc.asyncProperty(
        fc.uniqueArray(fc.maxSafeInteger(), { minLength: 50, maxLength: 50 }),
        async (versions) => {
          const key = freshKey();
          const kept = await Promise.all(
            versions.map((version, index) =>
              (stores()[index % stores().length] ?? firstStore()).advance(key, version, `of ${version}`),
            ),
          );
          const highest = Math.max(...versions);
          for (const [index, { version, data }] of kept.entries()) {
            expect(version).toBeGreaterThanOrEqual(versions[index] ?? 0);
            expect(data).toBe(`of ${version}`);
          }
          const last = await firstStore().advance(key, Number.MIN_SAFE_INTEGER, 'of the lowest');
          expect(last).toEqual({ version: highest, data: `of ${highest}` });
        },
      );
      await fc.assert(property, { numRuns: 10, endOnFailure: true });
    }, 60_000);

    it('keeps hostile keys and data apart, and 4 MiB of data', async () => {
      const keys = [' ', 'é', 'e\u0301', '__proto__', '{a}b', 'EVT', 'evt', '東'.repeat(512)];
      for (const [version, key] of keys.entries()) {
        await firstStore().advance(key, version, key);
      }
      for (const [version, key] of keys.entries()) {
        expect(await firstStore().advance(key, version, 'same version')).toEqual({ version, data: key });
      }
      const data = 'x'.repeat(mostData);
      const kept = await firstStore().advance(freshKey(), 1, data);
      expect(kept.data === data).toBe(true);
    });

    it('is independent of a claim of the same key', async () => {
      const key = freshKey();
      await firstStore().advance(key, 1, 'snapshot');
      expect(await firstStore().claim(key, long, { data: 'claim' })).toMatchObject({
        attempt: 1,
        data: 'claim',
      });
      expect(await firstStore().advance(key, 0, 'older')).toEqual({ version: 1, data: 'snapshot' });
      expect(await openAt(firstStore(), key)).toMatchObject([{ data: 'claim' }]);
    });
  });
}
