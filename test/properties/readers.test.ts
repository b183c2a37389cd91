import fc from 'fast-check';
import { ApiError, PaymentsClient, PaymentsError, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { bySize } from '../support/size.ts';

const baseUrl = 'https://payments.test';

/** Bodies from random text to almost valid ones. */
const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  anyText(),
  fc.json(),
  fc.json({ maxDepth: 40 }),
  fc.constantFrom(
    '[',
    '{"a":'.repeat(5_000),
    '['.repeat(50_000),
    '<html',
    '<title>',
    '\u0000',
    '\uFEFF{}',
    'null',
  ),
  fc
    .record(
      {
        error: fc.oneof(
          fc.string(),
          fc.jsonValue(),
          fc.record({ code: fc.jsonValue(), message: fc.jsonValue() }),
        ),
        errors: fc.array(fc.jsonValue()),
        code: fc.jsonValue(),
        message: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
);

const anyStatus = fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status));

const anyHeaders = fc.record(
  {
    'retry-after': fc.oneof(
      fc.integer().map(String),
      fc.stringMatching(/^[ -~]{0,20}$/),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    'content-type': fc.constantFrom(
      'application/json',
      'text/html',
      'text/plain',
      'application/problem+json',
      'x',
    ),
  },
  { requiredKeys: [] },
);

const withoutLogs = { maxRetries: 0, timeout: 10_000 };

function answering(body: string | Uint8Array, init: ResponseInit) {
  return async () => new Response(typeof body === 'string' ? body : new Uint8Array(body), init);
}

async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the parser of error bodies', () => {
  it('returns a PaymentsError for every response that is not a result', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyStatus, anyHeaders, async (body, status, headers) => {
        const fetch = answering(body, { status, headers: Object.entries(headers) });
        const payments = new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_p', fetch, ...withoutLogs });
        const error = await failure(payments.refunds.create(refundParams, { operationId: 'o' }));
        expect(error).toBeInstanceOf(PaymentsError);
        if (status >= 300) expect(error).toMatchObject({ status, name: expect.stringMatching(/Error$/) });
        if (status >= 300) expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ outcome: expect.stringMatching(/^(not_executed|executed|unknown)$/) });
      }),
      { numRuns: bySize({ short: 40, all: 1_500 }) },
    );
  });
});

describe('the parser of pages', () => {
  it('returns a page or a PaymentsError for every response', async () => {
    const anyPage = fc
      .record(
        {
          data: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
          has_more: fc.oneof(fc.boolean(), fc.jsonValue()),
          next_cursor: fc.oneof(fc.string(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      )
      .map((body) => JSON.stringify(body));
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBody, anyPage), async (body) => {
        const fetch = answering(body, { status: 200 });
        const payments = new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_p', fetch, ...withoutLogs });
        const error = await failure(payments.products.list().toArray({ max: 50 }));
        expect(error === undefined || error instanceof PaymentsError).toBe(true);
      }),
      { numRuns: bySize({ short: 30, all: 1_000 }) },
    );
  });
});

describe('the decoder of form responses', () => {
  const anyForm = fc.oneof(
    anyBody,
    fc.string({
      unit: fc.constantFrom('response', '=', '&', '%', '+', '1', ' ', '%41', '%ff', ':', '[', 'é', '{', '"'),
    }),
    fc
      .array(
        fc.tuple(
          fc.constantFrom('response', 'responsetext', 'transactionid', 'avsresponse', 'x'),
          fc.string(),
        ),
      )
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
  );

  it('returns a result or a PaymentsError for every response', async () => {
    await fc.assert(
      fc.asyncProperty(anyForm, async (body) => {
        const transact = new Transact({
          baseUrl,
          securityKey: 'key-of-properties',
          fetch: answering(body, { status: 200 }),
          ...withoutLogs,
        });
        const error = await failure(transact.sale(saleParams));
        expect(error === undefined || error instanceof PaymentsError).toBe(true);
        if (error !== undefined) expect(error).toMatchObject({ outcome: 'unknown' });
      }),
      { numRuns: bySize({ short: 75, all: 3_000 }) },
    );
  });

  it('decodes both URL-encoded and unescaped bodies', async () => {
    const plain = fc.string({
      unit: fc.constantFrom('a', 'Z', '7', ' ', ':', '[', ']', '+', '%', '.', 'é'),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(plain, async (words) => {
        const responsetext = `Told: ${words}`.trim();
        const escaped = new URLSearchParams({ response: '2', responsetext, type: 'sale' }).toString();
        const unescaped = `response=2&responsetext=${responsetext}&type=sale`;
        for (const body of [escaped, unescaped]) {
          const transact = new Transact({
            baseUrl,
            securityKey: 'key-of-properties',
            fetch: answering(body, {}),
            ...withoutLogs,
          });
          expect(await transact.sale(saleParams)).toMatchObject({ responsetext, fields: { type: 'sale' } });
        }
      }),
    );
  });
});
