/** The contract of every store, whatever its backend. */

import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import type { ClaimResult, Store } from 'payments-client/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Invalid arguments of a claim. */
const invalidClaims = [
  { what: 'no key', key: '', lease: 1000, message: 'claim.key: expected 1 to 512 characters' },
  { what: 'NUL', key: 'evt\0', lease: 1000, message: 'got a string of 4 characters' },
  { what: 'a lone surrogate', key: 'evt\ud83c', lease: 1000, message: 'well-formed Unicode without NUL' },
  { what: 'a long key', key: 'x'.repeat(513), lease: 1000, message: 'got a string of 513 characters' },
  { what: 'no lease', key: 'evt', lease: 0, message: 'claim.lease: expected an integer from 1 to' },
  { what: 'a fraction of a ms', key: 'evt', lease: 1.5, message: 'got the number 1.5' },
  { what: 'NaN', key: 'evt', lease: Number.NaN, message: 'got the number NaN' },
  {
    what: 'for ever',
    key: 'evt',
    lease: Number.POSITIVE_INFINITY,
    message: 'pass the id of the event as the key',
  },
  { what: 'more than a century', key: 'evt', lease: 3_155_760_000_001, message: 'got a number' },
] as const;

function claimsByAll(stores: readonly Store[], key: string, times: number): Promise<ClaimResult[]> {
  const claims = Array.from({ length: times }, () => stores.map((store) => store.claim(key, long)));
  return Promise.all(claims.flat());
}

const statuses = (results: readonly ClaimResult[]) => results.map(({ status }) => status).sort();

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

    it('grants a key to one of many concurrent callers', async () => {
      for (let round = 0; round < 10; round += 1) {
        const results = await claimsByAll(allStores(), freshKey(), 10);
        const [first, ...others] = statuses(results);
        expect(first).toBe('claimed');
        expect(new Set(others)).toEqual(new Set(['in_progress']));
      }
    });

    it('grants a key with an expired claim to one of many concurrent callers', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { key } = await keyWithExpiredClaim();
        const results = await claimsByAll(allStores(), key, 10);
        const winners = results.filter(({ status }) => status === 'claimed');
        expect(winners).toMatchObject([{ attempt: 2 }]);
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

    it.each(invalidClaims)('refuses to claim with $what', async ({ key, lease, message }) => {
      const failure = await firstStore()
        .claim(key, lease)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ConfigurationError);
      expect(String(failure)).toContain(message);
    });

    it('refuses wrong arguments of the other operations without a change', async () => {
      const key = freshKey();
      const { token } = claimOf(await firstStore().claim(key, long));
      await expect(firstStore().complete(key, token, -1)).rejects.toThrow(
        /^complete\.retention: expected an integer/,
      );
      await expect(firstStore().complete(key, '', long)).rejects.toThrow(
        /^complete\.token: expected 1 to 512/,
      );
      await expect(firstStore().complete('a\0', token, long)).rejects.toThrow(
        /^complete\.key: .+, got a string of 2/,
      );
      await expect(firstStore().release(key, '\udc00')).rejects.toThrow(ConfigurationError);
      await expect(firstStore().release('', token)).rejects.toThrow(/^release\.key: .+, got an empty string/);
      await expect(firstStore().release(key, token, { retention: 0 })).rejects.toThrow(
        /^release\.retention: expected an integer from 1 to \d+, in ms, got the number 0/,
      );
      // @ts-expect-error: an invalid argument
      await expect(firstStore().release(key, token, { keep: long })).rejects.toThrow(
        /^release\.keep: expected one of client, data, retention, got an unknown option/,
      );
      await expect(firstStore().claim(key, long, { token: '' })).rejects.toThrow(
        /^claim\.token: expected 1 to 512 .+, got an empty string. Nothing was recorded/,
      );
      // @ts-expect-error: a token is an argument of its own here
      await expect(firstStore().renew(key, token, long, { token })).rejects.toThrow(
        /^renew\.token: expected one of client, data, /,
      );
      // @ts-expect-error: an invalid argument
      await expect(firstStore().claim({}, '1000')).rejects.toThrow(
        /key: .+ got an object; claim\.lease: .+ got a string/,
      );
      // @ts-expect-error: an invalid argument
      await expect(firstStore().claim(key, long, { client: {} })).rejects.toThrow(
        /client: expected .+, got an object/,
      );
      // @ts-expect-error: an invalid argument
      await expect(firstStore().complete(key, token, long, { client: {} })).rejects.toThrow(
        /client: expected .+, got an object/,
      );
      // @ts-expect-error: an invalid argument
      await expect(firstStore().release(key, token, { client: {} })).rejects.toThrow(
        /client: expected .+, got an object/,
      );
      // @ts-expect-error: a connection outside the options
      await expect(firstStore().complete(key, token, long, { query: () => {} })).rejects.toThrow(
        /^complete\.query: expected one of client, data/,
      );
      expect(await firstStore().claim(key, long)).toMatchObject({ status: 'in_progress' });
    });

    describeOpenClaims(allStores, untilForgotten);
    describeSnapshots(allStores);
    describeCountedAttempts(allStores);
  });
}
