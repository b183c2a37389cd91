/** Reaches inside: what a journal and a receiver do with a claim that a store grants too late is no public call. */

import { PaymentsError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { expect, it } from 'vitest';
import { inTime, whenLate } from '../../src/stores/in-time.ts';
import { failureOf } from '../support/failure.ts';

/** A bounded claim that waits for `grant`. */
function slow(timeout = 1) {
  const store = memoryStore();
  let grant = () => {};
  const waiting = new Promise<void>((resolve) => (grant = resolve));
  const answer = waiting.then(() => store.claim('k', 1000));
  return { store, grant, answer, asked: inTime(answer, timeout) };
}

it.each([
  ['an own bound', 1, 5000],
  ['a bound around a longer one', 5000, 1],
  ['a bound around another that ends too', 50, 1],
])('undoes a claim that is granted after %s', async (_bound, inner, outer) => {
  const { store, grant, answer, asked } = slow(inner);
  const error = await failureOf(inTime(asked, outer), PaymentsError);
  if (inner < 5000) await failureOf(asked, PaymentsError);
  let undone: Promise<boolean> | undefined;
  whenLate(error, ({ token }) => (undone = store.release('k', token)));
  grant();
  await answer;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await undone).toBe(true);
  expect(await store.claim('k', 1000)).toMatchObject({ attempt: 2 });
});

it('ignores a failure to undo it', async () => {
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

it('undoes nothing if another has the key, or another error came', async () => {
  const { store, grant, answer, asked } = slow();
  await store.claim('k', 1000);
  const error = await failureOf(asked, PaymentsError);
  let undone = 0;
  whenLate(error, () => (undone += 1));
  whenLate(new Error('another error'), () => (undone += 1));
  whenLate(new PaymentsError('another error'), () => (undone += 1));
  grant();
  await answer;
  await new Promise((resolve) => setImmediate(resolve));
  expect(undone).toBe(0);
});
