/** The exact message of every error of the form endpoint's client. Each must say what to do. */

import {
  InvalidRequestError,
  PaymentsClient,
  ResponseValidationError,
  Transact,
  TransactionDeclinedError,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';

const baseUrl = 'https://payments.test';
const securityKey = 'security-key-of-tests';
const sale = { amount: '12.00', payment_token: 'tok_1' };
const nothingSent = 'Nothing was sent.';

function clientWithResponse(body: string, init?: ResponseInit) {
  const bodies: string[] = [];
  const fetch = async (request: Request) => {
    bodies.push(await request.text());
    return new Response(body, init);
  };
  return { transact: new Transact({ baseUrl, securityKey, fetch, maxRetries: 0 }), bodies };
}

describe('the constructor of Transact', () => {
  it.each<[what: string, options: object, message: string]>([
    [
      'no key',
      {},
      'securityKey: expected the security key of the form endpoint, got nothing (pass it, or set PAYMENTS_SECURITY_KEY)',
    ],
    [
      'an unknown encoding',
      { securityKey, formEncoding: 'json' },
      "formEncoding: expected 'urlencoded' or 'multipart', got 'json'",
    ],
    [
      'a switch that is not a boolean',
      { securityKey, throwOnDecline: 'yes' },
      "throwOnDecline: expected true or false, got 'yes'",
    ],
    ['an option of PaymentsClient', { securityKey, routes: {} }, 'routes: expected'],
  ])('refuses %s', (_what, options, message) => {
    vi.stubEnv('PAYMENTS_SECURITY_KEY', undefined);
    expect(() => new Transact({ baseUrl, ...options })).toThrow(message);
  });

  it.each<[what: string, options: object, message: string]>([
    [
      'a key that is not a string',
      { securityKey: 7 },
      'securityKey: expected the security key of the form endpoint, or a function that returns it, got a number',
    ],
    [
      'an unknown encoding',
      { formEncoding: 'json' },
      "formEncoding: expected 'urlencoded' or 'multipart', got 'json'",
    ],
  ])('refuses %s in PaymentsClient too', (_what, options, message) => {
    expect(() => new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_1', ...options })).toThrow(message);
  });

  it('names a key function that returns an empty string', async () => {
    const transact = new Transact({ baseUrl, securityKey: () => '' });
    await expect(transact.sale(sale)).rejects.toThrow(
      'securityKey: expected a function that gives a non-empty string, got something else. Nothing was sent.',
    );
  });
});

describe('a transaction is refused before sending if', () => {
  it.each<[what: string, start: (transact: Transact) => PromiseLike<unknown>, message: string]>([
    [
      'a sale has no parameters',
      (t) => t.sale(anything(undefined)),
      `transact.sale: params: expected an object, got nothing. ${nothingSent}`,
    ],
    [
      'the parameters are a string, which may be part of a card number',
      (t) => t.sale(anything('hidden')),
      `transact.sale: params: expected an object, got a string of 6 characters. ${nothingSent}`,
    ],
    [
      'a field is a number, which may be part of a card number',
      (t) => t.sale({ ...sale, phone: anything(411) }),
      `transact.sale: phone: expected a string, got a number. ${nothingSent}`,
    ],
    [
      'the options are not an object',
      (t) => t.sale(sale, anything('fast')),
      `transact.sale: options: expected an object, got a string of 4 characters. ${nothingSent}`,
    ],
    [
      'an option is not a boolean',
      (t) => t.auth(sale, anything({ throwOnDecline: 1, allowFailedAuthentication: 'no' })),
      `transact.auth: options.throwOnDecline: expected true or false, got the number 1; options.allowFailedAuthentication: expected true or false, got 'no'. ${nothingSent}`,
    ],
    [
      'it has an operation id',
      (t) => t.credit(sale, { operationId: 'o' }),
      `transact.credit: options.operationId: expected nothing without a journal, since the form endpoint has no idempotency keys, got 'o'. ${nothingSent}`,
    ],
    [
      'it has an idempotency key',
      (t) => t.sale(sale, anything({ idempotencyKey: 'k' })),
      `transact.sale: options.idempotencyKey: expected nothing, since the form endpoint has no idempotency keys, got a string of 1 character. ${nothingSent}`,
    ],
    [
      'the parameters name another type',
      (t) => t.refund(anything({ transactionid: '1', type: 'sale' })),
      `transact.refund: type: expected nothing, since the method is transact.refund, got another type. ${nothingSent}`,
    ],
    [
      'a capture names no transaction',
      (t) => t.capture(anything({})),
      `transact.capture: transactionid: expected the id of an earlier transaction, got nothing. ${nothingSent}`,
    ],
    [
      'a void names no transaction',
      (t) => t.void(anything({})),
      `transact.void: transactionid: expected the id of an earlier transaction, got nothing. ${nothingSent}`,
    ],
    [
      'it has no means of payment',
      (t) => t.validate(anything({})),
      `transact.validate: expected either payment_token or ccnumber, got neither. ${nothingSent}`,
    ],
    [
      'the type is missing',
      (t) => t.submit(anything(sale)),
      `transact.submit: type: expected a transaction type, got nothing. ${nothingSent}`,
    ],
    [
      'threeDSecure is not an object',
      (t) => t.sale(anything({ ...sale, threeDSecure: {} })),
      `transact.sale: threeDSecure: expected the result of the browser’s authenticate, got something else. ${nothingSent}`,
    ],
    [
      'threeDSecure is null',
      (t) => t.sale(anything({ ...sale, threeDSecure: null })),
      `transact.sale: threeDSecure: expected the result of the browser’s authenticate, got something else. ${nothingSent}`,
    ],
    [
      'the 3-D Secure fields are passed twice',
      (t) => t.sale({ ...sale, threeDSecure: { authenticated: true }, eci: '05' }),
      `transact.sale: eci: expected nothing beside threeDSecure, got a value. ${nothingSent}`,
    ],
  ])('%s', async (_what, call, message) => {
    const { transact, bodies } = clientWithResponse('response=1');
    const error = await failureOf(call(transact), InvalidRequestError);
    expect(error.message).toBe(message);
    expect(bodies).toEqual([]);
  });
});

describe('an invalid response', () => {
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
  ])('reports the issue: %s', async (body, issue) => {
    const { transact } = clientWithResponse(body);
    const error = await failureOf(transact.sale(sale), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', body });
    expect(error.message).toBe(
      `The response is invalid: ${issue}. Money may have moved: look the call up before you send it again. transact.sale: status 200.`,
    );
  });

  it.each([
    ['{"response":1,"a":{"response":2},"b":[{"response":3}],"transactionid":"1"}', '1'],
    ['{"a":"\\\\\\"response\\":2","response":"1","c":"response"}', '1'],
    ['\uFEFFresponse= 2 &responsetext=\uFEFF', '2'],
    ['{"response" : 3, "note": "{"}', '3'],
    ['{"response":"1","note":"response","a":{"b":"response"},"c":2}', '1'],
    ['\uFEFF {"response":1}\r\n', '1'],
  ])('is not assumed for unusual whitespace and nesting: %s', async (body, response) => {
    const { transact } = clientWithResponse(body);
    expect(await transact.sale(sale)).toMatchObject({ response });
  });
});

describe('the message of a decline', () => {
  it('repeats the text of the service', async () => {
    const { transact } = clientWithResponse('response=2&responsetext=DECLINE: do not honor');
    const error = await failureOf(transact.sale(sale, { throwOnDecline: true }), TransactionDeclinedError);
    expect(error.message).toBe(
      'Transaction declined. No money moved by this call (inferred). transact.sale: response 2. The service says: DECLINE: do not honor',
    );
  });

  it('ends with the response, if the service gives no reason', async () => {
    const { transact } = clientWithResponse('response=2&responsetext=');
    const error = await failureOf(transact.sale(sale, { throwOnDecline: true }), TransactionDeclinedError);
    expect(error.message).toBe(
      'Transaction declined. No money moved by this call (inferred). transact.sale: response 2.',
    );
  });

  it.each([
    ['4111111111111111', { ccnumber: '4111111111111111', ccexp: '1230' }],
    ['tok_of_a_card', { payment_token: 'tok_of_a_card' }],
  ])('repeats parameters but not the card: %s', async (card, paidWith) => {
    const { transact } = clientWithResponse(`response=2&responsetext=12.00 by ${card} of Springfield?`);
    const params = { amount: '12.00', city: 'Springfield', ...paidWith };
    const error = await failureOf(transact.sale(params, { throwOnDecline: true }), TransactionDeclinedError);
    expect(error.message).toContain('12.00 by');
    expect(error.message).toContain('of Springfield?');
    expect(error.message).not.toContain(card);
  });
});

describe('each method', () => {
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
  ])('sends the type %s', async (type, call) => {
    const { transact, bodies } = clientWithResponse('response=1&transactionid=1');
    await call(transact);
    expect(new URLSearchParams(bodies[0]).getAll('type')).toEqual([type]);
  });

  it.each(['sale', 'auth', 'credit'] as const)('names itself in its errors: %s', async (method) => {
    const { transact } = clientWithResponse('', { status: 500 });
    await expect(transact[method](sale)).rejects.toThrow(`transact.${method}: `);
  });
});
