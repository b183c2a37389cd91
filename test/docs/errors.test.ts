/** Compares the table of responses in docs/errors.md with the errors that the SDK throws for them. */

import { readFileSync } from 'node:fs';
import { ApiError } from 'payments-client';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const [, table = ''] = page.split('### Responses that are not 2xx');

/** The rows: class, status, code, outcome, and whether the error is retryable. */
const rows = [...table.matchAll(/^\| `(\w+)` \| (\w+)([^|]*) \| `(\w+)`([^|]*) \| (yes|no|if)/gm)].map(
  ([, name = '', status = '', rest = '', outcome = '', condition = '', retryable = '']) => ({
    name,
    status: Number(status.replace('xx', '00')),
    outcome,
    code: /`([A-Z_]+)`/.exec(rest)?.[1] ?? 'SOME_CODE',
    isRetryable: retryable === 'yes',
    isConditional: condition.includes('`unknown`'),
  }),
);

const service = useMockService();
const call = () =>
  createClient({ maxRetries: 0 }).paymentIntents.create(intentParams, { operationId: 'order-1' });

it.each(rows)(
  '$status $code is a $name with the outcome $outcome',
  async ({ name, status, code, outcome, isRetryable }) => {
    service.answers(json({ code }, { status }));
    const error = await failureOf(call(), ApiError);
    expect(error).toMatchObject({ name, status, outcome, retryable: isRetryable });
  },
);

it.each(rows.filter(({ isConditional }) => isConditional))(
  '$status without a readable code has an unknown outcome',
  async ({ name, status }) => {
    service.answers(new Response('<html>No</html>', { status }));
    const expected = name === 'PaymentDeclinedError' ? 'ApiError' : name;
    expect(await failureOf(call(), ApiError)).toMatchObject({ name: expected, outcome: 'unknown' });
  },
);

it('has a row for each status and each code', () => {
  expect(rows.length).toBe(15);
  expect(rows.filter(({ isConditional }) => isConditional).map(({ status }) => status)).toEqual([
    402, 409, 422,
  ]);
});
