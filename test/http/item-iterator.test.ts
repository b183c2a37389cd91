/** The next page on its way while the current one is worked on: when it is asked for, and what becomes of it. */

import { ApiError, InvalidRequestError, type ListOptions, PaymentsError } from 'payments-client';
import { expect, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { createClient } from '../support/mock-service.ts';

const total = 10;

/** A client of a service with ten products, and the cursors that it was asked for. */
function shop(answer: (after: number) => Response | Promise<Response> = pageAfter, hooks = {}) {
  const asked: number[] = [];
  const fetch = async (request: Request) => {
    const after = Number(new URL(request.url).searchParams.get('starting_after') ?? 0);
    asked.push(after);
    return answer(after);
  };
  const { products } = createClient({ fetch, hooks, maxRetries: 0 });
  return { asked, list: (options?: ListOptions) => products.list({ limit: 4 }, options) };
}

/** Pages of four: 1 to 4, 5 to 8, 9 and 10. */
function pageAfter(after: number): Response {
  const last = Math.min(after + 4, total);
  const data = Array.from({ length: last - after }, (_, index) => product(String(after + index + 1)));
  return Response.json({ data, has_more: last < total, next_cursor: last < total ? String(last) : null });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function take(items: AsyncIterator<{ id: string }>, count: number): Promise<void> {
  for (let taken = 0; taken < count; taken += 1) await items.next();
}

test('a consumer that stops within the first half of a page has asked for no other', async () => {
  const { asked, list } = shop();
  for await (const { id } of list()) if (id === '2') break;
  expect(asked).toEqual([0]);
  for await (const { id } of list()) if (id === '6') break;
  expect(asked).toEqual([0, 0, 4]);
});

test('the next page is asked for as the second half of a page begins', async () => {
  const { asked, list } = shop();
  const items = list()[Symbol.asyncIterator]();
  await take(items, 2).then(turn);
  expect(asked).toEqual([0]);
  await take(items, 1).then(turn);
  expect(asked).toEqual([0, 4]);
  await take(items, 3).then(turn);
  expect(asked).toEqual([0, 4]);
  await take(items, 1).then(turn);
  expect(asked).toEqual([0, 4, 8]);
});

test('never more than one page is ahead, however long the consumer takes', async () => {
  let arrived = () => {};
  const { asked, list } = shop((after) => {
    if (after > 0) arrived();
    return pageAfter(after);
  });
  const ahead = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const items = list()[Symbol.asyncIterator]();
  await take(items, 3);
  await ahead;
  await turn();
  expect(asked).toEqual([0, 4]);
});

test('prefetch: false asks for a page when it is needed', async () => {
  const { asked, list } = shop();
  const items = list({ prefetch: false })[Symbol.asyncIterator]();
  await take(items, 4);
  expect(asked).toEqual([0]);
  await take(items, 1);
  expect(asked).toEqual([0, 4]);
});

test('toArray asks for no page that it does not need', async () => {
  const { asked, list } = shop();
  expect(await list().toArray({ max: 4 })).toHaveLength(4);
  expect(asked).toEqual([0]);
  expect(await list().toArray({ max: 5 })).toHaveLength(5);
  expect(asked).toEqual([0, 0, 4]);
});

test('the whole list takes as many requests as it has pages', async () => {
  const { asked, list } = shop();
  expect(await list().toArray({ max: 100 })).toHaveLength(total);
  expect(asked).toEqual([0, 4, 8]);
});

test('a page that failed is told after the items before it', async () => {
  const { list } = shop((after) => (after === 4 ? new Response('', { status: 400 }) : pageAfter(after)));
  const seen: string[] = [];
  const walk = async () => {
    for await (const { id } of list()) seen.push(id);
  };
  await failureOf(walk(), ApiError);
  expect(seen).toEqual(['1', '2', '3', '4']);
});

test('a page that nobody waits for any more is given up, which is no failure', async () => {
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
    await turn();
    if (id === '3') break;
  }
  await turn();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(onError).not.toHaveBeenCalled();
});

test('the signal of the caller ends a page on its way as well', async () => {
  const controller = new AbortController();
  const { list } = shop((after) => (after === 0 ? pageAfter(0) : new Promise<Response>(() => {})));
  const walk = async () => {
    for await (const { id } of list({ signal: controller.signal })) if (id === '4') controller.abort();
  };
  expect((await failureOf(walk(), PaymentsError)).name).toBe('RequestAbortedError');
});

test('items that are asked for all at once come in order, and then the end', async () => {
  const { asked, list } = shop();
  const items = list()[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: total + 2 }, () => items.next()));
  expect(results.map(({ value }) => value?.id)).toEqual([
    ...Array.from({ length: total }, (_, index) => String(index + 1)),
    undefined,
    undefined,
  ]);
  expect(asked).toEqual([0, 4, 8]);
});

test('a walk that was left stays left, and asks for nothing more', async () => {
  const { asked, list } = shop();
  const items = list()[Symbol.asyncIterator]();
  await take(items, 1);
  expect(await items.return?.()).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(asked).toEqual([0]);
});

test('a walk that is left while a page is on its way stays left when it comes', async () => {
  const { list } = shop();
  const items = list({ prefetch: false })[Symbol.asyncIterator]();
  const first = items.next();
  await items.return?.();
  expect(await first).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test('a walk that failed is over', async () => {
  const { asked, list } = shop(() => new Response('', { status: 400 }));
  const items = list()[Symbol.asyncIterator]();
  await failureOf(items.next(), ApiError);
  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(asked).toEqual([0]);
});

test('an option that is not true or false is refused before anything is sent', async () => {
  const { asked, list } = shop();
  const options: object = { prefetch: 'yes' };
  const error = await failureOf(list(options), InvalidRequestError);
  expect(error.issues).toMatchObject([{ path: 'options.prefetch' }]);
  expect(asked).toEqual([]);
});
