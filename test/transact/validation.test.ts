/** What is refused before anything is sent: always if it decides about money, else as the option `validation` says. */

import { inspect } from 'node:util';
import { InvalidRequestError, type TransactRequestOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { type Call, card, methods, sale, securityKey, startEndpoint, submit, token } from './endpoint.ts';

const { auth, capture, credit, refund, validate } = methods;
const voiding = methods.void;

const calling =
  (call: Call, fields: object): Call =>
  (transact) =>
    call(transact, fields);
const selling =
  (params: unknown): Call =>
  (transact) =>
    transact.sale(anything(params));
const withOptions =
  (options: unknown): Call =>
  (transact) =>
    transact.auth(sale, anything(options));

/** Refused whatever `validation` says, with the path, what was expected and what came. */
const always: readonly (readonly [
  what: string,
  path: string,
  expected: string,
  received: string,
  call: Call,
])[] = [
  ['no parameters', 'params', 'an object', 'nothing', selling(undefined)],
  // May be part of a card number.
  ['parameters that are a string', 'params', 'an object', 'a string of 6 characters', selling('hidden')],
  ['a number', 'phone', 'a string', 'a number', selling({ ...sale, phone: 411 })],
  ['null', 'ccexp', 'MMYY', 'null', selling({ ...card, ccexp: null })],
  ['an object', 'merchant_field', 'a string', 'an object', calling(submit, { merchant_field: {} })],
  ['a security_key', 'security_key', 'no security_key', 'a string', calling(submit, { security_key: 'k' })],
  [
    'an amount that may be 12 or 1200',
    'amount',
    'decimal',
    'a string',
    selling({ ...sale, amount: '12,00' }),
  ],
  ['a sale without an amount', 'amount', 'decimal', 'nothing', selling(token)],
  ['a sale of zero', 'amount', 'more than zero', 'a string', selling({ ...sale, amount: '0.00' })],
  ['an authorization of zero', 'amount', 'more than zero', 'a string', calling(auth, { amount: '0.00' })],
  ['a credit of zero', 'amount', 'more than zero', 'a string', calling(credit, { amount: '0.00' })],
  ['a capture of zero', 'amount', 'more than zero', 'a string', calling(capture, { amount: '0.00' })],
  // It may be taken for all of it.
  ['a refund of zero', 'amount', 'more than zero', 'a string', calling(refund, { amount: '0.00' })],
  [
    'a refund without an amount',
    'amount',
    'decimal',
    'nothing',
    (t) => t.refund(anything({ transactionid: '7' })),
  ],
  // It was meant to be a part, and would take all.
  ['a capture of undefined', 'amount', 'a value', 'undefined', calling(capture, { amount: undefined })],
  ['a void of a part', 'amount', 'no amount', 'a string', calling(voiding, { amount: '1.00' })],
  ['a validation of an amount', 'amount', 'no amount', 'a string', calling(validate, { amount: '1.00' })],
  [
    'a void of no transaction',
    'transactionid',
    'an earlier transaction',
    'an empty string',
    calling(voiding, { transactionid: '' }),
  ],
  [
    'a capture of no transaction',
    'transactionid',
    'an earlier transaction',
    'nothing',
    calling(capture, { transactionid: undefined }),
  ],
  [
    'a refund of no transaction',
    'transactionid',
    'an earlier transaction',
    'nothing',
    calling(refund, { transactionid: undefined }),
  ],
  ['no type', 'type', 'a transaction type', 'nothing', calling(submit, { type: undefined })],
  ['an empty type', 'type', 'a transaction type', 'an empty string', calling(submit, { type: '' })],
  [
    'a type other than the method’s',
    'type',
    'the method is transact.refund',
    'another type',
    calling(refund, { type: 'sale' }),
  ],
  ['options that are no object', 'options', 'an object', 'a string of 4 characters', withOptions('fast')],
  ['options that are null', 'options', 'an object', 'null', withOptions(null)],
  [
    'a switch that is not a boolean',
    'options.throwOnDecline',
    'true or false',
    'the number 1',
    withOptions({ throwOnDecline: 1 }),
  ],
  [
    'a permission that is not a boolean',
    'options.allowFailedAuthentication',
    'true or false',
    "'no'",
    withOptions({ allowFailedAuthentication: 'no' }),
  ],
  [
    'another permission that is not a boolean',
    'options.allowUnavailableAuthentication',
    'true or false',
    "'no'",
    withOptions({ allowUnavailableAuthentication: 'no' }),
  ],
  [
    'an operation id without a journal',
    'options.operationId',
    'no idempotency keys',
    "'o'",
    withOptions({ operationId: 'o' }),
  ],
  [
    'an idempotency key',
    'options.idempotencyKey',
    'no idempotency keys',
    'a string of 1 character',
    withOptions({ idempotencyKey: 'k' }),
  ],
];

describe.each(['throw', 'warn', 'off'] as const)('with validation %s, nothing is sent for', (validation) => {
  it.each(always)('%s', async (_what, path, expected, received, call) => {
    const { transact, bodies, warnings } = startEndpoint('response=1', { validation });
    const error = await failureOf(call(transact), InvalidRequestError);
    expect(error.issues).toContainEqual({
      path,
      expected: expect.stringContaining(expected),
      received: expect.stringContaining(received),
    });
    expect(error.outcome).toBe('not_executed');
    expect(error.message).toMatch(/^transact\.\w+: .+, got .+\. Nothing was sent\.$/);
    expect([bodies, warnings]).toEqual([[], []]);
  });
});

/** Refused only by rules of the SDK that are inferred, with the issue. */
const inferred: readonly (readonly [what: string, params: object, issue: object])[] = [
  ['another format of the expiry', { ...card, ccexp: '29/12' }, { path: 'ccexp' }],
  ['a card number that is too long', { ...card, ccnumber: '41111111111111111111' }, { path: 'ccnumber' }],
  ['a card number with dots', { ...card, ccnumber: '4111.1111.1111.1111' }, { path: 'ccnumber' }],
  ['a card number that fails Luhn', { ...card, ccnumber: '4111111111111112' }, { path: 'ccnumber' }],
  ['a security code of five digits', { ...card, cvv: '12345' }, { path: 'cvv' }],
  ['a card without its expiry', { ...card, ccexp: undefined }, { expected: 'ccexp with a ccnumber' }],
  ['an expiry beside a token', { ...sale, ccexp: '1229' }, { expected: 'no ccexp beside a payment_token' }],
  [
    'a token beside a card',
    { ...sale, ccnumber: card.ccnumber },
    { expected: 'either payment_token or ccnumber', received: 'both' },
  ],
  [
    'no means of payment',
    { amount: '12.00', customer_vault_id: '7' },
    { expected: 'either payment_token or ccnumber', received: 'neither' },
  ],
  ['a text of more than 1,024 characters', { ...sale, address1: 'x'.repeat(1025) }, { path: 'address1' }],
  ['a token of more than 4,096', { ...sale, payment_token: 'x'.repeat(4097) }, { path: 'payment_token' }],
  ['another field of more than 65,536', { ...sale, wallet: 'x'.repeat(65_537) }, { path: 'wallet' }],
];

describe.each(inferred)('%s', (_what, params, issue) => {
  const expected = [
    { security_key: securityKey, type: 'sale', ...JSON.parse(JSON.stringify(params)) },
  ] as const;

  it('is refused by default, is sent with a warning that repeats no value, or is sent', async () => {
    const strict = startEndpoint();
    const { issues } = await failureOf(strict.transact.sale(anything(params)), InvalidRequestError);
    expect(issues).toContainEqual(expect.objectContaining(issue));
    expect(strict.bodies).toEqual([]);

    const warned = startEndpoint('response=1', { validation: 'warn' });
    expect(await warned.transact.sale(anything(params))).toMatchObject({ approved: true });
    expect(warned.sent()).toEqual(expected);
    const about = {
      callId: expect.any(String),
      issues: expect.arrayContaining([expect.objectContaining(issue)]),
    };
    expect(warned.warnings).toEqual([
      [expect.stringContaining('transact.sale'), { operation: 'transact.sale', ...about }],
    ]);
    const shown = inspect(warned.warnings, { depth: 9 }).replace(/callId: .*/, '');
    expect(shown).not.toMatch(/41111|4111\.|29\/12|1229|123|tok_1|xxx/);

    const off = startEndpoint('response=1', { validation: 'off' });
    await off.transact.sale(anything(params));
    expect([off.sent(), off.warnings]).toEqual([expected, []]);
  });
});

it.each([
  ['address1', 1024],
  ['payment_token', 4096],
  ['cavv', 4096],
  ['wallet', 65_536],
])('a %s of %i characters is sent', async (name, length) => {
  const { transact, sent } = startEndpoint('response=1', {
    extraParameters: { 'transact.sale': ['wallet'] },
  });
  await transact.sale(anything({ ...sale, [name]: 'x'.repeat(length) }));
  expect(sent()[0]?.[name]).toHaveLength(length);
});

it.each<[what: string, options: TransactRequestOptions]>([
  [
    'a call',
    { throwOnDecline: true, allowFailedAuthentication: false, allowUnavailableAuthentication: false },
  ],
  ['a call', { operationId: undefined, throwOnDecline: undefined }],
])('takes the options of %s: %j', async (_what, options) => {
  const { transact } = startEndpoint();
  expect(await transact.sale(sale, options)).toMatchObject({ approved: true });
});
