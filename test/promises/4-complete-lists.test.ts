/** Promise 4: a list is complete only when `has_more` is false. */

import fc from 'fast-check';
import { PaginationError, PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { product } from '../support/fixtures.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { ok, wireClient } from './wire.ts';

describe('a walk', () => {
  it('returns every item once, however the service cuts the pages', async () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (sizes) => {
        const ids = Array.from(
          { length: sizes.reduce((sum, size) => sum + size, 0) },
          (_, index) => `p${index}`,
        );
        const pages = sizes.map((size, page) => {
          const from = sizes.slice(0, page).reduce((sum, one) => sum + one, 0);
          const data = ids.slice(from, from + size).map(product);
          const isLast = page === sizes.length - 1;
          return { data, has_more: !isLast, next_cursor: isLast ? null : `after-page-${page}` };
        });
        const asked: (string | null)[] = [];
        const fetch = async (request: { readonly url: string }) => {
          const after = new URL(request.url).searchParams.get('starting_after');
          asked.push(after);
          return Response.json(
            pages[after === null ? 0 : Number(after.split('-').at(-1)) + 1] ?? { data: [], has_more: false },
          );
        };
        const payments = new PaymentsClient({
          baseUrl: 'https://payments.test',
          secretKey: 'sk_v1_test_promise4',
          fetch,
        });
        const found: string[] = [];
        for await (const { id } of payments.products.list()) found.push(id);
        expect(found).toEqual(ids);
        expect(asked).toHaveLength(Math.max(1, sizes.length));
      }),
      { numRuns: 40 },
    );
  });

  it('returns what was there at the start, while objects are created', async () => {
    const sandbox = await startSandbox();
    for (let number = 0; number < 30; number += 1) sandbox.add('product', { name: `Tea ${number}` });
    const ids: string[] = [];
    for await (const { id } of clientOf(sandbox).products.list({ limit: 7 })) {
      ids.push(id);
      sandbox.add('product', { name: 'Late tea' });
    }
    expect(new Set(ids).size).toBe(30);
    expect(ids).toHaveLength(30);
  });

  it.each([
    ['without has_more', [{ data: [product('a')] }]],
    ['that says there is more but not where', [{ data: [product('a')], has_more: true }]],
    ['whose cursor does not move', [{ data: [product('a')], has_more: true, next_cursor: 'a' }]],
    [
      'that repeats an item of the page before it',
      [
        { data: [product('a')], has_more: true, next_cursor: 'a' },
        { data: [product('b'), product('a')], has_more: true, next_cursor: 'b' },
      ],
    ],
  ])('ends with an error at a page %s', async (_what, pages) => {
    const { payments } = await wireClient(...pages.map(ok));
    await failureOf(payments.products.list().toArray({ max: 100 }), PaginationError);
  });

  it('does not end at an empty page if there is more', async () => {
    const empty = { data: [], has_more: true, next_cursor: 'next' };
    const { payments } = await wireClient(ok(empty), ok({ data: [product('a')], has_more: false }));
    expect(await payments.products.list().toArray({ max: 100 })).toMatchObject([{ id: 'a' }]);
  });

  it('asks for no page that its caller does not read', async () => {
    const { payments, requests } = await wireClient(
      ok({ data: [product('a')], has_more: true, next_cursor: 'a' }),
    );
    for await (const { id } of payments.products.list()) if (id === 'a') break;
    expect(requests).toHaveLength(1);
  });
});
