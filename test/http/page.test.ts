/** Reaches inside: a circle of more items than a walk remembers would take too long over HTTP. */

import {
  ApiError,
  InvalidRequestError,
  PaginationError,
  PaymentsError,
  ResponseValidationError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { beginTrail, follow, RecentItems } from '../../src/http/page-body.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { type Arrival, answered, createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();

const page = (ids: readonly string[], next?: string, field = 'data') =>
  json({ [field]: ids.map(product), has_more: next !== undefined, ...(next && { next_cursor: next }) });

async function ids(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of items) found.push(id);
  return found;
}

const queries = () => service.arrivals.map(({ url }) => url.search);

describe('for await over a list', () => {
  it('yields every item of every page, in order', async () => {
    service.answers(page(['a', 'b'], 'b'), page(['c', 'd'], 'd'), page(['e']));
    expect(await ids(createClient().products.list({ limit: 2 }))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries()).toEqual(['?limit=2', '?limit=2&starting_after=b', '?limit=2&starting_after=d']);
  });

  it('starts where a stored cursor says', async () => {
    service.answers(page(['c']));
    await ids(createClient().products.list({ starting_after: 'b' }));
    expect(queries()).toEqual(['?starting_after=b']);
  });

  it('that starts from an offset continues by cursor', async () => {
    service.answers(page(['c'], 'c'), page(['d']));
    expect(await ids(createClient().products.list({ limit: 1, offset: 2 }))).toEqual(['c', 'd']);
    expect(queries()).toEqual(['?limit=1&offset=2', '?limit=1&starting_after=c']);
  });

  it.each(['status', 'active', 'created'])(
    'refuses the filter %s, which the service may ignore',
    async (filter) => {
      const params: object = { limit: 1, [filter]: 'x' };
      const error = await failureOf(ids(createClient().products.list(params)), InvalidRequestError);
      expect(error.issues).toMatchObject([{ path: filter, received: 'an unknown option' }]);
      expect(error.message).toContain('No filter is documented');
      expect(service.arrivals).toHaveLength(0);
    },
  );

  it('continues after an empty page with has_more', async () => {
    service.answers(page(['a'], 'a'), page([], 'x'), page(['b']));
    expect(await ids(createClient().products.list())).toEqual(['a', 'b']);
  });

  it('sends no request before it starts or after it stops', async () => {
    service.answers(page(['a', 'b'], 'b'));
    const list = createClient().products.list();
    await Promise.resolve();
    expect(service.arrivals).toHaveLength(0);
    for await (const { id } of list) if (id === 'b') break;
    expect(service.arrivals).toHaveLength(1);
  });

  it('starts again each time', async () => {
    service.answers(page(['a'], 'a'), page(['b']), page(['z'], 'z'), page(['a']));
    const list = createClient().products.list();
    expect(await ids(list)).toEqual(['a', 'b']);
    expect(await ids(list)).toEqual(['z', 'a']);
  });

  it('can be repeated after a failed page', async () => {
    service.answers(page(['a'], 'a'), json({}, { status: 400 }), page(['a'], 'a'), page(['b']));
    const list = createClient().products.list();
    await failureOf(ids(list), ApiError);
    expect(await ids(list)).toEqual(['a', 'b']);
  });
});

describe('a page', () => {
  it('has items, hasMore and nextCursor', async () => {
    service.answers(page(['a'], 'a'), page(['b']));
    const first = await createClient().products.list({ limit: 1 });
    expect(first).toMatchObject({ items: [{ id: 'a' }], hasMore: true, nextCursor: 'a' });
    const second = await first.nextPage();
    expect(second).toMatchObject({ items: [{ id: 'b' }], hasMore: false, nextCursor: undefined });
    expect(first.nextCursor).toBe('a');
    expect(await second?.nextPage()).toBeUndefined();
  });

  it('returns its next page more than once', async () => {
    service.answers(page(['a'], 'a'), page(['b'], 'b'), page(['b'], 'b'), page(['c']));
    const first = await createClient().products.list();
    await first.nextPage();
    const again = await first.nextPage();
    expect((await again?.nextPage())?.items).toMatchObject([{ id: 'c' }]);
  });

  it('returns its response', async () => {
    service.answers(json({ data: [], has_more: false }, { headers: { 'x-request-id': 'req_p' } }));
    const { data, response } = await createClient().products.list().withResponse();
    expect(data.items).toEqual([]);
    expect(response).toMatchObject({ requestId: 'req_p', attempts: 1 });
  });

  it('is requested only when pages() needs it', async () => {
    service.answers(page(['a'], 'a'), page(['b']));
    const sizes: number[] = [];
    for await (const { items } of createClient().products.list().pages()) {
      sizes.push(items.length);
      expect(service.arrivals).toHaveLength(sizes.length);
    }
    expect(sizes).toEqual([1, 1]);
  });

  it.each(['data', 'items', 'products', 'rows_of_any_name'])('may have its items in %s', async (field) => {
    service.answers(page(['a'], undefined, field));
    expect(await ids(createClient().products.list())).toEqual(['a']);
  });

  it.each(['data', 'items', 'products'])('may have other arrays beside %s', async (field) => {
    service.answers(json({ notes: ['x'], [field]: [product('a')], has_more: false }));
    expect(await ids(createClient().products.list())).toEqual(['a']);
  });

  it('with two arrays of unknown names is refused unless itemsField names one', async () => {
    service.answers(json({ rows: [product('a')], notes: [], has_more: false }));
    const error = await failureOf(createClient().products.list(), ResponseValidationError);
    expect(error.message).toContain('itemsField');
    expect(await ids(createClient({ itemsField: 'rows' }).products.list())).toEqual(['a']);
  });

  it('with an empty and a full array is not read as empty', async () => {
    service.answers(json({ data: [], products: [product('a')], has_more: false }));
    const error = await failureOf(ids(createClient().products.list()), ResponseValidationError);
    expect(error.issues).toEqual([
      {
        path: '(root)',
        expected: 'one array of items',
        received: '2 arrays; set itemsField to the right one',
      },
    ]);
    expect(await ids(createClient({ itemsField: 'products' }).products.list())).toEqual(['a']);
  });

  it('that is empty may have other arrays without objects', async () => {
    service.answers(json({ data: [], warnings: ['old'], links: [{ rel: 'next' }], has_more: false }));
    expect(await ids(createClient().products.list())).toEqual([]);
  });

  it.each([
    ['an array', json([])],
    ['without items', json({ has_more: false })],
  ])('that is %s is refused', async (_what, response) => {
    service.answers(response);
    await failureOf(createClient().products.list(), ResponseValidationError);
  });
});

describe('a list that violates the pagination rules', () => {
  it.each([
    ['MISSING_HAS_MORE', json({ data: [product('a')] })],
    ['MISSING_HAS_MORE', json({ data: [], has_more: 'false' })],
    ['MISSING_CURSOR', json({ data: [product('a')], has_more: true })],
    ['MISSING_CURSOR', json({ data: [product('a')], has_more: true, next_cursor: '' })],
    ['MISSING_CURSOR', json({ data: [product('a')], has_more: true, next_cursor: 5 })],
  ])('is refused as %s', async (code, response) => {
    service.answers(response);
    const error = await failureOf(ids(createClient().products.list()), PaginationError);
    expect(error).toMatchObject({ code, outcome: 'not_executed' });
    expect(error.message).toContain('not complete');
  });

  it('is refused if its cursor does not advance', async () => {
    service.answers(page(['a'], 'a'));
    const error = await failureOf(ids(createClient().products.list()), PaginationError);
    expect(error.code).toBe('CURSOR_DID_NOT_MOVE');
    expect(service.arrivals).toHaveLength(2);
  });

  it('is refused if its cursors enter a cycle later', async () => {
    service.answers(
      ...['a', 'b', 'c', 'd'].map((next) => page([next], next)),
      ...Array.from({ length: 8 }, (_, index) => page([`x${index}`], index % 2 === 0 ? 'c' : 'd')),
      json({}, { status: 400 }),
    );
    const error = await failureOf(ids(createClient().products.list()), PaginationError);
    expect(error.code).toBe('CURSOR_DID_NOT_MOVE');
  });

  it('is refused if a cursor equals the one that it started from', async () => {
    service.answers(page(['a'], 'start'));
    const list = createClient().products.list({ starting_after: 'start' });
    expect((await failureOf(ids(list), PaginationError)).code).toBe('CURSOR_DID_NOT_MOVE');
  });

  it.each([2, 3, 7, 10])('is refused if its cursors form a cycle of %i', async (length) => {
    service.answers(({ url }: Arrival) => {
      const cursor = (Number(url.searchParams.get('starting_after') ?? 0) + 1) % length;
      return page([], String(cursor));
    });
    expect((await failureOf(ids(createClient().products.list()), PaginationError)).code).toBe(
      'CURSOR_DID_NOT_MOVE',
    );
    expect(service.arrivals.length).toBeLessThan(5 * length + 5);
  });
});

describe('a list that repeats an item', () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => String(from + index));

  it.each([
    [
      'on the next page',
      [
        ['a', 'b'],
        ['b', 'c'],
      ],
    ],
    ['on its last page', [['a', 'b'], ['c'], ['a']]],
    ['within a page', [['a'], ['b', 'c', 'b'], ['d']]],
    ['many pages later', [...numbered(0, 30).map((id) => [id]), ['0', 'x']]],
  ])('%s is refused there, and what came before is returned', async (_what, contents) => {
    const wrong = contents.findIndex((own, index) =>
      own.some((id, place) => [...contents.slice(0, index).flat(), ...own.slice(0, place)].includes(id)),
    );
    service.answers(
      ...contents.map((own, index) => page(own, index + 1 < contents.length ? `cursor-${index}` : undefined)),
    );
    const found: string[] = [];
    const walk = async () => {
      for await (const { id } of createClient().products.list({ limit: 2 })) found.push(id);
    };
    const error = await failureOf(walk(), PaginationError);
    expect(error).toMatchObject({ code: 'REPEATED_ITEM', outcome: 'not_executed', retryable: false });
    expect(error.message).toBe(
      'products.list: expected a page of items that did not come before, got one that repeats an item. The list is not complete: do not treat these items as all of it.',
    );
    expect(found).toEqual(contents.slice(0, wrong).flat());
    expect(service.arrivals).toHaveLength(wrong + 1);
  });

  it('is refused if the item is the one that it starts after', async () => {
    service.answers(page(['a', 'b']));
    const list = createClient().products.list({ starting_after: 'a' });
    expect((await failureOf(list, PaginationError)).code).toBe('REPEATED_ITEM');
  });

  it('is refused page by page too', async () => {
    service.answers(page(['a'], 'x'), page(['b'], 'y'), page(['a'], 'z'));
    const second = await (await createClient().products.list()).nextPage();
    expect(second?.items).toMatchObject([{ id: 'b' }]);
    expect((await failureOf(Promise.resolve(second?.nextPage()), PaginationError)).code).toBe(
      'REPEATED_ITEM',
    );
  });

  it('may be read again, and each page may be fetched again', async () => {
    const contents: Record<string, Response> = { '': page(['a'], 'a'), a: page(['b'], 'b'), b: page(['c']) };
    service.answers(({ url }: Arrival) => {
      const answer = contents[url.searchParams.get('starting_after') ?? ''];
      if (answer === undefined) throw new Error('expected a known cursor');
      return answer.clone();
    });
    const list = createClient().products.list();
    expect(await ids(list)).toEqual(['a', 'b', 'c']);
    expect(await ids(list)).toEqual(['a', 'b', 'c']);
    const first = await createClient().products.list();
    const second = await first.nextPage();
    expect((await second?.nextPage())?.items).toMatchObject([{ id: 'c' }]);
    const again = await first.nextPage();
    expect((await again?.nextPage())?.items).toMatchObject([{ id: 'c' }]);
    expect((await second?.nextPage())?.items).toMatchObject([{ id: 'c' }]);
  });

  it.each([3, 38, 200])('is refused in a circle of %i pages, longer than what a walk remembers', (length) => {
    // The first two pages are outside of the circle, and each cursor is new.
    const requests = () => {
      let trail = beginTrail(undefined, new RecentItems(5));
      for (let number = 0; number < 5 * length + 5; number += 1) {
        const at = number < 2 ? number : 2 + ((number - 2) % length);
        const items = numbered(at * 10, (at + 1) * 10).map((id) => ({ id }));
        trail = follow('products.list', trail, { items, hasMore: true, nextCursor: `cursor-${number}` });
      }
    };
    expect(requests).toThrow(expect.objectContaining({ code: 'REPEATED_ITEM' }));
  });
});

describe('a row of empty pages', () => {
  /** Answers with so many empty pages after the first, each with a new cursor, and then with an item. */
  const answerEmpty = (count: number) => {
    const seen = { asked: 0 };
    const fetch = async () => {
      seen.asked += 1;
      if (seen.asked === 1) return page(['a'], 'a');
      return seen.asked <= count + 1 ? page([], `cursor-${seen.asked}`) : page(['b']);
    };
    return { seen, list: () => createClient({ fetch }).products.list() };
  };

  it('is refused if it seems endless', async () => {
    const { seen, list } = answerEmpty(Number.POSITIVE_INFINITY);
    const error = await failureOf(ids(list()), PaginationError);
    expect(error.code).toBe('EMPTY_PAGES');
    expect(error.message).toContain(
      'products.list: expected an item or the end of the list within 100 pages, got none.',
    );
    expect(seen.asked).toBe(1 + 100);
  });

  it('is no end if it is shorter', async () => {
    expect(await ids(answerEmpty(99).list())).toEqual(['a', 'b']);
  });
});

describe('toArray', () => {
  it('returns the first items, and requests no page that it does not need', async () => {
    service.answers(page(['a', 'b'], 'b'), page(['c', 'd'], 'd'));
    const items = await createClient().products.list().toArray({ max: 4 });
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(service.arrivals).toHaveLength(2);
  });

  it('returns all items if there are fewer', async () => {
    service.answers(page(['a']));
    expect(await createClient().products.list().toArray({ max: 10 })).toHaveLength(1);
  });

  it('refuses a max that is not a count', async () => {
    service.answers(page(['a']));
    const list = createClient().products.list();
    await failureOf(list.toArray({ max: 0 }), InvalidRequestError);
    await failureOf(list.toArray(undefined as never), InvalidRequestError);
    await failureOf(list.toArray({ max: Number.POSITIVE_INFINITY }), InvalidRequestError);
    expect(await list.toArray({ max: 1 })).toHaveLength(1);
    expect(service.arrivals).toHaveLength(1);
  });
});

const offlineClient = createClient({
  fetch: () => {
    throw new Error('expected nothing to be sent');
  },
});

const { products } = offlineClient;

describe('a list', () => {
  const incomplete = 'The list is not complete: do not treat these items as all of it.';

  it.each([
    [{ data: [] }, `products.list: expected a page with has_more, got one without. ${incomplete}`],
    [
      { data: [], has_more: true },
      `products.list: expected a page with next_cursor since has_more is true, got one without. ${incomplete}`,
    ],
    [
      { data: [product('a')], has_more: true, next_cursor: 'a' },
      `products.list: expected a next_cursor that moves on, got one that was followed before. ${incomplete}`,
    ],
  ])('cannot be completed after the body %j', async (body, message) => {
    const walk = answered(body).products.list().toArray({ max: 9 });
    expect(await failureOf(walk, PaginationError)).toMatchObject({ message });
  });

  const notRead = 'The response is invalid:';
  const facts = 'products.list: status 200.';
  it.each([
    [[], {}, `${notRead} expected a page, got something else. ${facts}`],
    [{}, {}, `${notRead} expected one array of items, got none. ${facts}`],
    [
      { a: [], b: [] },
      {},
      `${notRead} expected one array of items, got 2 arrays; set itemsField to the right one. ${facts}`,
    ],
    [
      { data: [] },
      { itemsField: 'rows' },
      `${notRead} rows: expected an array in the field 'rows', got none. ${facts}`,
    ],
  ])('is not found in the body %j', async (body, options, message) => {
    const error = await failureOf(answered(body, options).products.list(), PaymentsError);
    expect(error.message).toBe(message);
  });

  it.each<[message: string, call: () => PromiseLike<unknown>]>([
    ['products.list: limit: expected an integer from 1, got the number 0', () => products.list({ limit: 0 })],
    [
      'products.list: limit: expected an integer from 1 to 100, got the number 101',
      () => products.list({ limit: 101, offset: 0 }),
    ],
    [
      'products.list: offset: expected an integer from 0, got the number -1',
      () => products.list({ offset: -1 }),
    ],
    [
      'products.list: starting_after: expected an id, got an empty string',
      () => products.list({ starting_after: '' }),
    ],
    [
      'products.list: starting_after: expected an id, got the number 7',
      () => products.list(anything({ starting_after: 7 })),
    ],
    [
      'products.list: offset: expected either offset or starting_after, got both',
      () => products.list(anything({ starting_after: 'a', offset: 1 })),
    ],
    [
      "products.list: options.timeout: expected an integer from 1 to 2147483647, in ms, got 'yes'",
      () => products.list({}, anything({ timeout: 'yes' })),
    ],
  ])('refuses: %s', async (message, call) => {
    const error = await failureOf(Promise.resolve().then(call), InvalidRequestError);
    expect(error.message).toBe(`${message}. Nothing was sent.`);
  });

  // The list has requested its first page already.
  it.each([
    [
      'products.list.toArray: max: expected an integer from 1, got nothing',
      () => products.list().toArray(anything(undefined)),
    ],
    [
      'products.list.toArray: max: expected an integer from 1, got the number 0',
      () => products.list().toArray({ max: 0 }),
    ],
  ])('refuses, when it is read: %s', async (message, call) => {
    const error = await failureOf(call(), InvalidRequestError);
    expect(error.message).toBe(`${message}.`);
  });

  it('has at most 100 items from an offset, and no maximum by cursor', async () => {
    const { products } = answered({ data: [product('a')], has_more: false });
    expect((await products.list({ limit: 100, offset: 0 })).items).toHaveLength(1);
    expect((await products.list({ limit: 101 })).items).toHaveLength(1);
  });
});
