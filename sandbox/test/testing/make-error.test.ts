import {
  ConfigurationError,
  isDecline,
  PaymentDeclinedError,
  PaymentsError,
  ServerError,
} from 'payments-client';
import { makeError } from 'payments-client-sandbox/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { anything } from '../../../test/support/anything.ts';

type Name = Parameters<typeof makeError>[0];
type FieldsOf<One extends Name> = Required<NonNullable<Parameters<typeof makeError<One>>[1]>>;

const ofAll = {
  message: 'mine',
  code: 'MINE',
  outcome: 'executed',
  retryable: true,
  retryAfter: 7,
  requestId: 'req_7',
  callId: 'call-7',
  cause: new Error('mine'),
} as const;
const ofCalls = { ...ofAll, attempts: 3, idempotencyKey: 'key-7', idempotentReplayed: true };
const ofNone = { ...ofAll, outcome: 'not_an_operation' } as const;
const ofResponses = { ...ofCalls, status: 418, headers: new Headers({ a: 'b' }), body: { mine: true } };
const issues = [{ path: 'amount', expected: 'an integer', received: 'text' }];
const result = {
  approved: false,
  errored: true,
  response: '3',
  responsetext: 'mine',
  transactionid: '7',
  avs: undefined,
  cvv: undefined,
  risk: undefined,
  fields: { response: '3' },
} as const;

/** Every class, and each field of its type. */
const fieldsOf: { readonly [One in Name]: FieldsOf<One> } = {
  ApiError: ofResponses,
  AuthenticationError: ofResponses,
  BadRequestError: ofResponses,
  CallRefusedError: ofAll,
  CardholderAuthenticationError: { ...ofAll, reason: 'unfinished', declineReason: 'unfinished' },
  ConfigurationError: { ...ofAll, issues },
  ConflictError: ofResponses,
  ConnectionError: ofCalls,
  IdempotencyBodyMismatchError: ofResponses,
  IdempotencyError: ofResponses,
  IdempotencyKeyInProgressError: ofResponses,
  IdempotencyKeyTooLongError: ofResponses,
  IdempotencyRouteConflictError: ofResponses,
  IdempotencyStoreUnavailableError: ofResponses,
  InvalidRequestError: { ...ofAll, issues },
  JournalError: ofAll,
  NotFoundError: ofResponses,
  OperationAccountError: ofAll,
  OperationInProgressError: ofAll,
  OperationMismatchError: { ...ofAll, differences: ['amount'] },
  OperationUnresolvedError: { ...ofAll, lookUp: { orderid: '7' }, startedAt: new Date(7) },
  PaginationError: ofNone,
  PaymentDeclinedError: { ...ofResponses, declineCode: 'mine', declineReason: 'mine' },
  PaymentsError: ofAll,
  PermissionError: ofResponses,
  RateLimitError: ofResponses,
  RequestAbortedError: ofCalls,
  ResponseValidationError: { ...ofCalls, issues, body: 'mine' },
  ServerError: ofResponses,
  TimeoutError: ofCalls,
  TransactionDeclinedError: { ...ofAll, result, declineReason: 'mine', errored: true },
  UnprocessableError: ofResponses,
  WebhookVerificationError: { ...ofNone, reason: 'too_old' },
};
const names = Object.keys(fieldsOf) as Name[];

describe.each(names)('%s', (name) => {
  it('has each field that it is given, alone or with the others', () => {
    const given = Object.entries(fieldsOf[name]);
    const whole = makeError(name, anything(fieldsOf[name]));
    for (const [field, value] of given) {
      expect([field, Reflect.get(whole, field)]).toEqual([field, value]);
      // Only a retryable error has it.
      const needed = field === 'retryAfter' ? { retryable: true } : {};
      const error = makeError(name, anything({ ...needed, [field]: value }));
      expect([field, Reflect.get(error, field)]).toEqual([field, value]);
    }
  });

  it('has an idempotency key only if it is an error of a call', () => {
    const { idempotencyKey } = { idempotencyKey: undefined, ...makeError(name) };
    const expected = 'idempotencyKey' in fieldsOf[name] ? 'pc1:refunds.create:return-1' : undefined;
    expect(idempotencyKey).toBe(expected);
  });

  it('refuses a field that the class does not have, and names those that it has', () => {
    const refuse = () => makeError(name, anything({ outcome: 'unknown', mine: 1 }));
    const known = Object.keys(fieldsOf[name]).sort().join(', ');
    expect(refuse).toThrow(ConfigurationError);
    expect(refuse).toThrow(
      `makeError.fields.mine: expected one of ${known}, got an unknown option. Correct the fields of the error.`,
    );
  });
});

it('refuses a misspelt field, one of another class, and fields that are no object', () => {
  // @ts-expect-error A misspelt name.
  expect(() => makeError('TimeoutError', { retriable: true })).toThrow("(did you mean 'retryable'?)");
  // @ts-expect-error A field of another class.
  expect(() => makeError('TimeoutError', { status: 500 })).toThrow(/^makeError\.fields\.status: expected/);
  // @ts-expect-error No object.
  expect(() => makeError('TimeoutError', null)).toThrow(/^makeError\.fields: expected an object, got null\./);
});

it('says of a call without an idempotency key that it must be looked up', () => {
  const { message } = makeError('TimeoutError', { idempotencyKey: undefined });
  expect(message).toContain('look the call up before you send it again');
});

it('gives an error of the class, with its defaults and a message of the SDK', () => {
  const error = makeError('ServerError');
  expectTypeOf(error).toEqualTypeOf<ServerError>();
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ status: 500, outcome: 'unknown', retryable: true });
  expect(error.message).toBe(
    'The service failed (500). Money may have moved: call again with the same operationId or key to get its ' +
      'result. refunds.create: status 500.',
  );
});

it('lets fields override the defaults', () => {
  const fields = { status: 503, code: 'OVERLOADED', retryAfter: 7, message: 'mine' };
  expect(makeError('ServerError', fields)).toMatchObject(fields);
  expect(makeError('ApiError', { status: 418, outcome: 'not_executed' }).message).toBe(
    'Unexpected response (418). No money moved by this call (inferred). refunds.create: status 418.',
  );
});

it('does not advise to repeat a call whose key is used', () => {
  expect(makeError('IdempotencyRouteConflictError').message).toBe(
    'The idempotency key was used before. An earlier call used this key on another endpoint: look at what it did ' +
      'before you choose another key. refunds.create: status 422, code IDEMPOTENCY_ROUTE_CONFLICT.',
  );
});

it('makes a decline that isDecline recognizes', () => {
  const error = makeError('PaymentDeclinedError');
  expect(error).toBeInstanceOf(PaymentDeclinedError);
  expect(isDecline(error)).toBe(true);
  expect(error.message).toBe(
    'Card declined (do_not_honor). No money moved by this call (inferred). refunds.create: status 402, code card_declined.',
  );
  expect(isDecline(makeError('TransactionDeclinedError'))).toBe(true);
  expect(isDecline(makeError('CardholderAuthenticationError'))).toBe(true);
});

it.each(['TimeoutError', 'JournalError', 'WebhookVerificationError'] as const)('makes a %s', (name) => {
  const error = makeError(name);
  expect(error).toBeInstanceOf(PaymentsError);
  expect(error.name).toBe(name);
  expect(error.message).toMatch(new RegExp(`^A test made this ${name}\\.`));
});

it('refuses a name that no class has', () => {
  // @ts-expect-error A misspelt name.
  const call = () => makeError('ServerErorr');
  expect(call).toThrow(ConfigurationError);
  expect(call).toThrow(
    'makeError.name: expected the name of an error class, got a string of 11 characters. Correct the call of makeError.',
  );
});
