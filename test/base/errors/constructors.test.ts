import { inspect } from 'node:util';
import * as main from 'payments-client';
import * as stores from 'payments-client/stores';
import * as webhooks from 'payments-client/webhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';

type Example = new (message: string, fields?: object) => main.PaymentsError;

const isErrorClass = (value: unknown): value is Example =>
  typeof value === 'function' && (value === main.PaymentsError || value.prototype instanceof Error);

const classes = new Map(
  [main, stores, webhooks]
    .flatMap((entry) => Object.entries<unknown>({ ...entry }))
    .flatMap(([name, value]) => (isErrorClass(value) ? [[name, value] as const] : [])),
);

/** The fields that a class fills in, besides `not_executed` and not retryable. */
const defaults: Readonly<Record<string, object>> = {
  ApiError: { status: 408, outcome: 'unknown', retryable: true },
  AuthenticationError: { status: 401 },
  BadRequestError: { status: 400 },
  CallRefusedError: { code: 'CALL_REFUSED' },
  CardholderAuthenticationError: { code: 'CARDHOLDER_AUTHENTICATION', reason: 'failed' },
  ConfigurationError: { code: 'INVALID_CONFIGURATION', outcome: 'not_an_operation', issues: [] },
  ConflictError: { status: 409 },
  ConnectionError: { code: 'NETWORK', outcome: 'unknown', retryable: true },
  IdempotencyBodyMismatchError: { status: 422, code: 'IDEMPOTENCY_BODY_MISMATCH', outcome: 'unknown' },
  IdempotencyError: { status: 422, outcome: 'unknown' },
  IdempotencyKeyInProgressError: { status: 409, outcome: 'unknown', retryable: true },
  IdempotencyKeyTooLongError: { status: 400, code: 'IDEMPOTENCY_KEY_TOO_LONG' },
  IdempotencyRouteConflictError: { status: 422, code: 'IDEMPOTENCY_ROUTE_CONFLICT', outcome: 'unknown' },
  IdempotencyStoreUnavailableError: { status: 503, retryable: true },
  InvalidRequestError: { code: 'INVALID_REQUEST', issues: [] },
  JournalError: { code: 'JOURNAL_UNAVAILABLE', outcome: 'unknown', retryable: true },
  NotFoundError: { status: 404 },
  OperationAccountError: { code: 'OPERATION_ACCOUNT', outcome: 'unknown' },
  OperationInProgressError: {
    code: 'OPERATION_IN_PROGRESS',
    outcome: 'unknown',
    retryable: true,
    retryAfter: 60,
  },
  OperationMismatchError: { code: 'OPERATION_MISMATCH', outcome: 'unknown', differences: [] },
  OperationUnresolvedError: { code: 'OPERATION_UNRESOLVED', outcome: 'unknown', lookUp: {} },
  PaginationError: { code: 'MISSING_HAS_MORE', outcome: 'not_an_operation' },
  PaymentDeclinedError: { status: 402, declineCode: undefined },
  PaymentsError: { outcome: 'not_an_operation' },
  PermissionError: { status: 403 },
  RateLimitError: { status: 429, retryable: true },
  RequestAbortedError: {
    code: 'ABORTED',
    outcome: 'unknown',
    retryable: true,
    attempts: 1,
    idempotentReplayed: false,
  },
  ResponseValidationError: { code: 'INVALID_RESPONSE', outcome: 'executed', issues: [] },
  ServerError: { status: 500, outcome: 'unknown', retryable: true },
  TimeoutError: { code: 'ATTEMPT_TIMEOUT', outcome: 'unknown', retryable: true },
  TransactionDeclinedError: { code: 'DECLINED', result: expect.objectContaining({ approved: false }) },
  UnprocessableError: { status: 422 },
  WebhookVerificationError: {
    code: 'WEBHOOK_NO_MATCH',
    outcome: 'not_an_operation',
    reason: 'no_match',
  },
};

it('is tested for every class of every entry', () => {
  expect([...classes.keys()].sort()).toEqual(Object.keys(defaults));
});

describe.each([...classes])('new %s(message, fields)', (name, ErrorType) => {
  it('fills in what its class states', () => {
    const error = new ErrorType('mine');
    expect(error).toMatchObject({
      name,
      message: 'mine',
      outcome: 'not_executed',
      retryAfter: undefined,
      ...defaults[name],
    });
    expect(error).toBeInstanceOf(ErrorType);
    expect(error).toBeInstanceOf(main.PaymentsError);
    expect(error.stack).toMatch(new RegExp(`^${name}: mine\n`));
  });

  it('takes each field, and shows no body, header or cause', () => {
    const fields = {
      code: 'own_code',
      outcome: 'executed',
      retryable: true,
      retryAfter: 7,
      requestId: 'req_1',
      callId: 'call_1',
    };
    const secret = 'sk_v1_live_secret';
    const hidden = { body: secret, headers: new Headers({ secret }), cause: new Error('mine') };
    const error = new ErrorType('mine', { ...fields, ...hidden });
    expect(error).toMatchObject(fields);
    expect(error.cause).toBe(hidden.cause);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name, message: 'mine', ...fields });
    expect(JSON.stringify(error) + inspect(error)).not.toContain(secret);
    expect(structuredClone(error)).toMatchObject({ message: 'mine' });
    expect(new ErrorType('mine', { ...fields, retryable: false }).retryAfter).toBeUndefined();
  });

  it('ignores a field that is undefined', () => {
    const { code, outcome, retryable } = new ErrorType('mine');
    const nothing = { code: undefined, outcome: undefined, retryable: undefined, status: undefined };
    expect(new ErrorType('mine', nothing)).toMatchObject({ ...defaults[name], code, outcome, retryable });
  });
});

it('has the fields of its class in its type', () => {
  const headers = new Headers({ 'request-id': 'req_1' });
  const error = new main.ServerError('x', { status: 503, headers, body: { a: 1 }, attempts: 3 });
  expect(error).toMatchObject({ status: 503, headers, body: { a: 1 }, attempts: 3 });
  expectTypeOf(error.status).toEqualTypeOf<number>();
  expectTypeOf<main.ErrorFields<main.PaymentsError>>().not.toHaveProperty('status');
  // @ts-expect-error An unknown outcome.
  new main.ServerError('x', { outcome: 'lost' });
  // @ts-expect-error A field of another class.
  new main.TimeoutError('x', { status: 500 });
  // @ts-expect-error The message is not optional.
  expect(new main.ConflictError().message).toBe('');
});
