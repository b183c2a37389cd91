/** `forEach` over a list: how many calls run at once, what is fetched for them, and what becomes of a failure. */

import { ApiError, InvalidRequestError } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const total = 10;

function shop() {
  const asked: number[] = [];
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    asked.push(after);
    if (after === 8) return new Response('', { status: 400 });
    const last = after + 4;
    const data = Array.from({ length: 4 }, (_, index) => product(String(after + index + 1)));
    return Response.json({ data, has_more: true, next_cursor: String(last) });
  };
  return { asked, list: () => createClient({ fetch }).products.list({ limit: 4 }) };
}

/** Pages of five that end. */
function endingShop() {
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    const data = Array.from({ length: 5 }, (_, index) => product(String(after + index + 1)));
    const hasMore = after + 5 < total;
    return Response.json({ data, has_more: hasMore, next_cursor: hasMore ? String(after + 5) : null });
  };
  return createClient({ fetch }).products.list({ limit: 5 });
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test.each([
  [undefined, 1],
  [1, 1],
  [3, 3],
  [100, total],
])('with concurrency %s, %i calls run at once, and every item is seen once', async (concurrency, most) => {
  const seen: string[] = [];
  let running = 0;
  let highest = 0;
  await endingShop().forEach(
    async ({ id }) => {
      running += 1;
      highest = Math.max(highest, running);
      seen.push(id);
      await turn();
      await turn();
      running -= 1;
    },
    { concurrency },
  );
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)));
  expect(highest).toBe(most);
});

test('a page is fetched only as there is room for its items', async () => {
  const { asked, list } = shop();
  const waiting: (() => void)[] = [];
  const walk = list().forEach(
    async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    { concurrency: 2 },
  );
  const failure = failureOf(walk, ApiError);
  await turn();
  expect([asked, waiting.length]).toEqual([[0], 2]);
  waiting.shift()?.();
  await turn();
  expect([asked, waiting.length]).toEqual([[0, 4], 2]);
  for (let time = 0; time < 3; time += 1) {
    waiting.shift()?.();
    await turn();
  }
  expect(asked).toEqual([0, 4]);
  for (let time = 0; time < 5; time += 1) {
    for (const finish of waiting.splice(0)) finish();
    await turn();
  }
  await failure;
});

test('after a failure no call begins, those under way are waited for, and the first failure is thrown', async () => {
  const finished: string[] = [];
  const begun: string[] = [];
  const walk = endingShop().forEach(
    async ({ id }) => {
      begun.push(id);
      if (id === '2') throw new Error('no room for 2');
      await turn();
      finished.push(id);
    },
    { concurrency: 3 },
  );
  await expect(walk).rejects.toThrow('no room for 2');
  expect(begun).toEqual(['1', '2', '3']);
  expect(finished).toEqual(['1', '3']);
});

test('a function that does not wait is called for every item', async () => {
  const seen = vi.fn();
  await endingShop().forEach(seen);
  expect(seen).toHaveBeenCalledTimes(total);
});

test('a page that fails ends it, once the calls under way are over', async () => {
  const seen: string[] = [];
  const { list } = shop();
  const walk = list().forEach(async ({ id }) => void seen.push(id), { concurrency: 4 });
  await failureOf(walk, ApiError);
  expect(seen).toHaveLength(8);
});

test.each([0, 1.5, 1001, '2'])('a concurrency of %s is refused', async (concurrency) => {
  const work = vi.fn();
  const { asked, list } = shop();
  const options: object = { concurrency };
  const error = await failureOf(list().forEach(work, options), InvalidRequestError);
  expect(error.issues).toMatchObject([
    { path: 'options.concurrency', expected: 'an integer from 1 to 1000' },
  ]);
  expect(asked).toEqual([0]);
  expect(work).not.toHaveBeenCalled();
});

test('what is no function is refused', async () => {
  const work: never = 'log' as never;
  const error = await failureOf(shop().list().forEach(work), InvalidRequestError);
  expect(error.issues).toMatchObject([{ path: 'work', expected: 'a function' }]);
});
