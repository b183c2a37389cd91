/** `forEach` over a list: concurrency, the pages that it requests, and failures. */

import { ApiError, InvalidRequestError, PaymentsError } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const total = 10;

function startList() {
  const cursors: number[] = [];
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    cursors.push(after);
    if (after === 8) return new Response('', { status: 400 });
    const last = after + 4;
    const data = Array.from({ length: 4 }, (_, index) => product(String(after + index + 1)));
    return Response.json({ data, has_more: true, next_cursor: String(last) });
  };
  return { cursors, list: () => createClient({ fetch }).products.list({ limit: 4 }) };
}

/** A list of two pages with five items each. */
function listOfTen() {
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    const data = Array.from({ length: 5 }, (_, index) => product(String(after + index + 1)));
    const hasMore = after + 5 < total;
    return Response.json({ data, has_more: hasMore, next_cursor: hasMore ? String(after + 5) : null });
  };
  return createClient({ fetch }).products.list({ limit: 5 });
}

const eventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test.each([
  [undefined, 1],
  [1, 1],
  [3, 3],
  [100, total],
])('with concurrency %s, %i calls run at once, and every item is passed once', async (concurrency, most) => {
  const seen: string[] = [];
  let running = 0;
  let highest = 0;
  await listOfTen().forEach(
    async ({ id }) => {
      running += 1;
      highest = Math.max(highest, running);
      seen.push(id);
      await eventLoopTurn();
      await eventLoopTurn();
      running -= 1;
    },
    { concurrency },
  );
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)));
  expect(highest).toBe(most);
});

test('a page is requested only when a slot is free for its items', async () => {
  const { cursors, list } = startList();
  const waiting: (() => void)[] = [];
  const iterate = list().forEach(
    async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    { concurrency: 2 },
  );
  const failure = failureOf(iterate, ApiError);
  await eventLoopTurn();
  expect([cursors, waiting.length]).toEqual([[0], 2]);
  waiting.shift()?.();
  await eventLoopTurn();
  expect([cursors, waiting.length]).toEqual([[0, 4], 2]);
  for (let time = 0; time < 3; time += 1) {
    waiting.shift()?.();
    await eventLoopTurn();
  }
  expect(cursors).toEqual([0, 4]);
  for (let time = 0; time < 5; time += 1) {
    for (const finish of waiting.splice(0)) finish();
    await eventLoopTurn();
  }
  await failure;
});

test('after a failure no call starts, running calls are awaited, and the first failure is thrown', async () => {
  const finished: string[] = [];
  const begun: string[] = [];
  const iterate = listOfTen().forEach(
    async ({ id }) => {
      begun.push(id);
      if (id === '2') throw new Error('no room for 2');
      await eventLoopTurn();
      finished.push(id);
    },
    { concurrency: 3 },
  );
  await expect(iterate).rejects.toThrow('no room for 2');
  expect(begun).toEqual(['1', '2', '3']);
  expect(finished).toEqual(['1', '3']);
});

test('a synchronous function is called for every item', async () => {
  const seen = vi.fn();
  await listOfTen().forEach(seen);
  expect(seen).toHaveBeenCalledTimes(total);
});

test('a call that fails at once is the last one', async () => {
  const seen: string[] = [];
  const work = ({ id }: { id: string }) => {
    seen.push(id);
    throw new PaymentsError('no');
  };
  await failureOf(listOfTen().forEach(work, { concurrency: 4 }), PaymentsError);
  expect(seen).toEqual(['1']);
});

test('a failed page ends the iteration after the running calls', async () => {
  const seen: string[] = [];
  const { list } = startList();
  const iterate = list().forEach(async ({ id }) => void seen.push(id), { concurrency: 4 });
  await failureOf(iterate, ApiError);
  expect(seen).toHaveLength(8);
});

test.each([0, 1.5, 1001, '2'])('a concurrency of %s is refused', async (concurrency) => {
  const work = vi.fn();
  const { cursors, list } = startList();
  const options: object = { concurrency };
  const error = await failureOf(list().forEach(work, options), InvalidRequestError);
  expect(error.issues).toMatchObject([
    { path: 'options.concurrency', expected: 'an integer from 1 to 1000' },
  ]);
  expect(cursors).toEqual([0]);
  expect(work).not.toHaveBeenCalled();
});

test('a value that is no function is refused', async () => {
  const work: never = 'log' as never;
  const error = await failureOf(startList().list().forEach(work), InvalidRequestError);
  expect(error.issues).toMatchObject([{ path: 'work', expected: 'a function' }]);
});
