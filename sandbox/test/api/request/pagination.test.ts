import { expect, test } from 'vitest';
import { codeOf, read, readPage, start } from '../../../../test/support/sandbox-requests.ts';

type ProductPage = Awaited<ReturnType<typeof readPage>>;

function shop(count: number, options?: Parameters<typeof start>[0]) {
  const service = start(options);
  const newestFirst = Array.from({ length: count }, () => service.sandbox.add('product').id).reverse();
  const page = async (query: string) => readPage(await service.request(`/v1/products${query}`));
  return { ...service, newestFirst, page };
}

function ids({ data }: ProductPage): string[] {
  return data.map(({ id }) => id);
}

test('a list starts with the newest, 20 by default', async () => {
  const { page, newestFirst } = shop(25);
  const first = await page('');
  expect(ids(first)).toEqual(newestFirst.slice(0, 20));
  expect(first.has_more).toBe(true);
  expect(first.next_cursor).toBe(newestFirst[19]);
});

test('the next page starts after the cursor, and the last has no cursor', async () => {
  const { page, newestFirst } = shop(5);
  const last = await page(`?limit=2&starting_after=${newestFirst[2]}`);
  expect(ids(last)).toEqual(newestFirst.slice(3));
  expect(last.has_more).toBe(false);
  expect(last).not.toHaveProperty('next_cursor');
});

test('a page that ends exactly with the oldest object is the last', async () => {
  const { page } = shop(4);
  expect((await page('?limit=4')).has_more).toBe(false);
  expect((await page('?limit=2&offset=2')).has_more).toBe(false);
});

test('an empty list, and a page after the oldest object, are empty and terminal', async () => {
  expect(await shop(0).page('')).toEqual({ data: [], has_more: false });
  const { page, newestFirst } = shop(3);
  expect(await page(`?starting_after=${newestFirst[2]}`)).toEqual({ data: [], has_more: false });
  expect(await page('?offset=3')).toEqual({ data: [], has_more: false });
  expect(await page('?offset=4')).toEqual({ data: [], has_more: false });
  expect(await page('?offset=99')).toEqual({ data: [], has_more: false });
});

test('an offset skips that many of the newest', async () => {
  const { page, newestFirst } = shop(10);
  const second = await page('?limit=3&offset=3');
  expect(ids(second)).toEqual(newestFirst.slice(3, 6));
  expect(second.has_more).toBe(true);
  expect(second.next_cursor).toBe(newestFirst[5]);
});

test('cursor pagination returns every older object once, in order, while new ones are created', async () => {
  const { sandbox, page, newestFirst } = shop(1_000);
  const seen: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next: ProductPage = await page(`?limit=37${cursor && `&starting_after=${cursor}`}`);
    seen.push(...ids(next));
    sandbox.add('product');
    expect(next.has_more).toBe(next.next_cursor !== undefined);
    cursor = next.next_cursor;
  }
  expect(seen).toEqual(newestFirst);
});

test('offset pages shift when objects are created meanwhile', async () => {
  const { sandbox, page, newestFirst } = shop(4);
  await page('?limit=2&offset=0');
  sandbox.add('product');
  expect(ids(await page('?limit=2&offset=2'))).toEqual(newestFirst.slice(1, 3));
});

async function remove({ request }: ReturnType<typeof shop>, id: string | undefined): Promise<void> {
  await request(`/v1/products/${id}`, { method: 'DELETE' });
}

test('pagination continues from a deleted cursor', async () => {
  const service = shop(6);
  const { page, newestFirst } = service;
  const { next_cursor } = await page('?limit=2');
  await remove(service, next_cursor);
  const rest = await page(`?limit=2&starting_after=${next_cursor}`);
  expect(ids(rest)).toEqual(newestFirst.slice(2, 4));
  expect(rest.next_cursor).toBe(newestFirst[3]);
});

test('pagination returns every remaining object once, in order, while others are deleted', async () => {
  const service = shop(500);
  const { page, newestFirst } = service;
  const seen: string[] = [];
  const gone = new Set<string | undefined>();
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next: ProductPage = await page(`?limit=13${cursor && `&starting_after=${cursor}`}`);
    seen.push(...ids(next));
    cursor = next.next_cursor;
    // Deletes the cursor itself, an object before it, and one after it.
    for (const id of [cursor, newestFirst[seen.length - 5], newestFirst[seen.length + gone.size + 7]]) {
      if (id !== undefined && !seen.includes(id)) gone.add(id);
      await remove(service, id);
    }
  }
  expect(gone.size).toBeGreaterThan(20);
  expect(seen).toEqual(newestFirst.filter((id) => !gone.has(id)));
});

test('pages contain no deleted objects, and has_more ignores them', async () => {
  const service = shop(6);
  const { page, newestFirst } = service;
  for (const index of [1, 3, 5]) await remove(service, newestFirst[index]);
  const [a, , b, , c] = newestFirst;
  expect(await page('?limit=3')).toMatchObject({ data: [{ id: a }, { id: b }, { id: c }], has_more: false });
  expect(await page('?limit=2')).toMatchObject({ data: [{ id: a }, { id: b }], has_more: true });
  expect(ids(await page('?limit=2&offset=1'))).toEqual([b, c]);
  expect(ids(await page(`?starting_after=${newestFirst[1]}`))).toEqual([b, c]);
  expect(await page(`?starting_after=${newestFirst[5]}`)).toEqual({ data: [], has_more: false });
});

test('an object that is created after a deletion is the newest', async () => {
  const service = shop(3);
  const { sandbox, page, newestFirst } = service;
  await remove(service, newestFirst[1]);
  const newest = sandbox.add('product').id;
  expect(ids(await page(''))).toEqual([newest, newestFirst[0], newestFirst[2]]);
  expect(ids(await page(`?starting_after=${newest}`))).toEqual([newestFirst[0], newestFirst[2]]);
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
  expect(whole).not.toHaveProperty('next_cursor');
  expect(whole.has_more).toBe(false);
  expect(ids(await page(`?starting_after=${newestFirst[9]}`))).toEqual(newestFirst.slice(10));
  const first = await page('?limit=20');
  expect(ids(first)).toEqual(newestFirst.slice(0, 20));
  expect([first.has_more, first.next_cursor]).toEqual([true, newestFirst[19]]);
});

test.each([
  '?limit=0',
  '?limit=-1',
  '?limit=1.5',
  '?limit=ten',
  '?limit=',
  '?offset=-1',
  '?offset=1e3',
  '?starting_after=prod_nowhere',
  '?starting_after=',
])('a list rejects %s', async (query) => {
  const { request } = shop(3);
  const refused = await request(`/v1/products${query}`);
  expect(refused.status).toBe(400);
  expect(await codeOf(refused)).toBe('INVALID_PARAMETER');
});

test('an id of another collection is rejected as a cursor', async () => {
  const { request, post } = shop(3);
  const { id } = await post('/v1/customers', {});
  expect((await request(`/v1/products?starting_after=${id}`)).status).toBe(400);
});

test('the name of the items field is configurable', async () => {
  const { request } = shop(1, { interface: { itemsField: 'products' } });
  const page = await read(await request('/v1/products'));
  expect(Object.keys(page)).toEqual(['products', 'has_more']);
});
