/** A page whose cursor is not the id of its last item: the list goes on, with one warning. */

import type { Page } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { product } from '../../support/fixtures.ts';
import { createClient, json } from '../../support/mock-service.ts';

/** The ids of each page by the cursor that leads to it, and the cursor after it. */
type Pages = Readonly<Record<string, readonly [ids: readonly string[], next?: string]>>;

function listOf(pages: Pages) {
  const lines: unknown[][] = [];
  const { products } = createClient({
    maxRetries: 0,
    logger: { warn: (...line) => lines.push(line) },
    fetch: async ({ url }: Request) => {
      const [ids, next] = pages[new URL(url).searchParams.get('starting_after') ?? ''] ?? [[]];
      return json({ data: ids.map(product), has_more: next !== undefined, next_cursor: next });
    },
  });
  return { products, lines };
}

const opaque: Pages = { '': [['p4', 'p3'], 'page 2'], 'page 2': [['p2'], 'page 3'], 'page 3': [['p1']] };

describe('a list with cursors that are no ids', () => {
  it('has every item, and one warning for each walk', async () => {
    const { products, lines } = listOf(opaque);
    const list = products.list();
    const walk = async () => (await list.toArray({ max: 10 })).map(({ id }) => id);
    expect(await walk()).toEqual(['p4', 'p3', 'p2', 'p1']);
    const message =
      'products.list: expected next_cursor to be the id of the last item, got another value. The list goes on there. If items are missing, ask the service what its cursors are.';
    const line = [message, { callId: expect.any(String), operation: 'products.list' }];
    expect(lines).toEqual([line]);
    await walk();
    expect(lines).toEqual([line, line]);
  });

  it('warns once if its pages are read one by one, also twice', async () => {
    const { products, lines } = listOf(opaque);
    const first = await products.list();
    for (const _again of [1, 2]) {
      for (let page: Page<unknown> | undefined = first; page !== undefined; ) page = await page.nextPage();
    }
    expect(lines).toHaveLength(1);
  });

  it('warns of a later page too', async () => {
    const { products, lines } = listOf({ '': [['p3'], 'p3'], p3: [['p2'], 'other'], other: [['p1']] });
    await products.list().toArray({ max: 10 });
    expect(lines).toHaveLength(1);
  });

  it('shows neither the cursor nor the id, which may be anything', async () => {
    const { products, lines } = listOf({ '': [['4111111111111111'], 'sk_v1_test_51Habcdef'] });
    await products.list();
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/4111|sk_v1/);
  });
});

it.each<[what: string, pages: Pages]>([
  ['the ids of the last items', { '': [['p3', 'p2'], 'p2'], p2: [['p1']] }],
  ['a cursor after an empty page', { '': [[], 'p2'], p2: [['p1']] }],
  ['one page', { '': [['p1']] }],
])('a list with %s has no warning', async (_what, pages) => {
  const { products, lines } = listOf(pages);
  await products.list().toArray({ max: 10 });
  expect(lines).toEqual([]);
});

it('a cursor on the last page, which leads nowhere, has no warning', async () => {
  const lines: unknown[] = [];
  const { products } = createClient({
    logger: { warn: (line) => lines.push(line) },
    fetch: async () => json({ data: [product('p1')], has_more: false, next_cursor: 'other' }),
  });
  expect(await products.list().toArray({ max: 10 })).toHaveLength(1);
  expect(lines).toEqual([]);
});
