/** Reaches inside: what a journal and a receiver do with a claim that a store grants too late is no public call. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { inTime, whenLate } from '../../src/stores/in-time.ts';
import { failureOf } from '../support/failure.ts';
import { openAt } from '../support/stores.ts';

describe('a claim that is granted after its timeout', () => {
  /** A bounded claim that waits for `grant`. */
  function slow(timeout = 1) {
    const store = memoryStore();
    let grant = () => {};
    const waiting = new Promise<void>((resolve) => (grant = resolve));
    const answer = (async () => {
      await waiting;
      return store.claim('k', 1000);
    })();
    return { store, grant, asked: inTime(answer, timeout) };
  }

  it.each([
    ['an own bound', 1, 5000],
    ['a bound around a longer one', 10, 1],
  ])('can be undone after %s', async (_bound, inner, outer) => {
    const { store, grant, asked } = slow(inner);
    const error = await failureOf(inTime(asked, outer), PaymentsError);
    const undone = new Promise((resolve) => {
      whenLate(error, async ({ token }) => resolve(await store.release('k', token)));
    });
    expect(await openAt(store, 'k')).toEqual([]);
    grant();
    expect(await undone).toBe(true);
  });

  it('is left to a failure to undo it', async () => {
    const { grant, asked } = slow();
    const error = await failureOf(asked, PaymentsError);
    const failed = new Promise<void>((resolve) => {
      whenLate(error, async () => {
        resolve();
        throw new Error('the store is down');
      });
    });
    grant();
    await failed;
  });

  it('is nothing to undo if another has the key', async () => {
    const { store, grant, asked } = slow();
    await store.claim('k', 1000);
    const error = await failureOf(asked, PaymentsError);
    let undone = 0;
    whenLate(error, () => (undone += 1));
    whenLate(new Error('another error'), () => (undone += 1));
    grant();
    await new Promise((resolve) => setImmediate(resolve));
    expect(undone).toBe(0);
  });
});
