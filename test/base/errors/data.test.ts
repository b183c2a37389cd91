/** An error as data: what goes through JSON, structuredClone or a durable engine, and what comes back. */

import * as sdk from 'payments-client';
import {
  isDecline,
  OperationUnresolvedError,
  PaymentDeclinedError,
  PaymentsError,
  WebhookVerificationError,
} from 'payments-client';
import { makeError } from 'payments-client-sandbox/testing';
import { describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { saleParams } from '../../support/fixtures.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';

type Name = Parameters<typeof makeError>[0];

const names = Object.entries(sdk).flatMap(([name, value]) => {
  const isClass = typeof value === 'function' && value.prototype instanceof Error;
  return isClass && name !== 'CallError' ? [name as Name] : [];
});

/** As a durable engine rebuilds an error: its class is lost, its fields are kept. */
const rebuilt = (error: PaymentsError) =>
  Object.assign(new Error(error.message), JSON.parse(JSON.stringify(error)));

const ways: readonly (readonly [string, (error: PaymentsError) => unknown])[] = [
  ['as data', (error) => error.toJSON()],
  ['through JSON', (error) => JSON.parse(JSON.stringify(error))],
  ['through structuredClone', (error) => structuredClone(error.toJSON())],
  ['as an error of an engine', rebuilt],
];

describe.each(ways)('%s', (_way, send) => {
  it.each(names)('%s comes back with its class and fields', (name) => {
    const error = makeError(name);
    const back = PaymentsError.from(send(error)) ?? expect.fail('no error');
    expect(back).not.toBe(error);
    expect(back).toBeInstanceOf(Reflect.get(sdk, name));
    expect([back.name, back.message, back.stack?.split('\n')[0]]).toEqual([
      name,
      error.message,
      `${name}: ${error.message}`,
    ]);
    expect(back.toJSON()).toEqual(error.toJSON());
    expect(Object.hasOwn(back, 'name')).toBe(false);
    expect(isDecline(back)).toBe(isDecline(error));
  });
});

it('makes an error of the service where there are no headers, as in a workflow of Temporal', () => {
  const declined = makeError('PaymentDeclinedError');
  vi.stubGlobal('Headers', undefined);
  expect(PaymentsError.from(declined.toJSON())).toBeInstanceOf(PaymentDeclinedError);
});

describe('what a decline says', () => {
  it('has one name in each class, and comes back', async () => {
    const declines = [
      makeError('PaymentDeclinedError', { declineCode: 'insufficient_funds', code: 'CARD_DECLINED' }),
      makeError('PaymentDeclinedError', { declineReason: 'stolen_card', declineCode: 'do_not_honor' }),
      makeError('TransactionDeclinedError'),
      makeError('CardholderAuthenticationError', { reason: 'unfinished' }),
    ];
    const reasons = declines.map((error) => {
      const back = PaymentsError.from(JSON.parse(JSON.stringify(error)));
      return isDecline(back) && isDecline(error) && back.declineReason === error.declineReason
        ? back.declineReason
        : undefined;
    });
    // Without a reason it may be the 402 of a proxy.
    expect(isDecline(new PaymentDeclinedError('Card declined'))).toBe(false);
    expect(reasons).toEqual(['insufficient_funds', 'stolen_card', 'DECLINE', 'unfinished']);
  });

  it.each(['executed', 'unknown'] as const)(
    'is no decline of an operation that is %s: another card could charge twice',
    (outcome) => {
      for (const name of [
        'PaymentDeclinedError',
        'TransactionDeclinedError',
        'CardholderAuthenticationError',
      ] as const) {
        const more = name === 'PaymentDeclinedError' ? { code: 'CARD_DECLINED' } : {};
        expect(isDecline(makeError(name, more))).toBe(true);
        expect(isDecline(makeError(name, { ...more, outcome }))).toBe(false);
      }
    },
  );

  it('tells a transaction that was not processed from one that was declined', () => {
    const failed = makeError('TransactionDeclinedError', { errored: true });
    expect(isDecline(PaymentsError.from(failed.toJSON()))).toBe(false);
  });

  it('shows no card number that the service repeats', async () => {
    const sandbox = await startSandbox();
    sandbox.faults.inject({
      kind: 'respond',
      operation: 'transact.sale',
      status: 200,
      body: 'response=2&responsetext=Card 4111111111111111 declined&transactionid=7',
    });
    const call = clientOf(sandbox).transact.sale(saleParams, { throwOnDecline: true });
    const error = await failureOf(call, sdk.TransactionDeclinedError);
    expect(JSON.stringify(error)).not.toContain('4111111111111111');
    expect(error.declineReason).toMatch(/^Card .* declined$/);
  });
});

it('is never a body, a header or a cause', () => {
  const error = makeError('ServerError', {
    body: { secret: 'a secret' },
    headers: new Headers({ secret: 'a secret' }),
    cause: new Error('a secret'),
  });
  expect(JSON.stringify(error)).not.toContain('a secret');
});

it('keeps the time at which an operation was sent', () => {
  const error = makeError('OperationUnresolvedError', { startedAt: new Date(7), lookUp: { orderid: '7' } });
  const back = PaymentsError.from(JSON.parse(JSON.stringify(error)));
  expect(back).toBeInstanceOf(OperationUnresolvedError);
  expect(back).toMatchObject({ startedAt: new Date(7), lookUp: { orderid: '7' } });
});

it('is an error of a class that is loaded, or has its name', () => {
  const webhook = new WebhookVerificationError('wrong', { reason: 'too_old' });
  expect(PaymentsError.from(webhook.toJSON())).toBeInstanceOf(WebhookVerificationError);
  const other = { ...webhook.toJSON(), name: 'ShopError' };
  const shop = PaymentsError.from(other) ?? expect.fail('no error');
  expect(shop).toMatchObject({ name: 'ShopError', message: 'wrong' });
  // A program may rename it, as any other error.
  Object.defineProperty(shop, 'name', { value: 'MyShopError' });
  expect(shop.name).toBe('MyShopError');
});

/** For each field, an error that has it, and values that it may have and may not have. */
const fields: readonly (readonly [Name, string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
  ...(['code', 'requestId', 'callId', 'idempotencyKey'] as const).map(
    (field) => ['PaymentDeclinedError', field, ['x'], [7, null, true, {}]] as const,
  ),
  ['PaymentDeclinedError', 'declineCode', ['x'], [7]],
  ['PaymentDeclinedError', 'declineReason', ['x'], [7]],
  ['CardholderAuthenticationError', 'reason', ['unfinished'], [7]],
  [
    'ServerError',
    'outcome',
    ['not_executed', 'executed', 'unknown', 'not_an_operation'],
    ['', 'EXECUTED', 7, ['executed']],
  ],
  ['PaymentDeclinedError', 'retryable', [true], ['true', 1]],
  ['ServerError', 'retryAfter', [0, 7.5], [-1, Number.POSITIVE_INFINITY, Number.NaN, '7']],
  ['ServerError', 'attempts', [7], ['7']],
  ['ServerError', 'status', [599], ['599', null]],
  ['ServerError', 'idempotentReplayed', [true], ['true']],
  ['TransactionDeclinedError', 'errored', [true], ['true']],
  [
    'InvalidRequestError',
    'issues',
    [[{ path: 'a', expected: 'b', received: 'c' }]],
    [
      'issues',
      { path: 'a' },
      [{ path: 'a', expected: 7 }],
      [{ path: 'a' }, null],
      ['a'],
      [{ path: 'a' }, 'a'],
    ],
  ],
  ['OperationMismatchError', 'differences', [['amount']], ['amount', { a: 'b' }, ['amount', 7]]],
  ['OperationUnresolvedError', 'lookUp', [{ orderid: '7' }], ['orderid', null, { a: 'b', orderid: 7 }, 7]],
];

it.each(fields)('of a %s takes %s of its form alone', (name, field, right, wrong) => {
  const { [field]: _, ...form } = makeError(name).toJSON();
  const read = (value: unknown) => Reflect.get(PaymentsError.from({ ...form, [field]: value }) ?? {}, field);
  const absent = Reflect.get(PaymentsError.from(form) ?? {}, field);
  for (const value of right) expect(read(value)).toEqual(value);
  for (const value of wrong) expect([value, read(value)]).toEqual([value, absent]);
});

it('keeps a time that is a text or a date, and no other', () => {
  const form = makeError('OperationUnresolvedError').toJSON();
  const startedAt = (value: unknown) => {
    const error = PaymentsError.from({ ...form, startedAt: value });
    return error instanceof OperationUnresolvedError ? error.startedAt.getTime() : undefined;
  };
  expect([startedAt(new Date(7)), startedAt('1970-01-01T00:00:00.007Z')]).toEqual([7, 7]);
  for (const value of ['never', new Date(Number.NaN), 7, [1970]]) expect(startedAt(value)).toBeGreaterThan(7);
});

it('takes its own form alone, and of it only fields of the right form', () => {
  const error = makeError('PaymentDeclinedError');
  expect(PaymentsError.from(error)).toBe(error);
  const form = error.toJSON();
  for (const value of [
    undefined,
    null,
    'text',
    [],
    {},
    new Error('mine'),
    { ...form, paymentsError: 2 },
    { ...form, name: 7 },
    { ...form, message: undefined },
  ])
    expect(PaymentsError.from(value)).toBeUndefined();
  const forged = PaymentsError.from({
    ...form,
    outcome: 'nothing happened',
    status: '402',
    attempts: null,
    issues: ['x'],
    body: 'mine',
    constructor: 'mine',
    __proto__: { polluted: true },
  });
  expect(forged).toBeInstanceOf(PaymentDeclinedError);
  expect(forged).toMatchObject({ outcome: 'unknown', status: 402, attempts: 1 });
  expect(
    PaymentsError.from({ ...form, startedAt: { toString: 1, valueOf: 1 }, retryAfter: -5 }),
  ).toMatchObject({
    retryAfter: undefined,
  });
  expect(Reflect.get(forged ?? {}, 'polluted')).toBeUndefined();
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(PaymentsError.from({ ...form, name })).toMatchObject({ name, message: form['message'] });
});
