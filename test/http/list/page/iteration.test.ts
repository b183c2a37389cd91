/** Prefetching of the next page during iteration: when it is requested, and when it is cancelled. */

import { ApiError, RequestAbortedError, type RequestOptions } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { product } from '../../../support/fixtures.ts';
import { createClient } from '../../../support/mock-service.ts';

const total = 10;

/** Pages of four: 1 to 4, 5 to 8, 9 and 10. */
function pageAfter(after: number): Response {
  const last = Math.min(after + 4, total);
  const data = Array.from({ length: last - after }, (_, index) => product(String(after + index + 1)));
  return Response.json({ data, has_more: last < total, next_cursor: last < total ? String(last) : null });
}

/** A list of ten products, and the requests for its pages. */
function startList(respond: (after: number) => Response | Promise<Response> = pageAfter, hooks = {}) {
  const cursors: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch = async ({ url, signal }: Request) => {
    const after = Number(new URL(url).searchParams.get('starting_after') ?? 0);
    cursors.push(after);
    signals.push(signal);
    return respond(after);
  };
  const { products } = createClient({ fetch, hooks, maxRetries: 0 });
  return { cursors, signals, list: (options?: RequestOptions) => products.list({ limit: 4 }, options) };
}

const never = () => new Promise<Response>(() => {});
const onlyFirst = (after: number) => (after === 0 ? pageAfter(0) : never());
const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  [0, [0]],
  [2, [0]],
  [3, [0, 4]],
  // However slow the consumer is, one page is prefetched.
  [6, [0, 4]],
  [7, [0, 4, 8]],
  [10, [0, 4, 8]],
])('after %i items the pages after %j have been requested', async (count, expected) => {
  const { cursors, list } = startList();
  const items = list()[Symbol.asyncIterator]();
  for (let taken = 0; taken < count; taken += 1) await items.next();
  for (let turn = 0; turn < 3; turn += 1) await eventLoopTurn();
  expect(cursors).toEqual(expected);
});

test('a loop that stops within the first half of a page requests no other page', async () => {
  const { cursors, list } = startList();
  for await (const { id } of list()) if (id === '2') break;
  for await (const { id } of list()) if (id === '6') break;
  await eventLoopTurn();
  expect(cursors).toEqual([0, 0, 4]);
});

test('a failed page is reported after the items before it', async () => {
  const { list } = startList((after) => (after === 4 ? new Response('', { status: 400 }) : pageAfter(after)));
  const seen: string[] = [];
  const iterate = async () => {
    for await (const { id } of list()) seen.push(id);
  };
  await failureOf(iterate(), ApiError);
  expect(seen).toEqual(['1', '2', '3', '4']);
});

test.each([
  ['a caller with a signal', { signal: new AbortController().signal }],
  ['one without', {}],
])('a prefetched page that nobody needs is aborted without an error event: %s', async (_what, options) => {
  const [onError, onEnd] = [vi.fn(), vi.fn()];
  const { signals, list } = startList(onlyFirst, { error: onError, end: onEnd });
  for await (const { id } of list(options)) {
    await eventLoopTurn();
    if (id === '3') break;
  }
  await eventLoopTurn();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(onError).not.toHaveBeenCalled();
  expect(onEnd.mock.calls.map(([{ error }]) => error)).toEqual([undefined, undefined]);
});

test('the signal of the caller aborts a prefetched page, and its error is reported', async () => {
  const controller = new AbortController();
  const onError = vi.fn();
  const { signals, list } = startList(onlyFirst, { error: onError });
  const iterate = async () => {
    for await (const { id } of list({ signal: controller.signal })) {
      await eventLoopTurn();
      if (id === '4') controller.abort('closed');
    }
  };
  const error = await failureOf(iterate(), RequestAbortedError);
  expect(error.cause).toBe('closed');
  expect(signals[1]?.aborted).toBe(true);
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error }));
});

const over = { done: true, value: undefined };

test.each<
  readonly [what: string, close: (items: AsyncIterator<unknown>) => Promise<unknown>, requests: number]
>([
  [
    'was closed',
    async (items) => {
      await items.next();
      expect(await items.return?.()).toEqual(over);
    },
    1,
  ],
  [
    'was closed during a request',
    async (items) => {
      const first = items.next();
      await items.return?.();
      expect(await first).toEqual(over);
    },
    1,
  ],
])('an iterator that %s stays closed and sends no request', async (_what, close, requests) => {
  const { cursors, list } = startList();
  const items = list()[Symbol.asyncIterator]();
  await close(items);
  expect(await items.next()).toEqual(over);
  expect(cursors).toHaveLength(requests);
});

test('an iterator that failed is done', async () => {
  const { cursors, list } = startList(() => new Response('', { status: 400 }));
  const items = list()[Symbol.asyncIterator]();
  // Only the first of concurrent calls gets the failure.
  const results = await Promise.allSettled([items.next(), items.next()]);
  expect(results).toMatchObject([{ reason: { name: 'BadRequestError' } }, { value: over }]);
  expect(await items.next()).toEqual(over);
  expect(cursors).toEqual([0]);
});
