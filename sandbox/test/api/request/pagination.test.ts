import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read, readPage, refusal, start } from '../../../../test/support/sandbox-requests.ts';
import { bySize } from '../../../../test/support/size.ts';

type Page = Awaited<ReturnType<typeof readPage>>;

function shop(count: number, options?: Parameters<typeof start>[0]) {
  const service = start(options);
  const newestFirst = Array.from({ length: count }, () => service.sandbox.add('product').id).reverse();
  const page = async (query: string) => readPage(await service.request(`/v1/products${query}`));
  const remove = (id: string | undefined) => service.request(`/v1/products/${id}`, { method: 'DELETE' });
  return { ...service, newestFirst, page, remove };
}

const ids = ({ data }: Page) => data.map(({ id }) => id);

test('a list starts with the newest, 20 by default', async () => {
  const { page, newestFirst } = shop(25);
  const first = await page('');
  expect(ids(first)).toEqual(newestFirst.slice(0, 20));
  expect([first.has_more, first.next_cursor]).toEqual([true, newestFirst[19]]);
});

/** What happens between two pages, at the places of objects in the list. */
const change = fc.record({
  kind: fc.constantFrom('add', 'remove', 'remove the cursor'),
  place: fc.nat(40),
});

test('a walk by cursor has each object that stays once, in order, and none that is added meanwhile', async () => {
  const walk = fc.record({
    count: fc.nat(40),
    limit: fc.integer({ min: 1, max: 12 }),
    changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(walk, async ({ count, limit, changes }) => {
      const { sandbox, page, remove, newestFirst } = shop(count);
      const seen: string[] = [];
      const gone = new Set<string>();
      let left = newestFirst;
      let cursor: string | undefined = '';
      for (let turn = 0; cursor !== undefined; turn += 1) {
        const next: Page = await page(`?limit=${limit}${cursor && `&starting_after=${cursor}`}`);
        const rest = left.filter((id) => !seen.includes(id));
        expect(ids(next)).toEqual(rest.slice(0, limit));
        expect([next.has_more, next.next_cursor]).toEqual(
          rest.length > limit ? [true, rest[limit - 1]] : [false, undefined],
        );
        seen.push(...ids(next));
        cursor = next.next_cursor;
        for (const { kind, place } of changes[turn] ?? []) {
          const id = kind === 'remove' ? newestFirst[place] : cursor;
          if (kind === 'add') sandbox.add('product');
          else if (id !== undefined) {
            await remove(id);
            gone.add(id);
          }
        }
        left = left.filter((id) => !gone.has(id));
      }
      expect(seen.filter((id) => !gone.has(id))).toEqual(left);
    }),
    { numRuns: bySize({ short: 20, all: 300 }) },
  );
});

test('an offset page has the objects that are there now, after that many of the newest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ offset: fc.nat(12), limit: fc.integer({ min: 1, max: 12 }), removed: fc.array(fc.nat(9)) }),
      async ({ offset, limit, removed }) => {
        const { sandbox, page, remove, newestFirst } = shop(10);
        for (const place of removed) await remove(newestFirst[place]);
        const newest = sandbox.add('product').id;
        const all = [newest, ...newestFirst.filter((_, place) => !removed.includes(place))];
        const found = await page(`?limit=${limit}&offset=${offset}`);
        expect(ids(found)).toEqual(all.slice(offset, offset + limit));
        const hasMore = all.length > offset + limit;
        expect([found.has_more, found.next_cursor]).toEqual([
          hasMore,
          hasMore ? ids(found).at(-1) : undefined,
        ]);
      },
    ),
    { numRuns: bySize({ short: 20, all: 200 }) },
  );
});

test.each([
  ['api_key', '/v1/api_keys'],
  ['webhook_endpoint', '/v1/webhook_endpoints'],
] as const)('the list of each %s is complete without a limit, and paginated with one', async (kind, path) => {
  const { sandbox, request } = start();
  const newestFirst = Array.from({ length: 150 }, () => sandbox.add(kind).id).reverse();
  const page = async (query: string) => readPage(await request(path + query));
  const whole = await page('');
  expect(ids(whole)).toEqual(newestFirst);
  expect([whole.has_more, whole.next_cursor]).toEqual([false, undefined]);
  expect(ids(await page(`?starting_after=${newestFirst[9]}`))).toEqual(newestFirst.slice(10));
  const first = await page('?limit=20');
  expect(ids(first)).toEqual(newestFirst.slice(0, 20));
  expect([first.has_more, first.next_cursor]).toEqual([true, newestFirst[19]]);
});

test('only an offset page is limited to 100 objects', async () => {
  const { request, page } = shop(102);
  expect(ids(await page('?limit=101'))).toHaveLength(101);
  expect(ids(await page('?limit=100&offset=0'))).toHaveLength(100);
  expect((await request('/v1/products?limit=101&offset=0')).status).toBe(400);
});

test.each([
  '?limit=0',
  '?limit=-1',
  '?limit=1.5',
  '?limit=ten',
  '?limit=',
  '?offset=-1',
  '?offset=1e3',
  '?offset=1&starting_after=FIRST',
  '?starting_after=prod_nowhere',
  '?starting_after=',
])('a list rejects %s', async (query) => {
  const { request, newestFirst } = shop(3);
  const refused = await request(`/v1/products${query.replace('FIRST', newestFirst[0] ?? '')}`);
  expect(await refusal(refused)).toEqual([400, 'INVALID_PARAMETER']);
});

test('the name of the items field is configurable', async () => {
  const { request } = shop(1, { interface: { itemsField: 'products' } });
  expect(Object.keys(await read(await request('/v1/products')))).toEqual(['products', 'has_more']);
});
