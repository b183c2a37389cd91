/** Prefetching of the next page during iteration: when it is requested, and when it is cancelled. */

import { ApiError, PaymentsError, type RequestOptions } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const total = 10;

/** A list of ten products, and the cursors of its requests. */
function startList(respond: (after: number) => Response | Promise<Response> = pageAfter, hooks = {}) {
  const cursors: number[] = [];
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    cursors.push(after);
    return respond(after);
  };
  const { products } = createClient({ fetch, hooks, maxRetries: 0 });
  return { cursors, list: (options?: RequestOptions) => products.list({ limit: 4 }, options) };
}

/** Pages of four: 1 to 4, 5 to 8, 9 and 10. */
function pageAfter(after: number): Response {
  const last = Math.min(after + 4, total);
  const data = Array.from({ length: last - after }, (_, index) => product(String(after + index + 1)));
  return Response.json({ data, has_more: last < total, next_cursor: last < total ? String(last) : null });
}

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

async function take(items: AsyncIterator<{ id: string }>, count: number): Promise<void> {
  for (let taken = 0; taken < count; taken += 1) await items.next();
}

test('a loop that stops within the first half of a page requests no other page', async () => {
  const { cursors, list } = startList();
  for await (const { id } of list()) if (id === '2') break;
  expect(cursors).toEqual([0]);
  for await (const { id } of list()) if (id === '6') break;
  expect(cursors).toEqual([0, 0, 4]);
});

test('the next page is requested when the second half of a page begins', async () => {
  const { cursors, list } = startList();
  const items = list()[Symbol.asyncIterator]();
  await take(items, 2).then(eventLoopTurn);
  expect(cursors).toEqual([0]);
  await take(items, 1).then(eventLoopTurn);
  expect(cursors).toEqual([0, 4]);
  await take(items, 3).then(eventLoopTurn);
  expect(cursors).toEqual([0, 4]);
  await take(items, 1).then(eventLoopTurn);
  expect(cursors).toEqual([0, 4, 8]);
});

test('at most one page is prefetched, however slow the consumer is', async () => {
  let arrived = () => {};
  const { cursors, list } = startList((after) => {
    if (after > 0) arrived();
    return pageAfter(after);
  });
  const ahead = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const items = list()[Symbol.asyncIterator]();
  await take(items, 3);
  await ahead;
  await eventLoopTurn();
  expect(cursors).toEqual([0, 4]);
});

test('toArray requests no page that it does not need', async () => {
  const { cursors, list } = startList();
  expect(await list().toArray({ max: 4 })).toHaveLength(4);
  expect(cursors).toEqual([0]);
  expect(await list().toArray({ max: 5 })).toHaveLength(5);
  expect(cursors).toEqual([0, 0, 4]);
});

test('a whole list needs one request per page', async () => {
  const { cursors, list } = startList();
  expect(await list().toArray({ max: 100 })).toHaveLength(total);
  expect(cursors).toEqual([0, 4, 8]);
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

test('a prefetched page that is no longer needed is aborted without an error event', async () => {
  const signals: AbortSignal[] = [];
  const onError = vi.fn();
  const fetch = (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    if (after === 0) return Promise.resolve(pageAfter(0));
    signals.push(request.signal);
    return new Promise<Response>(() => {});
  };
  const { products } = createClient({ fetch, hooks: { error: onError } });
  for await (const { id } of products.list({ limit: 4 })) {
    await eventLoopTurn();
    if (id === '3') break;
  }
  await eventLoopTurn();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(onError).not.toHaveBeenCalled();
});

test('the signal of the caller aborts a prefetched page too', async () => {
  const controller = new AbortController();
  const { list } = startList((after) => (after === 0 ? pageAfter(0) : new Promise<Response>(() => {})));
  const iterate = async () => {
    for await (const { id } of list({ signal: controller.signal })) if (id === '4') controller.abort();
  };
  expect((await failureOf(iterate(), PaymentsError)).name).toBe('RequestAbortedError');
});

test('concurrent calls of next return the items in order, then the end', async () => {
  const { cursors, list } = startList();
  const items = list()[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: total + 2 }, () => items.next()));
  expect(results.map(({ value }) => value?.id)).toEqual([
    ...Array.from({ length: total }, (_, index) => String(index + 1)),
    undefined,
    undefined,
  ]);
  expect(cursors).toEqual([0, 4, 8]);
});

test('an iterator that was closed stays closed and sends no request', async () => {
  const { cursors, list } = startList();
  const items = list()[Symbol.asyncIterator]();
  await take(items, 1);
  expect(await items.return?.()).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(cursors).toEqual([0]);
});

test('an iterator that is closed during a request stays closed when the page arrives', async () => {
  const { list } = startList();
  const items = list()[Symbol.asyncIterator]();
  const first = items.next();
  await items.return?.();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test('an iterator that failed is done', async () => {
  const { cursors, list } = startList(() => new Response('', { status: 400 }));
  const items = list()[Symbol.asyncIterator]();
  await failureOf(items.next(), ApiError);
  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(cursors).toEqual([0]);
});
