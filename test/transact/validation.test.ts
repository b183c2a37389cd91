import { inspect } from 'node:util';
import { InvalidRequestError, Transact, type TransactOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { baseUrl, securityKey, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const token = { amount: '12.00', payment_token: 'tok_1' };
const card = { amount: '12.00', ccnumber: '4111111111111111', ccexp: '1229', cvv: '123' };

/** Parameters that only the SDK's own rules refuse, with the issue. */
const strictlyRefused: readonly (readonly [what: string, params: object, issue: object])[] = [
  ['another format of the expiry', { ...card, ccexp: '29/12' }, { path: 'ccexp' }],
  ['a card number that is too long', { ...card, ccnumber: '41111111111111111111' }, { path: 'ccnumber' }],
  ['a card number with dots', { ...card, ccnumber: '4111.1111.1111.1111' }, { path: 'ccnumber' }],
  ['a card number that fails Luhn', { ...card, ccnumber: '4111111111111112' }, { path: 'ccnumber' }],
  ['a security code of five digits', { ...card, cvv: '12345' }, { path: 'cvv' }],
  ['a card without its expiry', { ...card, ccexp: undefined }, { expected: 'ccexp with a ccnumber' }],
  ['an expiry beside a token', { ...token, ccexp: '1229' }, { expected: 'no ccexp beside a payment_token' }],
  [
    'a token beside a card',
    { ...token, ccnumber: card.ccnumber, ccexp: undefined },
    { expected: 'either payment_token or ccnumber', received: 'both' },
  ],
  [
    'no means of payment',
    { amount: '12.00', customer_vault_id: '7' },
    { expected: 'either payment_token or ccnumber', received: 'neither' },
  ],
  ['a text that is too long', { ...token, address1: 'x'.repeat(1025) }, { path: 'address1' }],
];

/** Creates a client with this `validation`, and collects its warnings. */
function clientWith(validation: TransactOptions['validation']) {
  const warnings: unknown[] = [];
  const logger = { warn: (...line: unknown[]) => warnings.push(line) };
  return { transact: new Transact({ baseUrl, securityKey, validation, logger }), warnings };
}

const sentFields = () => service.arrivals.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

const defined = (params: object) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

describe.each(strictlyRefused)('%s', (_what, params, issue) => {
  it('is refused by default', async () => {
    const { transact } = clientWith(undefined);
    const error = await failureOf(transact.sale(anything(params)), InvalidRequestError);
    expect(error.issues).toContainEqual(expect.objectContaining(issue));
    expect(service.arrivals).toEqual([]);
  });

  it('is sent with a warning with validation warn', async () => {
    service.answers(text('response=1'));
    const { transact, warnings } = clientWith('warn');
    expect(await transact.sale(anything(params))).toMatchObject({ approved: true });
    expect(sentFields()).toEqual([{ security_key: securityKey, type: 'sale', ...defined(params) }]);
    const message = 'transact.sale: the parameters do not match the schema; going on with them as they are';
    const fields = {
      operation: 'transact.sale',
      callId: expect.any(String),
      issues: expect.arrayContaining([expect.objectContaining(issue)]),
    };
    expect(warnings).toEqual([[message, fields]]);
    expect(inspect(warnings, { depth: 9 }).replace(/callId: .*/, '')).not.toMatch(/4111|2029|1229|123|tok_1/);
  });

  it('is sent with validation off, also by submit', async () => {
    service.answers(text('response=1'));
    const { transact, warnings } = clientWith('off');
    await transact.sale(anything(params));
    await transact.submit(anything({ type: 'sale', ...params }));
    const sent = { security_key: securityKey, type: 'sale', ...defined(params) };
    expect(sentFields()).toEqual([sent, sent]);
    expect(warnings).toEqual([]);
  });
});

describe.each(['warn', 'off'] as const)('with validation %s', (validation) => {
  it.each<[what: string, path: string, call: (transact: Transact) => PromiseLike<unknown>]>([
    ['parameters that are not an object', 'params', (t) => t.sale(anything('4111111111111111'))],
    ['a value that is not a string', 'phone', (t) => t.sale({ ...token, phone: anything(5550100) })],
    ['null', 'ccexp', (t) => t.sale(anything({ ...card, ccexp: null }))],
    [
      'a field of submit that is not a string',
      'merchant_field',
      (t) => t.submit({ type: 'sale', merchant_field: anything({}) }),
    ],
    ['a security_key', 'security_key', (t) => t.submit({ type: 'sale', security_key: 'other' })],
    ['an amount that may be 12 or 1200', 'amount', (t) => t.sale({ ...token, amount: '12,00' })],
    [
      'an amount of submit that may be 12 or 1200',
      'amount',
      (t) => t.submit({ type: 'sale', ...token, amount: '12,00' }),
    ],
    ['a sale without an amount', 'amount', (t) => t.sale(anything({ payment_token: 'tok_1' }))],
    [
      'a refund without an amount, which may be of everything',
      'amount',
      (t) => t.refund(anything({ transactionid: '7' })),
    ],
    [
      'a refund of zero, which may be everything',
      'amount',
      (t) => t.refund({ transactionid: '7', amount: '0.00' }),
    ],
    ['a void of a part', 'amount', (t) => t.void(anything({ transactionid: '7', amount: '1.00' }))],
    ['a void of no transaction', 'transactionid', (t) => t.void({ transactionid: '' })],
    ['a transaction without a type', 'type', (t) => t.submit(anything(token))],
    ['a type other than the method’s', 'type', (t) => t.sale(anything({ ...token, type: 'refund' }))],
  ])('%s is refused with one issue', async (_what, path, call) => {
    const { transact, warnings } = clientWith(validation);
    const error = await failureOf(call(transact), InvalidRequestError);
    expect(error.issues).toEqual([expect.objectContaining({ path })]);
    expect(warnings).toEqual([]);
    expect(service.arrivals).toEqual([]);
  });

  it.each([
    ['12/29', '123'],
    ['2029-12', '123'],
    ['1229', '1 2 3'],
  ])('the expiry %s and the code %s do not appear in the message of a decline', async (ccexp, cvv) => {
    service.answers(text(`response=2&responsetext=Refused ${ccexp} ${cvv}`));
    const { transact } = clientWith(validation);
    const error = await transact
      .sale({ ...card, ccexp, cvv }, { throwOnDecline: true })
      .catch((reason) => reason);
    expect(error.message).not.toMatch(/12.?29|2029|1 ?2 ?3/);
  });
});
