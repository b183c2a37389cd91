import { existsSync, readFileSync } from 'node:fs';
import { InvalidRequestError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, sessionParams } from '../support/fixtures.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/interface-gaps.md', root), 'utf8');

/** A row of one of the page's tables. */
interface GapRow {
  readonly number: string;
  readonly test: string;
  readonly cells: number;
}

const rows = page
  .split('\n')
  .filter((line) => /^\| *G\d/.test(line))
  .map((line): GapRow => {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [number = '', , , , test = ''] = cells;
    return { number, test, cells: cells.length };
  });

const count = (pattern: RegExp) => Number(pattern.exec(page)?.[1]);

describe('the page of interface gaps', () => {
  it('numbers its rows without a hole', () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => `G${index + 1}`));
  });

  it('states how many rows it has', () => {
    expect(count(/\*\*(\d+) gaps\*\*/)).toBe(rows.length);
    const [named = '', open = ''] = page.split('## Left open without a word');
    expect(count(/(\d+) that it calls "not shown"/)).toBe(named.match(/^\| *G\d/gm)?.length);
    expect(count(/(\d+) more that it leaves open/)).toBe(open.match(/^\| *G\d/gm)?.length);
  });

  it('speaks only of rows that exist', () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(page.match(/\bG\d+\b/g) ?? []));
  });

  it.each(rows)('names in $number a test that exists', (row) => {
    expect(row.cells).toBe(5);
    const [, path = ''] = /^`(test\/[\w./-]+\.test\.ts)`$/.exec(row.test) ?? [];
    expect(path, row.test).not.toBe('');
    expect(existsSync(new URL(path, root)), path).toBe(true);
  });
});

describe('where no bound is shown, the SDK sets one of its own', () => {
  const service = useMockService();
  const sale = { type: 'sale', amount: '12.00', payment_token: 'tok_1' };

  it.each([
    ['address1', 1024],
    ['risk_session_id', 1024],
    ['payment_token', 4096],
    ['cavv', 4096],
    ['xid', 4096],
    ['a field that the interface does not name', 65_536],
  ])('on the length of %s in a form: %d characters', async (field, max) => {
    service.answers(text('response=1'));
    const { transact } = createClient();
    const result = await transact.submit({ ...sale, [field]: 'x'.repeat(max) });
    expect(result.approved).toBe(true);
    const error = await failureOf(
      transact.submit({ ...sale, [field]: 'x'.repeat(max + 1) }),
      InvalidRequestError,
    );
    const received = `a string of ${max + 1} characters`;
    expect(error.issues).toEqual([{ path: field, expected: `at most ${max} characters`, received }]);
    expect(service.arrivals).toHaveLength(1);
  });
});

describe('where no bound is shown, the SDK sets none', () => {
  const service = useMockService();
  const by = { operationId: 'order-1' };

  it('on the length of texts, the number of lines and notes, and the size of a request', async () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    const params = {
      ...sessionParams,
      line_items: many.flatMap(() => sessionParams.line_items),
      client_reference_id: 'x'.repeat(10_000),
      metadata: Object.fromEntries(many.map((index) => [`key_${index}`, 'x'.repeat(1000)])),
    };
    service.answers(json({ code: 'TOO_LARGE' }, { status: 413 }));
    await expect(createClient().checkoutSessions.create(params, by)).rejects.toMatchObject({ status: 413 });
    expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual(params);
  });

  it('on the limit of a list in the cursor form', async () => {
    service.answers(json({ data: [], has_more: false }));
    await createClient().products.list({ limit: 5000 });
    expect(service.arrivals[0]?.url.searchParams.get('limit')).toBe('5000');
  });

  it('on the case of an intent’s currency', async () => {
    for (const currency of ['usd', 'USD']) {
      service.answers(json(paymentIntent));
      await createClient().paymentIntents.create({ ...intentParams, currency }, by);
      expect(JSON.parse(service.arrivals.at(-1)?.body ?? '')).toMatchObject({ currency });
    }
  });
});
