/** Reaches inside: a circle of more items than a walk remembers would take too long over HTTP. */

import { ApiError, InvalidRequestError, PaginationError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { beginTrail, follow, RecentItems } from '../../../src/http/list/list.ts';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { product } from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';

const page =
  (ids: readonly string[], next?: string, field = 'data') =>
  () =>
    json({ [field]: ids.map(product), has_more: next !== undefined, ...(next && { next_cursor: next }) });

type Answer = (cursor: string | null) => Response;

/** Lists whose requests get these answers in order, the last one again and again; and the queries that were sent. */
function service(answers: readonly Answer[], options = {}) {
  const queries: string[] = [];
  const fetch = async ({ url }: Request) => {
    const { search, searchParams } = new URL(url);
    queries.push(search);
    const answer = answers[Math.min(queries.length, answers.length) - 1];
    if (answer === undefined) throw new Error('expected an answer');
    return answer(searchParams.get('starting_after'));
  };
  const { products } = createClient({ fetch, maxRetries: 0, ...options });
  return { queries, products };
}

type Products = ReturnType<typeof service>['products'];
type List = ReturnType<Products['list']>;
interface Item {
  readonly id: string;
}

/** Every way to read a list to its end. Each item is passed on as soon as it is there. */
const walks: Readonly<Record<string, (list: List, found: (item: Item) => void) => Promise<void>>> = {
  'for await': async (list, found) => {
    for await (const item of list) found(item);
  },
  pages: async (list, found) => {
    for await (const { items } of list.pages()) for (const item of items) found(item);
  },
  nextPage: async (list, found) => {
    for (let one: Awaited<List> | undefined = await list; one !== undefined; one = await one.nextPage())
      for (const item of one.items) found(item);
  },
  toArray: async (list, found) => {
    for (const item of await list.toArray({ max: 1_000 })) found(item);
  },
  'concurrent calls of next': async (list, found) => {
    const items = list[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 12 }, () => items.next()));
    for (const { done, value } of results) if (!done) found(value);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  },
};

/** Reads a list, and returns the ids that came before its end or its error. */
async function idsOf(list: List, walk = walks['for await']) {
  const ids: string[] = [];
  const error: unknown = await walk?.(list, ({ id }) => ids.push(id)).catch((reason: unknown) => reason);
  return { ids, error };
}

describe.each(Object.entries(walks))('a list that is read by %s', (name, walk) => {
  it('has every item of every page once and in order, also after an empty page', async () => {
    const { queries, products } = service([
      page(['a', 'b'], 'b'),
      page([], 'x'),
      page(['c'], 'c'),
      page(['d']),
    ]);
    const { ids, error } = await idsOf(products.list({ limit: 2 }), walk);
    expect([ids, error]).toEqual([['a', 'b', 'c', 'd'], undefined]);
    const cursors = ['', '&starting_after=b', '&starting_after=x', '&starting_after=c'];
    expect(queries).toEqual(cursors.map((cursor) => `?limit=2${cursor}`));
  });

  it.each([
    [{}, ['', '?starting_after=b']],
    [{ starting_after: 'z' }, ['?starting_after=z', '?starting_after=b']],
    [{ limit: 2, starting_after: 'z' }, ['?limit=2&starting_after=z', '?limit=2&starting_after=b']],
    // Offset pages shift, so the rest is read by cursor.
    [{ limit: 2, offset: 4 }, ['?limit=2&offset=4', '?limit=2&starting_after=b']],
    [{ offset: 0 }, ['?offset=0', '?starting_after=b']],
  ])('starts at %j and goes on by cursor', async (params, queries) => {
    const listed = service([page(['a', 'b'], 'b'), page(['c'])]);
    expect((await idsOf(listed.products.list(params), walk)).ids).toEqual(['a', 'b', 'c']);
    expect(listed.queries).toEqual(queries);
  });

  it('is refused where it breaks the rules, after the items that came before', async () => {
    const { products } = service([
      page(['a', 'b'], 'b'),
      () => json({ data: [product('c')], has_more: true }),
    ]);
    const { ids, error } = await idsOf(products.list(), walk);
    expect(error).toMatchObject({
      name: 'PaginationError',
      code: 'MISSING_CURSOR',
      outcome: 'not_an_operation',
    });
    const isWhole = name === 'toArray' || name === 'concurrent calls of next';
    expect(ids).toEqual(isWhole ? [] : ['a', 'b']);
  });

  it('can be read again, from a new first page, also after a failed page', async () => {
    const refusal = () => json({}, { status: 400 });
    const { queries, products } = service([page(['a'], 'a'), refusal, page(['z'], 'z'), page(['a'])]);
    const list = products.list();
    expect((await idsOf(list)).error).toBeInstanceOf(ApiError);
    // What was awaited stays the first page.
    const again = name === 'nextPage' ? products.list() : list;
    expect((await idsOf(again, walk)).ids).toEqual(['z', 'a']);
    expect(queries).toHaveLength(4);
  });
});

describe('a page', () => {
  it('has items, hasMore and nextCursor, and never changes', async () => {
    const { products } = service([page(['a'], 'a'), page(['b'])]);
    const first = await products.list({ limit: 1 });
    expect(first).toMatchObject({ items: [{ id: 'a' }], hasMore: true, nextCursor: 'a' });
    const second = await first.nextPage();
    expect(second).toMatchObject({ items: [{ id: 'b' }], hasMore: false, nextCursor: undefined });
    expect(first).toMatchObject({ hasMore: true, nextCursor: 'a' });
    expect(await second?.nextPage()).toBeUndefined();
  });

  it('that is the last has no cursor, whatever the service sends', async () => {
    const { products } = service([() => json({ data: [], has_more: false, next_cursor: 'a' })]);
    expect(await products.list()).toMatchObject({ hasMore: false, nextCursor: undefined });
  });

  it('may be fetched again, which is no circle', async () => {
    const contents = new Map([
      [null, page(['a'], 'a')],
      ['a', page(['b'], 'b')],
      ['b', page(['c'])],
    ]);
    const { products } = service([(cursor) => (contents.get(cursor) ?? page(['unknown']))()]);
    const first = await products.list();
    const [second, again] = [await first.nextPage(), await first.nextPage()];
    for (const one of [second, again, second])
      expect((await one?.nextPage())?.items).toMatchObject([{ id: 'c' }]);
  });

  it('is fetched once for await and the first iteration', async () => {
    const { queries, products } = service([page(['a'])]);
    const list = products.list();
    expect((await list).items).toMatchObject([{ id: 'a' }]);
    expect((await idsOf(list)).ids).toEqual(['a']);
    expect(queries).toHaveLength(1);
    expect((await idsOf(list)).ids).toEqual(['a']);
    expect(queries).toHaveLength(2);
  });

  it('is fetched only when pages() needs it', async () => {
    const { queries, products } = service([page(['a'], 'a'), page(['b'])]);
    let count = 0;
    for await (const { items } of products.list().pages()) {
      count += items.length;
      expect(queries).toHaveLength(count);
    }
    expect(count).toBe(2);
  });
});

const [a, has_more] = [[product('a')], false];

describe('the items of a page', () => {
  it.each<readonly [body: object, itemsField?: string]>([
    ...['data', 'items', 'products', 'rows_of_any_name'].map(
      (field) => [{ [field]: a, has_more }] as [object],
    ),
    ...['data', 'items', 'products'].map((field) => [{ notes: ['x'], [field]: a, has_more }] as [object]),
    [{ items: [product('other')], data: a, has_more }],
    [{ products: [product('other')], items: a, has_more }],
    [{ rows: a, notes: [], has_more }, 'rows'],
    [{ data: [], products: a, has_more }, 'products'],
    [{ data: [product('other')], rows: a, has_more }, 'rows'],
  ])('are found in %j (itemsField: %s)', async (body, itemsField) => {
    const { products } = service([() => json(body)], { itemsField });
    expect((await idsOf(products.list())).ids).toEqual(['a']);
  });

  it('may be none beside arrays without objects', async () => {
    const body = { data: [], warnings: ['old'], links: [{ rel: 'next' }], has_more };
    expect(await idsOf(service([() => json(body)]).products.list())).toEqual({ ids: [], error: undefined });
  });

  it.each<[body: unknown, path: string, expected: string, received: string, itemsField?: string]>([
    [[], '(root)', 'a page', 'something else'],
    [{ has_more }, '(root)', 'one array of items', 'none'],
    [
      { rows: a, notes: [], has_more },
      '(root)',
      'one array of items',
      '2 arrays; set itemsField to the right one',
    ],
    // An empty list beside a full one is not taken for the end.
    [{ data: [], products: a, has_more }, '(root)', 'one array', '2 arrays; set itemsField to the right one'],
    [{ data: a, has_more }, 'rows', "an array in the field 'rows'", 'none', 'rows'],
    [
      { data: [...a, { ...product('b'), livemode: 'no' }], has_more },
      'data[1].livemode',
      'true or false',
      "'no'",
    ],
    [{ rows: [...a, null], has_more }, 'rows[1]', 'an object', 'null', 'rows'],
    [{ data: [...a, { ...product('b'), livemode: true }], has_more }, 'data[1].livemode', 'false', 'true'],
    [{ data: [{ ...product('b'), livemode: true }], has_more }, 'data[0].livemode', 'false', 'true'],
  ])('are refused in %j', async (body, path, expected, received, itemsField) => {
    const { products } = service([() => json(body)], { itemsField });
    const error = await failureOf(products.list(), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'not_an_operation', body });
    expect(error.issues).toMatchObject([
      { path, expected: expect.stringContaining(expected), received: expect.stringContaining(received) },
    ]);
  });
});

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `p${from + index}`);
const cycle = (length: number) => (cursor: string | null) =>
  page([], String((Number(cursor ?? 0) + 1) % length))();

it('items without an id repeat none, if validation is off', async () => {
  const bare = (cursor?: string) => () =>
    json({ data: [{}, {}], has_more: cursor !== undefined, next_cursor: cursor });
  const { products } = service([bare('x'), bare()], { validation: 'off' });
  expect(await products.list().toArray({ max: 9 })).toEqual([{}, {}, {}, {}]);
});

describe('a list that breaks the rules of pagination', () => {
  const body = (content: object) => [() => json(content)];

  it.each<
    [code: string, answers: readonly Answer[], ids: readonly string[], requests: number, start?: string]
  >([
    ['MISSING_HAS_MORE', body({ data: a }), [], 1],
    ['MISSING_HAS_MORE', body({ data: [], has_more: 'false' }), [], 1],
    ['MISSING_HAS_MORE', body({ data: a, has_more: null }), [], 1],
    ['MISSING_CURSOR', body({ data: a, has_more: true }), [], 1],
    ['MISSING_CURSOR', body({ data: a, has_more: true, next_cursor: '' }), [], 1],
    ['MISSING_CURSOR', body({ data: a, has_more: true, next_cursor: 5 }), [], 1],
    ['CURSOR_DID_NOT_MOVE', [page(['a'], 'a'), page(['b'], 'a')], ['a'], 2],
    ['CURSOR_DID_NOT_MOVE', [page(['a'], 'start')], [], 1, 'start'],
    ['REPEATED_ITEM', [page(['a', 'b'], 'x'), page(['b', 'c'], 'y')], ['a', 'b'], 2],
    ['REPEATED_ITEM', [page(['a', 'b'], 'x'), page(['c'], 'y'), page(['a'])], ['a', 'b', 'c'], 3],
    ['REPEATED_ITEM', [page(['a'], 'x'), page(['b', 'c', 'b'], 'y')], ['a'], 2],
    ['REPEATED_ITEM', [page(['a', 'b'])], [], 1, 'a'],
    [
      'REPEATED_ITEM',
      [...numbered(0, 30).map((id) => page([id], `after-${id}`)), page(['p0', 'x'])],
      numbered(0, 30),
      31,
    ],
  ])(
    'is refused as %s there, and what came before is returned: %#',
    async (code, answers, ids, requests, start) => {
      const { queries, products } = service(answers);
      const walked = await idsOf(products.list({ starting_after: start }));
      expect(walked.ids).toEqual(ids);
      expect(walked.error).toBeInstanceOf(PaginationError);
      expect(walked.error).toMatchObject({ code, outcome: 'not_an_operation', retryable: false });
      expect(walked.error).toMatchObject({ message: expect.stringContaining('not complete') });
      expect(queries).toHaveLength(requests);
    },
  );

  it.each([2, 3, 7, 10])('is refused soon if its cursors form a cycle of %i', async (length) => {
    const { queries, products } = service([cycle(length)]);
    expect((await idsOf(products.list())).error).toMatchObject({ code: 'CURSOR_DID_NOT_MOVE' });
    expect(queries.length).toBeLessThan(5 * length + 5);
  });

  it.each([3, 38, 200])('is refused in a circle of %i pages, longer than what a walk remembers', (length) => {
    // The first two pages are outside of the circle, and each cursor is new.
    const walk = () => {
      let trail = beginTrail(undefined, new RecentItems(5));
      for (let number = 0; number < 5 * length + 5; number += 1) {
        const at = number < 2 ? number : 2 + ((number - 2) % length);
        const items = numbered(at * 10, (at + 1) * 10).map((id) => ({ id }));
        trail = follow('products.list', trail, { items, hasMore: true, nextCursor: `cursor-${number}` });
      }
    };
    expect(walk).toThrow(expect.objectContaining({ code: 'REPEATED_ITEM' }));
  });

  it.each([
    [99, true],
    [100, false],
  ])('may have %i empty pages in a row: %s', async (count, isWhole) => {
    const empty = Array.from({ length: count }, (_, index) => page([], `cursor-${index}`));
    const { products } = service([
      page(['a'], 'a'),
      ...empty,
      page(['b'], 'b'),
      ...empty.slice(1).map((_, index) => page([], `more-${index}`)),
      page(['c']),
    ]);
    const { ids, error } = await idsOf(products.list());
    expect(ids).toEqual(isWhole ? ['a', 'b', 'c'] : ['a']);
    if (!isWhole) expect(error).toMatchObject({ name: 'PaginationError', code: 'EMPTY_PAGES' });
  });
});

describe('toArray', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [9, 3],
  ])('with max %i requests %i pages', async (max, requests) => {
    const { queries, products } = service([page(['a', 'b'], 'b'), page(['c', 'd'], 'd'), page(['e'])]);
    const items = await products.list().toArray({ max });
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'].slice(0, max));
    expect(queries).toHaveLength(requests);
  });

  it.each([undefined, {}, { max: 0 }, { max: 1.5 }, { max: Number.POSITIVE_INFINITY }, { max: 1, min: 0 }])(
    'refuses %j, and the list can still be read',
    async (options) => {
      const { queries, products } = service([page(['a'])]);
      const list = products.list();
      const error = await failureOf(list.toArray(anything(options)), InvalidRequestError);
      expect(error.message).toMatch(/^products\.list\.toArray: m(ax|in): expected /);
      expect(await list.toArray({ max: 1 })).toHaveLength(1);
      expect(queries).toHaveLength(1);
    },
  );
});

describe('the parameters of a list', () => {
  const limits = { interface: { maxLimit: 50 } };

  it.each<readonly [params: object, path: string, received: string, options?: object]>([
    [{ limit: 0 }, 'limit', 'the number 0'],
    [{ limit: 1.5 }, 'limit', 'the number 1.5'],
    [{ limit: 101, offset: 0 }, 'limit', 'the number 101'],
    [{ limit: 51 }, 'limit', 'the number 51', limits],
    [{ offset: -1 }, 'offset', 'the number -1'],
    [{ offset: 1, starting_after: 'x' }, 'offset', 'both'],
    [{ starting_after: '' }, 'starting_after', 'an empty string'],
    [{ starting_after: 7 }, 'starting_after', 'the number 7'],
    ...['status', 'active', 'created'].map(
      (filter) => [{ limit: 1, [filter]: 'x' }, filter, 'an unknown option'] as const,
    ),
  ])('%j are refused', async (params, path, received, options) => {
    const { queries, products } = service([page(['a'])], options);
    const error = await failureOf(products.list(anything(params)), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path, received }]);
    expect(error.message.includes('No filter is documented')).toBe(received === 'an unknown option');
    expect(queries).toEqual([]);
  });

  it.each<readonly [params: object, options?: object]>([
    [{ limit: 100, offset: 0 }],
    [{ limit: 1 }],
    [{ limit: 50 }, limits],
    [{ limit: 51, offset: 0 }, limits],
  ])('may be %j', async (params, options) => {
    const { products } = service([page(['a'])], options);
    expect((await products.list(params)).items).toHaveLength(1);
  });

  it('has at most 100 items from an offset, and no maximum by cursor', async () => {
    const { queries, products } = service([page(['a'])]);
    expect((await products.list({ limit: 101 })).items).toHaveLength(1);
    expect(queries).toEqual(['?limit=101']);
    await failureOf(products.list({ limit: 101, offset: 0 }), InvalidRequestError);
  });
});
