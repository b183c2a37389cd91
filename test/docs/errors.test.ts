/** Compares the table of responses in docs/errors.md with the errors that the SDK throws for them. */

import { readFileSync } from 'node:fs';
import { ApiError, isDecline } from 'payments-client';
import { makeError } from 'payments-client-sandbox/testing';
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
  '$status $code is $name with the outcome $outcome',
  async ({ name, status, code, outcome, isRetryable }) => {
    service.answers(json({ code }, { status }));
    const error = await failureOf(call(), ApiError);
    expect(error).toMatchObject({ name, status, outcome, retryable: isRetryable });
  },
);

/** Bodies without a readable code. */
const unreadable = [
  () => '<html>No</html>',
  (status: number) => JSON.stringify({ code: `HTTP_${status}` }),
  () => JSON.stringify({ code: 'A_CODE_OF_MORE_THAN_64_CHARACTERS'.repeat(3) }),
  () => JSON.stringify({ code: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }),
];

it.each(rows.filter(({ isConditional }) => isConditional))(
  '$status without a readable code has an unknown outcome',
  async ({ name, status }) => {
    // Any JSON is an answer of the service to a 422.
    for (const body of status === 422 ? unreadable.slice(0, 1) : unreadable) {
      service.answers(new Response(body(status), { status }));
      const expected = name === 'PaymentDeclinedError' ? 'ApiError' : name;
      const error = await failureOf(call(), ApiError);
      expect(error, body(status)).toMatchObject({ name: expected, outcome: 'unknown', code: undefined });
    }
  },
);

it('has a row for each status and each code', () => {
  expect(rows.length).toBe(18);
  expect(rows.filter(({ isConditional }) => isConditional).map(({ status }) => status)).toEqual([
    402, 409, 422, 460,
  ]);
});

/** The classes of errors that have one outcome, by the table of classes. */
const classes = [...page.matchAll(/^\| `(\w+Error)` \|[^|]+\| `(\w+)`[^|]* \| (no|yes) \|/gm)]
  .map(([, name = '', outcome = '', retryable = '']) => ({ name, outcome, retryable: retryable === 'yes' }))
  .filter(({ name }) => !rows.some((row) => row.name === name));

it.each(classes)('$name has the outcome of the table by default', ({ name, outcome, retryable }) => {
  expect(makeError(name as 'PaginationError')).toMatchObject({ name, outcome, retryable });
});

it('says of each class of one outcome what it is', () => {
  expect(classes.map(({ name }) => name)).toEqual([
    'ConfigurationError',
    'InvalidRequestError',
    'CallRefusedError',
    'PaginationError',
    'CardholderAuthenticationError',
    'TransactionDeclinedError',
    'WebhookVerificationError',
  ]);
});

it.each(['failed', 'unavailable', 'unfinished', 'contradictory'] as const)(
  'a cardholder authentication that is %s is a decline',
  (reason) => expect(isDecline(makeError('CardholderAuthenticationError', { reason }))).toBe(true),
);
