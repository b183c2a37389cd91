/** The contract of every store, whatever its backend. */

import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import type { Store } from 'payments-client/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { openAt } from '../support/stores.ts';
import { describeCountedAttempts } from './counted-attempts.ts';
import { compareWithModel, steps } from './model.ts';
import { describeOpenClaims } from './open-claims.ts';
import { describeSnapshots } from './snapshots.ts';
import { claimOf, freshKey, long, untilExpired } from './time.ts';

/** Stores that share their records, each with its own connection if there are connections. */
export interface OpenStores {
  readonly stores: readonly [Store, ...Store[]];
  /**
   * A store whose client sends each command twice and returns the second reply, as some clients do after a broken
   * connection.
   */
  readonly resending?: Store;
  /** Deletes expired records, if the store does not do so itself. */
  purge?(): Promise<unknown>;
  close(): Promise<void>;
}

const hostileKeys = [
  `it's "quoted"; DROP TABLE payments_claims; --`,
  "\\ \\' \\0 %s $1 {a}{b} }{ * ? [a]",
  ' leading and trailing ',
  'line\nbreak\r\n\ttab \u0001\u001b\u007f',
  'São Paulo 東京 🍵 👩‍👩‍👧 עברית \u2028\ufeff',
  // Two spellings of the same letter are two keys, and so are upper and lower case.
  'é',
  'e\u0301',
  'EVT_1',
  'evt_1',
  'evt_1 ',
  '__proto__',
  'constructor',
  'x'.repeat(255),
  '🍵'.repeat(127),
  '東'.repeat(512),
];

/** Runs the suite. Calls `open` once. */
export function describeStore(name: string, isSkipped: boolean, open: () => Promise<OpenStores>): void {
  describe.skipIf(isSkipped)(name, () => {
    let opened: OpenStores | undefined;
    beforeAll(async () => {
      opened = await open();
    }, 60_000);
    afterAll(() => opened?.close());

    const allStores = () => {
      if (opened === undefined) throw new Error('the stores are not open');
      return opened.stores;
    };
    const firstStore = () => allStores()[0];
    /** Waits until a record with a retention of 1 ms is forgotten. */
    const untilForgotten = async () => {
      await untilExpired(firstStore());
      await opened?.purge?.();
    };
    /** Returns a key with an expired claim. */
    const keyWithExpiredClaim = async () => {
      const key = freshKey();
      const claim = claimOf(await firstStore().claim(key, 1));
      await untilExpired(firstStore());
      return { key, token: claim.token };
    };

    it('grants a key to the first caller until it is completed', async () => {
      const key = freshKey();
      const { token, attempt } = claimOf(await firstStore().claim(key, long));
      expect(attempt).toBe(1);
      const second = await firstStore().claim(key, long);
      if (second.status !== 'in_progress') throw new Error(`expected in_progress, got ${second.status}`);
      expect(second.retryAfter).toBeGreaterThan(0);
      expect(second.retryAfter).toBeLessThanOrEqual(long);
      expect(Number.isInteger(second.retryAfter)).toBe(true);
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
    });

    it('grants a claim once to a client that resends it', async ({ skip }) => {
      const resending = opened?.resending ?? skip('no client stands between this store and its records');
      const key = freshKey();
      const { token, attempt, data } = claimOf(await resending.claim(key, long, { data: 'kept' }));
      expect([attempt, data]).toEqual([1, 'kept']);
      expect(await resending.claim(key, long)).toMatchObject({ status: 'in_progress', data: 'kept' });
      expect(await resending.renew(key, token, long)).toBe(true);
      await firstStore().release(key, token);
      const again = claimOf(await resending.claim(key, long));
      expect(again.attempt).toBe(2);
      expect(await resending.complete(key, again.token, long)).toBe(true);
      expect(await resending.claim(key, long)).toEqual({ status: 'completed', data: 'kept' });
      const keyWithExpiredClaim = freshKey();
      await firstStore().claim(keyWithExpiredClaim, 1);
      await untilExpired(firstStore());
      expect(claimOf(await resending.claim(keyWithExpiredClaim, long)).attempt).toBe(2);
    });

    it('keeps a snapshot once for a client that resends it', async ({ skip }) => {
      const resending = opened?.resending ?? skip('no client stands between this store and its records');
      expect(await resending.advance(freshKey(), 1, 'a')).toEqual({ version: 1, data: 'a' });
    });

    it('accepts the token of a claim whose answer was lost', async () => {
      const [released, completed] = [freshKey(), freshKey()];
      await firstStore().claim(released, long, { data: 'lost', token: 'chosen by the caller' });
      await firstStore().claim(completed, long, { token: 'chosen by the caller' });
      expect(await firstStore().release(released, 'chosen by the caller', { retention: long })).toBe(true);
      expect(await openAt(firstStore(), released)).toEqual([]);
      const again = claimOf(await firstStore().claim(released, long, { token: 'another' }));
      expect(again).toEqual({ status: 'claimed', token: 'another', attempt: 2, data: 'lost' });
      expect(await firstStore().complete(completed, 'chosen by the caller', long)).toBe(true);
      expect(await firstStore().claim(completed, long)).toEqual({ status: 'completed' });
    });

    it('grants a claim again as the same attempt to the token that holds it', async () => {
      const key = freshKey();
      const claim = claimOf(await firstStore().claim(key, long, { data: 'kept', token: 'mine' }));
      expect(claim).toEqual({ status: 'claimed', token: 'mine', attempt: 1, data: 'kept' });
      expect(await firstStore().claim(key, long, { data: 'new', token: 'mine' })).toEqual(claim);
      expect(await firstStore().claim(key, long, { token: 'other' })).toMatchObject({
        status: 'in_progress',
      });
      expect(await firstStore().complete(key, 'mine', long)).toBe(true);
      expect(await firstStore().claim(key, long, { token: 'mine' })).toMatchObject({ status: 'completed' });
    });

    it('counts the attempts, whether a claim is released or expires', async () => {
      const key = freshKey();
      const tokens = new Set<string>();
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        const claim = claimOf(await firstStore().claim(key, attempt % 2 === 0 ? 1 : long));
        expect(claim.attempt).toBe(attempt);
        tokens.add(claim.token);
        if (attempt % 2 === 0) await untilExpired(firstStore());
        else await firstStore().release(key, claim.token);
      }
      expect(tokens.size).toBe(6);
    });

    it('completes again with the same token', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().complete(key, token, long)).toBe(true);
      // A shorter retention does not shorten the first.
      expect(await firstStore().complete(key, token, 1)).toBe(true);
      await untilExpired(firstStore());
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
    });

    it('completes after the lease expired, unless another claim took over', async () => {
      const { key, token } = await keyWithExpiredClaim();
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
    });

    it('refuses to complete or release a claim that another took over', async () => {
      const { key, token: stale } = await keyWithExpiredClaim();
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(token).not.toBe(stale);
      expect(await firstStore().complete(key, stale, long)).toBe(false);
      expect(await firstStore().release(key, stale)).toBe(false);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress' });
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().complete(key, stale, long)).toBe(false);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
    });

    it('releases to the next delivery, and invalidates the released token', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(await firstStore().release(key, token)).toBe(true);
      expect(await firstStore().complete(key, token, long)).toBe(false);
      expect(await firstStore().release(key, token)).toBe(false);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'claimed', attempt: 2 });
    });

    it('renews a lease for its holder, even if it expired and nobody took over', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, 1));
      await untilExpired(firstStore());
      expect(await firstStore().renew(key, token, long, { data: 'second' })).toBe(true);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress', data: 'second' });
      expect(await firstStore().renew(key, crypto.randomUUID(), long)).toBe(false);
      expect(await firstStore().renew(freshKey(), token, long)).toBe(false);
      expect(await firstStore().complete(key, token, long)).toBe(true);
      expect(await firstStore().renew(key, token, long)).toBe(false);
    });

    it('does not release a completed or unknown key', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      await firstStore().complete(key, token, long);
      expect(await firstStore().release(key, token)).toBe(false);
      expect(await firstStore().release(freshKey(), token)).toBe(false);
      expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
      expect(await firstStore().complete(key, token, long)).toBe(true);
    });

    it('records nothing for a token of another key, or for a key that was never claimed', async () => {
      const [key, other] = [freshKey(), freshKey()];
      const { token } = claimOf(await firstStore().claim(key, long));
      expect(await firstStore().complete(other, token, long)).toBe(false);
      expect(await firstStore().claim(other, long)).toMatchObject({ status: 'claimed', attempt: 1 });
      expect(await firstStore().complete(other, token, long)).toBe(false);
      expect(await firstStore().claim(other, long)).toMatchObject({ status: 'in_progress' });
    });

    it('forgets a completed key after its retention, and counts from 1 again', async () => {
      const { key } = await keyWithExpiredClaim();
      const { token } = claimOf(await firstStore().claim(key, long));
      await firstStore().complete(key, token, 1);
      await untilExpired(firstStore());
      expect(await firstStore().complete(key, token, long)).toBe(false);
      const again = claimOf(await firstStore().claim(key, long));
      expect(again.attempt).toBe(1);
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress' });
      expect(await firstStore().complete(key, token, long)).toBe(false);
      expect(await firstStore().complete(key, again.token, long)).toBe(true);
    });

    it('keeps hostile keys apart', async () => {
      const tokens = new Map<string, string>();
      for (const key of hostileKeys) {
        const claim = claimOf(await firstStore().claim(key, long));
        expect(claim.attempt).toBe(1);
        tokens.set(key, claim.token);
      }
      for (const [key, token] of tokens) {
        expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress' });
        expect(await firstStore().complete(key, token, long)).toBe(true);
        expect(await firstStore().claim(key, long)).toEqual({ status: 'completed' });
      }
    });

    it.each<
      [what: string, prepare: (key: string) => Promise<unknown>, data: string | undefined, claim: object]
    >([
      ['a new key', async () => {}, undefined, { attempt: 1, data: undefined }],
      ['a new key with data', async () => {}, 'first', { attempt: 1, data: 'first' }],
      [
        'a key with an expired claim',
        async (key) => {
          await firstStore().claim(key, 1);
          await untilExpired(firstStore());
        },
        undefined,
        { attempt: 2, data: undefined },
      ],
      [
        'a key that was released with a retention',
        async (key) => {
          const { token } = claimOf(await firstStore().claim(key, long, { data: 'kept' }));
          await firstStore().release(key, token, { retention: long });
        },
        'late',
        { attempt: 2, data: 'kept' },
      ],
    ])('grants %s to one of many concurrent callers', async (_what, prepare, data, claim) => {
      for (let round = 0; round < 10; round += 1) {
        const key = freshKey();
        await prepare(key);
        const claims = Array.from({ length: 10 }, () =>
          allStores().map((store) => store.claim(key, long, { data })),
        );
        const results = await Promise.all(claims.flat());
        expect(results.filter(({ status }) => status === 'claimed')).toMatchObject([claim]);
        expect(results.filter(({ status }) => status === 'in_progress')).toHaveLength(results.length - 1);
      }
    });

    it('records one completion when many stale holders try concurrently', async () => {
      const { key, token: stale } = await keyWithExpiredClaim();
      const { token } = claimOf(await firstStore().claim(key, long));
      const tokens = [stale, token, stale, token, stale];
      const done = await Promise.all(
        tokens.map((each, index) =>
          (allStores()[index % allStores().length] ?? firstStore()).complete(key, each, long),
        ),
      );
      expect(done).toEqual([false, true, false, true, false]);
    });

    it('agrees with the model for any sequence of operations', async () => {
      const property = fc.asyncProperty(steps, (sequence) =>
        compareWithModel(firstStore(), sequence, untilForgotten),
      );
      await fc.assert(property, { numRuns: 40, endOnFailure: true });
    }, 60_000);

    it('checks the arguments of each operation, and records nothing if one is wrong', async () => {
      const [store, key, other] = [firstStore(), freshKey(), freshKey()];
      const { token } = claimOf(await store.claim(key, long, { data: 'kept' }));
      const client = anything({});
      for (const [message, call] of [
        [/^claim\.lease: expected/, () => store.claim(other, 0, { data: 'new' })],
        [/^renew\.data: expected/, () => store.renew(key, token, long, { data: 'a\0' })],
        [/^complete\.retention: expected/, () => store.complete(key, token, -1)],
        [/^release\.retention: expected/, () => store.release(key, token, { retention: 0 })],
        [/^open\.limit: expected/, () => store.open({ space: '', limit: 0 })],
        [/^advance\.version: expected/, () => store.advance(other, 1.5, 'new')],
        [/client: expected .+, got an object/, () => store.claim(other, long, { client })],
        [/client: expected .+, got an object/, () => store.renew(key, token, long, { client })],
        [/client: expected .+, got an object/, () => store.complete(key, token, long, { client })],
        [/client: expected .+, got an object/, () => store.release(key, token, { client })],
        [/client: expected .+, got an object/, () => store.advance(other, 1, 'new', { client })],
      ] as const) {
        expect((await failureOf(call(), ConfigurationError)).message).toMatch(message);
      }
      expect(await store.claim(key, long)).toMatchObject({ status: 'in_progress', data: 'kept' });
      expect(await store.claim(other, long)).toMatchObject({ attempt: 1, data: undefined });
      expect(await store.advance(other, -1, 'first')).toEqual({ version: -1, data: 'first' });
    });

    describeOpenClaims(allStores, untilForgotten);
    describeSnapshots(allStores);
    describeCountedAttempts(allStores);
  });
}
