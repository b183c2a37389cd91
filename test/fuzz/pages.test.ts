/**
 * Lists with any pages return every item once and in order, or an error. A list is complete only after `has_more:
 * false`, and the iteration ends even if cursors form a cycle.
 */

import { type Page, PaginationError, type PaymentsClient, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { type Draw, drawsOf, pick } from '../support/draws.ts';
import { product } from '../support/fixtures.ts';
import { endingOf, useScriptedService } from './answering.ts';
import { cases, runCampaign, seed } from './campaign.ts';

const service = useScriptedService();

interface Item {
  readonly id: string;
}

/** The pages of a service, by cursor. */
type Pages = ReadonlyMap<string | null, Readonly<Record<string, unknown>>>;

/** Responds with the page for the request's cursor. */
function serve(pages: Pages): void {
  service.answers((query) => {
    const page = pages.get(query.get('starting_after'));
    return page === undefined
      ? { status: 404, body: '{"code":"no_such_cursor"}' }
      : { body: JSON.stringify(page) };
  });
}

/** Each way to iterate over a list, to its end. */
const iterations: Readonly<
  Record<string, (payments: PaymentsClient, limit: number) => Promise<readonly Item[]>>
> = {
  'for await': async (payments, limit) => {
    const items: Item[] = [];
    for await (const item of payments.products.list({ limit })) items.push(item);
    return items;
  },
  'for await from an offset': async (payments, limit) => {
    const items: Item[] = [];
    for await (const item of payments.products.list({ limit, offset: 0 })) items.push(item);
    return items;
  },
  pages: async (payments, limit) => {
    const items: Item[] = [];
    for await (const page of payments.products.list({ limit }).pages()) items.push(...page.items);
    return items;
  },
  nextPage: async (payments, limit) => {
    const items: Item[] = [];
    let page: Page<Item> | undefined = await payments.products.list({ limit });
    for (; page !== undefined; page = await page.nextPage()) items.push(...page.items);
    return items;
  },
  toArray: (payments, limit) => payments.products.list({ limit }).toArray({ max: 10_000 }),
};

const iterationNames = Object.keys(iterations);

function iterate(name: string, payments: PaymentsClient, limit: number): Promise<readonly Item[]> {
  const chosen = iterations[name];
  if (chosen === undefined) throw new Error(`there is no walk ${name}`);
  return chosen(payments, limit);
}

const fields = ['data', 'items', 'products', 'rows', '__proto__x', 'constructor'];
const marks = ['', ' ', '&limit=1', '#', '%2F', '+', '/../', '🍵', '\u0000', '\u2028', '"', '__proto__', 'é'];

const cursorOf = (draw: Draw, index: number) => `${pick(draw, marks)}${index}${pick(draw, marks)}`;

function itemsOf(draw: Draw, page: number): Item[] {
  return Array.from({ length: draw(4) }, (_, index) => product(`prod_${page}_${index}`));
}

/** Other fields of a page. */
const company = [
  {},
  { object: 'list' },
  { total: 7, url: '/v1/products' },
  { meta: { data: [1] } },
  { next_cursor: null },
];

/** The pages of a valid list, in any number. */
function wellFormed(draw: Draw): { pages: Pages; items: readonly Item[] } {
  const field = pick(draw, fields);
  const count = 1 + draw(7);
  const cursors = Array.from({ length: count }, (_, index) => (index === 0 ? null : cursorOf(draw, index)));
  const contents = cursors.map((_, index) => itemsOf(draw, index));
  const pages = cursors.map((cursor, index) => {
    const next = cursors[index + 1];
    const more = next === undefined ? { has_more: false } : { has_more: true, next_cursor: next };
    return [cursor, { ...pick(draw, company), ...more, [field]: contents[index] }] as const;
  });
  return { pages: new Map(pages), items: contents.flat() };
}

describe('iterating over a list', () => {
  it(`returns every item once and in order (seed ${seed})`, async () => {
    const payments = service.client();
    for (let number = 0; number < cases(100); number += 1) {
      const draw = drawsOf(seed, number);
      const { pages, items } = wellFormed(draw);
      for (const name of iterationNames) {
        const told = `FUZZ_SEED=${seed}, case ${number}, ${name}: ${JSON.stringify([...pages])}`;
        serve(pages);
        expect(await iterate(name, payments, 1 + draw(100)), told).toEqual(items);
        expect(service.requests, told).toBe(pages.size);
      }
    }
  });

  it(`ends, and never returns a part as the whole (seed ${seed})`, async () => {
    const payments = service.client();
    const tally = new Map<string, number>();
    for (let number = 0; number < cases(250); number += 1) {
      const draw = drawsOf(seed, number);
      const pages = maze(draw);
      const expected = follow(pages);
      const told = `FUZZ_SEED=${seed}, case ${number}: ${JSON.stringify([...pages])}`;
      serve(pages);
      const ending = await endingOf(iterate(pick(draw, iterationNames), payments, 1 + draw(100)));
      // A cycle is detected after a few rounds at most.
      expect(service.requests, told).toBeLessThanOrEqual(4 * pages.size + 4);
      if ('error' in ending) {
        if (!(ending.error instanceof PaginationError)) throw new Error(told, { cause: ending.error });
        // A circle is found by its items too, if it has any.
        const { code } = ending.error;
        expect(code === 'REPEATED_ITEM' ? 'CURSOR_DID_NOT_MOVE' : code, told).toBe(expected);
      } else {
        expect(ending.value, told).toEqual(expected);
      }
      const kind = typeof expected === 'string' ? expected : 'complete';
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
    }
    expect([...tally.keys()].sort()).toEqual([
      'CURSOR_DID_NOT_MOVE',
      'MISSING_CURSOR',
      'MISSING_HAS_MORE',
      'complete',
    ]);
  });
});

/** Pages whose cursors lead anywhere: on, back, to themselves, or to no page. */
function maze(draw: Draw): Pages {
  const count = 1 + draw(12);
  const cursors = Array.from({ length: count }, (_, index) => (index === 0 ? null : `c${index}`));
  const pages = cursors.map((cursor, index) => {
    const onward = cursors[index + 1] ?? null;
    const leads = draw(8) === 0 ? pick(draw, cursors) : onward;
    const has_more = draw(24) === 0 ? pick(draw, ['true', 1, 'x', {}]) : leads !== null;
    const next_cursor = draw(24) === 0 ? pick(draw, ['', 7, {}, false]) : leads;
    return [cursor, { data: itemsOf(draw, index), has_more, next_cursor }] as const;
  });
  return new Map(pages);
}

/** Returns the expected result of a maze: all its items, or the required error. */
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

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(error: unknown): string {
  if (error instanceof PaginationError || error instanceof ResponseValidationError) {
    expect(error.outcome).toBe('not_executed');
    return error.name;
  }
  throw error;
}

/** Compares a page with its own JSON. */
async function checkPage(payments: PaymentsClient, bytes: Buffer): Promise<string> {
  service.answers(() => ({ body: bytes }));
  const ending = await endingOf(payments.products.list());
  if ('error' in ending) return kindOf(ending.error);
  const body: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isFields(body)) throw new Error('expected an object where there is a page');
  const { items, hasMore, nextCursor } = Object(ending.value);
  expect(hasMore).toBe(body['has_more']);
  expect(nextCursor).toBe(hasMore ? body['next_cursor'] : undefined);
  expect(hasMore ? typeof nextCursor : 'string').toBe('string');
  // The items are one of the received arrays, complete, and each has an id.
  expect(Object.values(body).map((field) => JSON.stringify(field))).toContain(JSON.stringify(items));
  for (const item of items) expect(item).toMatchObject({ id: expect.any(String) });
  return hasMore ? 'more' : 'complete';
}

describe('the parser of pages', () => {
  it(`returns or refuses any bytes (seed ${seed})`, async () => {
    const payments = service.client();
    const tally = await runCampaign({
      parser: 'pages',
      vocabulary: [
        '"data"',
        '"items"',
        '"products"',
        '"has_more"',
        '"next_cursor"',
        '"id"',
        '"prod_1"',
        'true',
        'false',
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '{"id":"prod_3","object":"product","livemode":false}',
        ',"has_more":true',
        ',"next_cursor":"x"',
      ],
      caseCount: 1000,
      check: async (bytes, entry) => {
        const ending = await checkPage(payments, bytes);
        if (entry !== undefined) expect(ending).toBe(entry.ending);
        return ending;
      },
    });
    expect([...tally.keys()].sort()).toEqual([
      'PaginationError',
      'ResponseValidationError',
      'complete',
      'more',
    ]);
  });
});
