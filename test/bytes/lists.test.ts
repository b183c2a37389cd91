/** Lists of any pages return every item once and in order, or an error, and end even if cursors form a circle. */

import fc from 'fast-check';
import { type Page, PaginationError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { product } from '../support/fixtures.ts';
import { size } from '../support/size.ts';
import { rarely } from './dimensions.ts';
import { assertAlways } from './parser.ts';
import { endingOf, scriptedService } from './service.ts';

const service = scriptedService();
const payments = service.client();

interface Item {
  readonly id: string;
}

/** The pages of a service, by cursor. */
type Pages = ReadonlyMap<string | null, Readonly<Record<string, unknown>>>;

/** Responds with the page for the request's cursor. */
function serve(pages: Pages): void {
  service.answers((query) => {
    const page = pages.get(query.get('starting_after'));
    return page === undefined ? { status: 404, body: '' } : { body: JSON.stringify(page) };
  });
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

type Walk = (payments: PaymentsClient, limit: number) => Promise<readonly Item[]>;

/** Each way to iterate over a list, to its end. */
const walks: Readonly<Record<string, Walk>> = {
  'for await': ({ products }, limit) => collect(products.list({ limit })),
  'for await from an offset': ({ products }, limit) => collect(products.list({ limit, offset: 0 })),
  pages: async ({ products }, limit) => {
    const pages = await collect(products.list({ limit }).pages());
    return pages.flatMap(({ items }) => items);
  },
  nextPage: async ({ products }, limit) => {
    const items: Item[] = [];
    let page: Page<Item> | undefined = await products.list({ limit });
    for (; page !== undefined; page = await page.nextPage()) items.push(...page.items);
    return items;
  },
  toArray: ({ products }, limit) => products.list({ limit }).toArray({ max: 10_000 }),
};

const anyWalk = fc.tuple(fc.constantFrom(...Object.values(walks)), fc.integer({ min: 1, max: 100 }));
const marks = ['', ' ', '&limit=1', '#', '%2F', '+', '/../', '🍵', '\u0000', '\u2028', '"', '__proto__', 'é'];
const mark = fc.constantFrom(...marks);
const fields = fc.constantFrom('data', 'items', 'products', 'rows', '__proto__x', 'constructor');
/** Other fields of a page. */
const company = fc.constantFrom(
  {},
  { object: 'list' },
  { total: 7, url: '/v1/products' },
  { meta: { data: [1] } },
  { next_cursor: null },
);

const itemsOf = (page: number, count: number) =>
  Array.from({ length: count }, (_, index) => product(`prod_${page}_${index}`));

/** The pages of a valid list: of each, how many items it has, what else, and what is around its cursor. */
const list = fc.tuple(
  fields,
  fc.array(fc.tuple(fc.nat(3), company, mark, mark), { minLength: 1, maxLength: 7, size: 'max' }),
);

/** Pages whose cursors lead anywhere: on, back, to themselves, or nowhere; some say it in a wrong type. */
const maze = fc.array(
  fc.record({
    count: fc.nat(3),
    leads: rarely(fc.nat(11), 8),
    hasMore: rarely(fc.constantFrom<unknown[]>('true', 1, 'x', {}), 24),
    cursor: rarely(fc.constantFrom<unknown[]>('', 7, {}, false), 24),
  }),
  { minLength: 1, maxLength: 12, size: 'max' },
);

/** Returns the expected result of a maze: all its items, or the code of the required error. */
function follow(pages: Pages): readonly unknown[] | string {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let page = pages.get(null);
  while (page !== undefined) {
    const { data, has_more, next_cursor } = page;
    if (typeof has_more !== 'boolean') return 'MISSING_HAS_MORE';
    if (Array.isArray(data)) items.push(...data);
    if (!has_more) return items;
    if (typeof next_cursor !== 'string' || next_cursor === '') return 'MISSING_CURSOR';
    if (seen.has(next_cursor)) return 'CURSOR_DID_NOT_MOVE';
    seen.add(next_cursor);
    page = pages.get(next_cursor);
  }
  throw new Error('expected that every cursor leads to a page');
}

describe('a list', () => {
  it('of valid pages returns every item once and in order, in one request for each', async () => {
    await assertAlways(
      'a list of valid pages',
      fc.tuple(list, anyWalk),
      400,
      async ([[field, rows], [walk, limit]]) => {
        const cursors = rows.map(([, , before, after], index) =>
          index === 0 ? null : `${before}${index}${after}`,
        );
        const contents = rows.map(([count], index) => itemsOf(index, count));
        const pages = new Map(
          cursors.map((cursor, index) => {
            const next = cursors[index + 1];
            const more = next === undefined ? { has_more: false } : { has_more: true, next_cursor: next };
            return [cursor, { ...rows[index]?.[1], ...more, [field]: contents[index] }] as const;
          }),
        );
        serve(pages);
        expect(await walk(payments, limit)).toEqual(contents.flat());
        expect(service.requests()).toBe(pages.size);
      },
    );
  });

  it('of a maze ends, and never returns a part as the whole', async () => {
    const endings = new Set<string>();
    await assertAlways('a list of a maze', fc.tuple(maze, anyWalk), 600, async ([rows, [walk, limit]]) => {
      const cursors = rows.map((_, index) => (index === 0 ? null : `c${index}`));
      const pages = new Map(
        rows.map(({ count, leads, hasMore, cursor }, index) => {
          const onward = (leads === undefined ? cursors[index + 1] : cursors[leads % rows.length]) ?? null;
          const has_more = hasMore ?? onward !== null;
          return [
            cursors[index] ?? null,
            { data: itemsOf(index, count), has_more, next_cursor: cursor ?? onward },
          ] as const;
        }),
      );
      serve(pages);
      const expected = follow(pages);
      const ending = await endingOf(walk(payments, limit));
      // A circle is noticed after a few rounds at most.
      expect(service.requests()).toBeLessThanOrEqual(4 * pages.size + 4);
      endings.add(typeof expected === 'string' ? expected : 'complete');
      if ('value' in ending) return expect(ending.value).toEqual(expected);
      if (!(ending.error instanceof PaginationError)) throw ending.error;
      // A circle is noticed by its items too, if it has any.
      const { code } = ending.error;
      expect(code === 'REPEATED_ITEM' ? 'CURSOR_DID_NOT_MOVE' : code).toBe(expected);
    });
    const every = ['CURSOR_DID_NOT_MOVE', 'MISSING_CURSOR', 'MISSING_HAS_MORE', 'complete'];
    if (size !== 'short') expect([...endings].sort()).toEqual(every);
  });
});
