import {
  ConfigurationError,
  isDecline,
  PaymentDeclinedError,
  PaymentsError,
  ServerError,
} from 'payments-client';
import { makeError } from 'payments-client/testing';
import { expect, expectTypeOf, it } from 'vitest';

it('gives an error of the class, with its defaults and a message of the SDK', () => {
  const error = makeError('ServerError');
  expectTypeOf(error).toEqualTypeOf<ServerError>();
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ status: 500, outcome: 'unknown', retryable: true });
  expect(error.message).toBe(
    'The service failed (500). Money may have moved: call again with the same operationId or key to get the ' +
      'original result. refunds.create: status 500.',
  );
});

it('lets fields override the defaults', () => {
  const fields = { status: 503, code: 'OVERLOADED', retryAfter: 7, message: 'mine' };
  expect(makeError('ServerError', fields)).toMatchObject(fields);
  expect(makeError('ApiError', { status: 418, outcome: 'not_executed' }).message).toBe(
    'Unexpected response (418). No money moved by this call. refunds.create: status 418.',
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
    'Card declined (do_not_honor). No money moved by this call. refunds.create: status 402, code card_declined.',
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
