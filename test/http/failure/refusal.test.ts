/** Each response other than 2xx, and what it means for each form of a call: the class of the error, the outcome, and whether it is retried. */

import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyBodyMismatchError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  isDecline,
  NotFoundError,
  type Outcome,
  PaymentDeclinedError,
  PaymentsError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, skipBackOff } from '../../support/mock-service.ts';
import { clientOf } from '../../support/sandbox.ts';
import { everyForm, type Form, sentWord } from '../forms.ts';

/** Whether a retry may succeed: always, never, or only if the call has a key. */
type Passes = true | false | 'with a key';

type Row = readonly [
  status: number,
  body: string,
  type: abstract new (...args: never[]) => ApiError,
  outcome: Outcome,
  passes: Passes,
];

const [none, unknown] = ['not_executed', 'unknown'] as const;
const html = '<html><title>Error</title></html>';
const code = (word: unknown) => JSON.stringify({ code: word });
const inProgress = 'IDEMPOTENCY_KEY_IN_PROGRESS';
const mismatch = 'IDEMPOTENCY_BODY_MISMATCH';
const conflict = 'IDEMPOTENCY_ROUTE_CONFLICT';
const tooLong = 'IDEMPOTENCY_KEY_TOO_LONG';
const store = 'IDEMPOTENCY_STORE_UNAVAILABLE';

const responses: readonly Row[] = [
  [300, '', ApiError, unknown, false],
  [302, code(store), ApiError, unknown, false],
  [399, '', ApiError, unknown, false],

  ...['', '{}', 'null', '"no"', '{"id":"rf_1","object":"refund"}', html, code('BAD')].map(
    (body): Row => [400, body, BadRequestError, none, false],
  ),
  [400, code(tooLong), IdempotencyKeyTooLongError, none, false],
  // The code says that another request with the key is in progress, whatever the status.
  [400, code(inProgress), BadRequestError, unknown, false],
  [401, '', AuthenticationError, none, false],
  [403, '', PermissionError, none, false],
  [404, html, NotFoundError, none, false],
  [405, '', ApiError, none, false],
  [451, '', ApiError, none, false],

  // Proxies answer 402 too, and decline nothing.
  ...[
    '',
    html,
    'CARD_DECLINED: the card was declined',
    '{"message":"your plan has ended"}',
    code(402),
    '{"code":"402","statusCode":402,"error":"Payment Required"}',
    '{"error":"payment_required"}',
    '{"error":{"code":"PAYMENT_REQUIRED"}}',
    code('PaymentRequiredException'),
    '{"code":"HTTP_402","type":"error"}',
    code('ERR_HTTP_402_PAYMENT_REQUIRED'),
    '{"decline_code":"402"}',
    // A word elsewhere than in a field for codes may be any text.
    '"card_declined"',
    '{"fault":"card_declined"}',
    '{"errors":["card_declined"]}',
    // What the call itself sent, such as its reason, may be an echo.
    JSON.stringify({ reason: sentWord, amount: 500 }),
    JSON.stringify({ error: { code: sentWord } }),
    JSON.stringify({ decline_code: sentWord }),
    code(sentWord.toUpperCase()),
    // A code that an error must not show decides nothing.
    code('sk_v1_test_unit0001'),
    // They are about the key, not about a card.
    code(inProgress),
    code(mismatch),
    code(conflict),
  ].map((body): Row => [402, body, ApiError, unknown, false]),
  [402, code(store), ApiError, none, false],
  ...[
    code('CARD_DECLINED'),
    '{"code":402,"error_code":"card_declined"}',
    '{"code":402,"errors":[{"type":"card_error"}]}',
    '{"code":"payment_required","decline_code":"05"}',
    `{"code":"${sentWord}","decline_code":"05"}`,
  ].map((body): Row => [402, body, PaymentDeclinedError, none, false]),

  // It may come after the request was passed on.
  [408, '', ApiError, unknown, true],
  [408, code('SLOW'), ApiError, unknown, true],

  // An unreadable 409 to a key may say that another request with it is in progress.
  ...[
    '',
    html,
    '{"statusCode":409,"error":"Conflict","message":"Conflict"}',
    code('CONFLICT'),
    code('HttpConflictError'),
    '{"error":{"code":"IDEMPOTENCY_KEY_IN_PR',
  ].map((body): Row => [409, body, ConflictError, unknown, 'with a key']),
  [409, code('ALREADY_REFUNDED'), ConflictError, none, false],
  [409, code('KEY_CONFLICT'), ConflictError, none, false],
  ...[code(inProgress), `{"error":{"code":"${inProgress}"}}`, `${inProgress}: wait`].map(
    (body): Row => [409, body, IdempotencyKeyInProgressError, unknown, true],
  ),
  [409, code(mismatch), ConflictError, unknown, false],

  ...['', html, '{"error":{"code":"IDEMPOTENCY_BODY_MIS'].map(
    (body): Row => [422, body, UnprocessableError, unknown, false],
  ),
  [422, '{"message":"too much"}', UnprocessableError, none, false],
  [422, code('UNPROCESSABLE_ENTITY'), UnprocessableError, none, false],
  [422, code(mismatch), IdempotencyBodyMismatchError, unknown, false],
  [422, code(conflict), IdempotencyRouteConflictError, unknown, false],
  [422, code(tooLong), UnprocessableError, none, false],

  [429, '', RateLimitError, none, true],
  [429, code('SLOW_DOWN'), RateLimitError, none, true],
  [429, code(mismatch), RateLimitError, unknown, false],

  // No standard defines these, so they prove something only with a code.
  [452, '{}', ApiError, unknown, false],
  [452, code('CLOSED'), ApiError, none, false],
  [499, '', ApiError, unknown, false],
  [499, code('CLOSED'), ApiError, none, false],

  ...[500, 502, 504, 599].flatMap((status): Row[] => [
    [status, '{}', ServerError, unknown, true],
    [status, code(store), ServerError, unknown, true],
  ]),
  [503, html, ServerError, unknown, true],
  [503, code(mismatch), ServerError, unknown, false],
  ...[code(store), `{"error":{"code":"${store}"}}`, `{"error":"${store}"}`].map(
    (body): Row => [503, body, IdempotencyStoreUnavailableError, none, true],
  ),
];

const isPassing = (passes: Passes, form: Form) =>
  passes === 'with a key' ? form.idempotencyKey !== undefined : passes;

// A list and a raw POST differ from a read and a POST by nothing that decides here.
const differing = everyForm.filter(([name]) => name !== 'a list' && name !== 'a raw POST with a key');

/** What the caller of each form learns of a response. */
async function verdicts(judge: (form: Form) => unknown): Promise<Record<string, unknown>> {
  const entries = differing.map(async ([name, form]) => [name, await judge(form)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

beforeEach(skipBackOff);

describe('a response', () => {
  it.each(responses)('%i %s is a %o (%s, retry: %s)', async (status, body, type, outcome, passes) => {
    const seen = await verdicts(async (form) => {
      let requests = 0;
      const fetch = async () => {
        requests += 1;
        return new Response(body, { status });
      };
      const error = await failureOf(form.call(createClient({ fetch })), ApiError);
      const { outcome, retryable, attempts } = error;
      return { type: error.constructor, status: error.status, outcome, retryable, attempts, requests };
    });
    const due = await verdicts((form) => {
      const own = form.method === 'GET' ? form.unsent : outcome;
      const mayPass = isPassing(passes, form);
      const attempts = mayPass && form.isRepeatable ? 3 : 1;
      const retryable = mayPass && (own === none || !form.actsAgain);
      return { type, status, outcome: own, retryable, attempts, requests: attempts };
    });
    expect(seen).toEqual(due);
  });

  it.each<readonly [what: string, body: string]>([
    ['in a text', `${store}: the store is away`],
    ['in the middle of a text', `No product named "${store}"`],
    ['in a page', `<html><title>${store}</title></html>`],
    ['in a message', `{"message":"no product ${store}"}`],
    ['among errors by field', `{"name":["${store}"]}`],
    ['in the request that is repeated', `{"error":{"message":"no"},"params":{"code":"${store}"}}`],
  ])('503 with a documented code %s does not prove that nothing was executed', async (_what, body) => {
    const fetch = async () => new Response(body, { status: 503 });
    const { refunds } = createClient({ fetch, maxRetries: 0 });
    const error = await failureOf(refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
  });

  it.each(['POST', 'order-1', 'v1', 'refunds', 'payment_intent_id', 'pi_1', 'refunds.create'])(
    '402 with a word of the request as code may be an echo: %s',
    async (word) => {
      const fetch = async () => new Response(code(word), { status: 402 });
      const { refunds } = createClient({ fetch });
      const error = await failureOf(refunds.create(refundParams, { operationId: 'order-1' }), ApiError);
      expect([error.constructor, error.outcome]).toEqual([ApiError, 'unknown']);
    },
  );

  it.each(['urlencoded', 'multipart'] as const)('402 may echo a field of a %s sale', async (formEncoding) => {
    const fetch = async () => new Response(code(sentWord), { status: 402 });
    const { transact } = createClient({ fetch, formEncoding });
    const error = await failureOf(transact.sale({ ...saleParams, orderid: sentWord }), ApiError);
    expect([error.constructor, error.outcome]).toEqual([ApiError, 'unknown']);
  });
});

describe('a decline', () => {
  const by = { operationId: 'order-1' };

  it('of the JSON API has its own class, the decline code of the service, and a failed charge', async () => {
    const sandbox = createSandbox();
    const payments = clientOf(sandbox, { fetch: sandbox.fetch });
    const intent = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, by);
    const card = { payment_method: 'pm_card_stolen' };
    const error = await failureOf(payments.paymentIntents.confirm(intent.id, card, by), PaymentDeclinedError);
    expect(error).toMatchObject({ status: 402, code: 'CARD_DECLINED', declineCode: 'stolen_card' });
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: false });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ declineCode: 'stolen_card' });
    expect(isDecline(error)).toBe(true);
    const [charge] = await payments.charges.list().toArray({ max: 1 });
    expect(charge?.decline_code).toBe('stolen_card');
  });

  it.each([
    ['{"decline_code":"x_1"}', 'x_1'],
    ['{"error":{"decline_code":"05"}}', '05'],
    ['{"error":{"declineCode":"do_not_honor"}}', 'do_not_honor'],
    ['{"code":"NO"}', undefined],
    ['{"code":"NO","decline_code":"not a code"}', undefined],
    [`{"code":"NO","decline_code":"${'x'.repeat(65)}"}`, undefined],
    ['{"code":"NO","decline_code":"sk_v1_test_unit0001"}', undefined],
  ])('has the decline code of the body: %s', async (body, declineCode) => {
    const fetch = async () => new Response(body, { status: 402 });
    const { refunds } = createClient({ fetch });
    const error = await failureOf(refunds.create(refundParams, by), PaymentDeclinedError);
    expect(error.declineCode).toBe(declineCode);
  });

  it('of the form endpoint is recognized if it is thrown; other errors are not', async () => {
    const { transact } = createClient({ fetch: async () => new Response('response=2&responsetext=DECLINE') });
    const error = await failureOf(transact.sale(saleParams, { throwOnDecline: true }), PaymentsError);
    expect(isDecline(error)).toBe(true);
    const alike = Object.assign(new PaymentsError('no'), { declineCode: 'x' });
    for (const other of [
      alike,
      new ApiError('402', { status: 402 }),
      new Error('no'),
      undefined,
      { declineCode: 'x' },
    ]) {
      expect(isDecline(other)).toBe(false);
    }
  });
});
