/** Every way to be refused by the form endpoint's client, word by word: whoever reads it must know what to do. */

import {
  InvalidRequestError,
  PaymentsClient,
  ResponseValidationError,
  Transact,
  TransactionDeclinedError,
  toCardExpiry,
  toDecimalAmount,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';

const baseUrl = 'https://payments.test';
const securityKey = 'security-key-of-tests';
const sale = { amount: '12.00', payment_token: 'tok_1' };
const none = 'Nothing was sent.';

function answering(body: string, init?: ResponseInit) {
  const bodies: string[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.text());
    return new Response(body, init);
  };
  return { transact: new Transact({ baseUrl, securityKey, fetch, maxRetries: 0 }), bodies };
}

describe('a client of the form endpoint', () => {
  it.each<[what: string, options: object, said: string]>([
    [
      'no key',
      {},
      'securityKey: expected the security key of the form endpoint, got nothing (pass it, or set PAYMENTS_SECURITY_KEY)',
    ],
    [
      'an encoding that it does not know',
      { securityKey, formEncoding: 'json' },
      "formEncoding: expected 'urlencoded' or 'multipart', got 'json'",
    ],
    [
      'a switch that is neither on nor off',
      { securityKey, throwOnDecline: 'yes' },
      "throwOnDecline: expected true or false, got 'yes'",
    ],
    ['an option of the other client', { securityKey, routes: {} }, 'routes: expected'],
  ])('is refused with %s', (_what, options, said) => {
    vi.stubEnv('PAYMENTS_SECURITY_KEY', undefined);
    expect(() => new Transact({ baseUrl, ...options })).toThrow(said);
  });

  it.each<[what: string, options: object, said: string]>([
    [
      'a key that is none',
      { securityKey: 7 },
      'securityKey: expected the security key of the form endpoint, or a function that returns it, got a value of type number',
    ],
    [
      'an encoding that it does not know',
      { formEncoding: 'json' },
      "formEncoding: expected 'urlencoded' or 'multipart', got 'json'",
    ],
  ])('is refused with %s by the client of everything too', (_what, options, said) => {
    expect(() => new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_1', ...options })).toThrow(said);
  });

  it('says which function gave no key', async () => {
    const transact = new Transact({ baseUrl, securityKey: () => '' });
    await expect(transact.sale(sale)).rejects.toThrow(
      'securityKey: expected a function that gives a non-empty string, got something else. Nothing was sent.',
    );
  });
});

describe('a transaction is refused, and nothing is sent, where', () => {
  it.each<[what: string, start: (transact: Transact) => PromiseLike<unknown>, message: string]>([
    [
      'a sale has no parameters',
      (t) => t.sale(anything(undefined)),
      `transact.sale: params: expected an object, got nothing. ${none}`,
    ],
    [
      'the parameters are a word, which may be a part of a card',
      (t) => t.sale(anything('hidden')),
      `transact.sale: params: expected an object, got a string of 6 characters. ${none}`,
    ],
    [
      'a field is a number, which may be a part of a card',
      (t) => t.sale({ ...sale, phone: anything(411) }),
      `transact.sale: phone: expected a string, got a number. ${none}`,
    ],
    [
      'the options are no object',
      (t) => t.sale(sale, anything('fast')),
      `transact.sale: options: expected an object, got a string of 4 characters. ${none}`,
    ],
    [
      'an option is no switch',
      (t) => t.auth(sale, anything({ throwOnDecline: 1, allowFailedAuthentication: 'no' })),
      `transact.auth: options.throwOnDecline: expected true or false, got the number 1; options.allowFailedAuthentication: expected true or false, got 'no'. ${none}`,
    ],
    [
      'there is an operation id',
      (t) => t.credit(sale, { operationId: 'o' }),
      `transact.credit: options.operationId: expected nothing without a journal, since the form endpoint has no idempotency keys, got 'o'. ${none}`,
    ],
    [
      'there is an idempotency key',
      (t) => t.sale(sale, anything({ idempotencyKey: 'k' })),
      `transact.sale: options.idempotencyKey: expected nothing, since the form endpoint has no idempotency keys, got a string of 1 characters. ${none}`,
    ],
    [
      'the parameters name another type',
      (t) => t.refund(anything({ transactionid: '1', type: 'sale' })),
      `transact.refund: type: expected nothing, since the method is transact.refund, got another type. ${none}`,
    ],
    [
      'a capture names no transaction',
      (t) => t.capture(anything({})),
      `transact.capture: transactionid: expected the id of an earlier transaction, got nothing. ${none}`,
    ],
    [
      'a void names no transaction',
      (t) => t.void(anything({})),
      `transact.void: transactionid: expected the id of an earlier transaction, got nothing. ${none}`,
    ],
    [
      'nothing is paid with',
      (t) => t.validate(anything({})),
      `transact.validate: expected either payment_token or ccnumber, got neither. ${none}`,
    ],
    [
      'the type is missing',
      (t) => t.submit(anything(sale)),
      `transact.submit: type: expected a transaction type, got nothing. ${none}`,
    ],
    [
      'the authentication is something else',
      (t) => t.sale(anything({ ...sale, threeDSecure: {} })),
      `transact.sale: threeDSecure: expected the result of the browser’s authenticate, got something else. ${none}`,
    ],
    [
      'the authentication is nothing',
      (t) => t.sale(anything({ ...sale, threeDSecure: null })),
      `transact.sale: threeDSecure: expected the result of the browser’s authenticate, got something else. ${none}`,
    ],
    [
      'the authentication failed',
      (t) => t.sale({ ...sale, threeDSecure: { authenticated: false } }),
      `transact.sale: threeDSecure.authenticated: expected a successful authentication, or allowFailedAuthentication: true in the options, got false, which is a high risk of fraud. ${none}`,
    ],
    [
      'the authentication is given twice',
      (t) => t.sale({ ...sale, threeDSecure: { authenticated: true }, eci: '05' }),
      `transact.sale: eci: expected nothing beside threeDSecure, got a value. ${none}`,
    ],
  ])('%s', async (_what, start, message) => {
    const { transact, bodies } = answering('response=1');
    const error = await failureOf(start(transact), InvalidRequestError);
    expect(error.message).toBe(message);
    expect(bodies).toEqual([]);
  });
});

describe('an answer that cannot be read says what is wrong with it', () => {
  it.each<[body: string, issue: string]>([
    ['<html>response=1</html>', 'expected a form or a JSON object, got an HTML or XML page'],
    [' \uFEFF{"response":', 'expected a form or a JSON object, got broken JSON'],
    ['{"response":[1]}', 'response: expected text or a number, got something else'],
    ['{"response":true}', 'response: expected text or a number, got something else'],
    ['{"response":1,"a":{"response":2},"response" : 2}', 'response: expected one value, got two'],
    ['{"transactionid":"1","response":1,"transactionid":"2"}', 'transactionid: expected one value, got two'],
    ['response=1&response=2', 'response: expected one value, got two'],
    ['response=&responsetext=x', 'response: expected a field that says whether it was approved, got none'],
    ['responsetext=APPROVED', 'response: expected a field that says whether it was approved, got none'],
    ['{}', 'response: expected a field that says whether it was approved, got none'],
    [
      'response=1 and a lot of other words',
      'response: expected one short word or number, got something longer',
    ],
  ])('%s', async (body, issue) => {
    const { transact } = answering(body);
    const error = await failureOf(transact.sale(sale), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', body });
    expect(error.message).toBe(
      `transact.sale: the response is invalid: ${issue}. It may have taken effect: look it up before you send it again.`,
    );
  });

  it.each([
    ['{"response":1,"a":{"response":2},"b":[{"response":3}],"transactionid":"1"}', '1'],
    ['{"a":"\\\\\\"response\\":2","response":"1","c":"response"}', '1'],
    ['\uFEFFresponse= 2 &responsetext=\uFEFF', '2'],
    ['{"response" : 3, "note": "{"}', '3'],
    ['{"response":"1","note":"response","a":{"b":"response"},"c":2}', '1'],
    ['\uFEFF {"response":1}\r\n', '1'],
  ])('and one that looks odd is read: %s', async (body, response) => {
    const { transact } = answering(body);
    expect(await transact.sale(sale)).toMatchObject({ response });
  });
});

describe('what is given and cannot be used is told', () => {
  it.each<[message: string, start: () => unknown]>([
    [
      `toCardExpiry: month: expected an integer from 1 to 12, got another value of type number.`,
      () => toCardExpiry(0, 2030),
    ],
    [
      `toCardExpiry: year: expected an integer from 2000 to 2099, got another value of type string.`,
      () => toCardExpiry(1, anything('2030')),
    ],
    [
      `toDecimalAmount: minorUnits: expected an integer from 0, in minor units, got the number -1.`,
      () => toDecimalAmount(-1n, 'USD'),
    ],
    [
      `toDecimalAmount: minorUnits: expected an integer from 0, in minor units, got the number 1.5.`,
      () => toDecimalAmount(1.5, 'USD'),
    ],
    [
      `toDecimalAmount: minorUnits: expected an integer from 0, in minor units, got a string of 4 characters.`,
      () => toDecimalAmount(anything('1200'), 'USD'),
    ],
    [
      `toDecimalAmount: currency: expected an ISO 4217 code with a minor unit, such as 'USD', got the number 7.`,
      () => toDecimalAmount(1, anything(7)),
    ],
    [
      `toDecimalAmount: minorUnits: expected an integer from 0, in minor units, got the number -1; currency: expected an ISO 4217 code with a minor unit, such as 'USD', got 'XXX'.`,
      () => toDecimalAmount(-1, 'XXX'),
    ],
  ])('%s', (message, start) => {
    const error = thrownBy(start);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ message });
  });

  it('and the ends of what can be used are taken', () => {
    expect([toCardExpiry(1, 2000), toCardExpiry(12, 2099)]).toEqual(['0100', '1299']);
    expect([toDecimalAmount(0n, 'jpy'), toDecimalAmount(0, 'KWD')]).toEqual(['0', '0.000']);
  });
});

function thrownBy(start: () => unknown): unknown {
  try {
    return start();
  } catch (error) {
    return error;
  }
}

describe('what a failure repeats', () => {
  it('of a decline is what the service said', async () => {
    const { transact } = answering('response=2&responsetext=DECLINE: do not honor');
    const error = await failureOf(transact.sale(sale, { throwOnDecline: true }), TransactionDeclinedError);
    expect(error.message).toBe(
      'transact.sale: expected an approval, got response 2: DECLINE: do not honor. No money moved by this call.',
    );
  });

  it.each([
    ['4111111111111111', { ccnumber: '4111111111111111', ccexp: '1230' }],
    ['tok_of_a_card', { payment_token: 'tok_of_a_card' }],
  ])('is what was given, but for the card: %s', async (card, paidWith) => {
    const { transact } = answering(`response=2&responsetext=12.00 by ${card} of Springfield?`);
    const params = { amount: '12.00', city: 'Springfield', ...paidWith };
    const error = await failureOf(transact.sale(params, { throwOnDecline: true }), TransactionDeclinedError);
    expect(error.message).toContain('12.00 by');
    expect(error.message).toContain('of Springfield?');
    expect(error.message).not.toContain(card);
  });
});

describe('each method sends its own type', () => {
  it.each<[type: string, start: (transact: Transact) => PromiseLike<unknown>]>([
    ['sale', (t) => t.sale(sale)],
    ['auth', (t) => t.auth(sale)],
    ['capture', (t) => t.capture({ transactionid: '1' })],
    ['void', (t) => t.void({ transactionid: '1' })],
    ['refund', (t) => t.refund({ transactionid: '1', amount: '5.00' })],
    ['credit', (t) => t.credit(sale)],
    ['validate', (t) => t.validate({ payment_token: 'tok_1' })],
    ['sale', (t) => t.submit({ type: 'sale', ...sale })],
    ['sale', (t) => t.sale(anything({ ...sale, type: 'sale' }))],
  ])('%s', async (type, start) => {
    const { transact, bodies } = answering('response=1&transactionid=1');
    await start(transact);
    expect(new URLSearchParams(bodies[0]).getAll('type')).toEqual([type]);
  });

  it.each(['sale', 'auth', 'credit'] as const)('and a failed %s tells its name', async (method) => {
    const { transact } = answering('', { status: 500 });
    await expect(transact[method](sale)).rejects.toThrow(`transact.${method}: `);
  });
});
