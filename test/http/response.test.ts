/** A 2xx response: where its object is, and the error for another one. An invalid body never hides that a call took effect. */

import { ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, product, refund, refundParams } from '../support/fixtures.ts';
import { answered, createClient, json, text } from '../support/mock-service.ts';
import { startAnew } from '../support/new-process.ts';
import { everyForm } from './forms.ts';

const operation = { operationId: 'order-1' };
const create = (response: Response, options = {}) => {
  const payments = createClient({ fetch: async () => response.clone(), ...options });
  return payments.paymentIntents.create(intentParams, operation);
};

const binary = (...bytes: number[]) => new Response(new Uint8Array(bytes));

describe('a 2xx response with an invalid body', () => {
  it.each<readonly [what: string, response: Response, received: string]>([
    ['truncated', text('{"id":"pi_1","obj'), 'a text of 17 characters that is not JSON'],
    ['truncated after blanks', text('\ufeff \n['), 'a text of 3 characters that is not JSON'],
    ['not UTF-8', binary(0x7b, 0xff, 0x7d), 'bytes that are not UTF-8'],
    ['an array', json([]), 'an array of 0'],
    ['null', json(null), 'null'],
    ['another type', json({ ...paymentIntent, object: 'refund' }), "'refund'"],
    ['without a field', json({ ...paymentIntent, amount: undefined }), 'nothing'],
    ['with null in a field that is not nullable', json({ ...paymentIntent, currency: null }), 'null'],
    ['with a wrong type', json({ ...paymentIntent, amount: '12.00' }), 'a string of 5 characters'],
  ])('(%s) is reported as executed, with the body', async (_what, response, received) => {
    const error = await failureOf(create(response), ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'executed', retryable: false, attempts: 1 });
    expect(error.issues[0]?.received).toBe(received);
    const sent = await response.text();
    expect(typeof error.body === 'string' ? error.body : JSON.stringify(error.body)).toBe(
      sent.replace('\ufeff', ''),
    );
  });

  it.each<readonly [what: string, response: Response, received: string]>([
    ['empty', text(''), 'an empty body'],
    ['blank', text(' \n '), 'an empty body'],
    ['a word', text('OK'), 'a text of 2 characters that is not JSON'],
    ['text with a tag', text('see <html>'), 'a text of 10 characters that is not JSON'],
    ['a login page', text('\n <html><title>Welcome</title></html>'), 'an HTML or XML page'],
    ['bytes', binary(0x1f, 0x8b, 0x08), 'bytes that are not UTF-8'],
  ])('(%s) is no JSON, so the service may not have got the call', async (_what, response, received) => {
    const error = await failureOf(create(response), ResponseValidationError);
    // The SDK does not retry it, since the page will be there again.
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true, attempts: 1 });
    expect(error.issues).toEqual([{ path: '(root)', expected: 'a JSON body', received }]);
  });

  it.each(everyForm)('leaves %s without a lower outcome than it proves', async (_name, form) => {
    const judge = async (body: string) => {
      startAnew();
      const payments = createClient({ fetch: async () => text(body) });
      return (await failureOf(form.call(payments), ResponseValidationError)).outcome;
    };
    expect(await judge('{"id":')).toBe(form.accepted);
    expect(await judge('<html>')).toBe(form.unanswered);
  });

  it.each([
    ['warn', 1],
    ['off', 0],
  ] as const)('is returned unchanged under validation %s, with %i warning', async (validation, count) => {
    const warnings: unknown[] = [];
    const logger = { warn: (message: string, fields: object) => warnings.push([message, fields]) };
    const body = { ...paymentIntent, amount: '12.00' };
    expect(await create(json(body), { validation, logger })).toEqual(body);
    const fields = {
      callId: expect.any(String),
      operation: 'paymentIntents.create',
      issues: [{ path: 'amount', expected: 'an integer', received: 'a string of 5 characters' }],
    };
    const message = expect.stringContaining('paymentIntents.create: the response does not match the schema');
    expect(warnings).toEqual(Array.from({ length: count }, () => [message, fields]));
  });
});

describe('the object in a 2xx', () => {
  const [one, other] = [product('prod_1'), product('prod_2')];

  it('is read whatever its content type', async () => {
    const response = text(JSON.stringify(paymentIntent), { headers: { 'content-type': 'text/html' } });
    expect(await create(response)).toEqual(paymentIntent);
  });

  it.each<readonly [place: 'whole' | 'data' | 'type' | undefined, body: object, id: string]>([
    [undefined, one, 'prod_1'],
    [undefined, { data: one }, 'prod_1'],
    [undefined, { product: one }, 'prod_1'],
    [undefined, { ...one, data: other, product: other }, 'prod_1'],
    [undefined, { data: one, product: other }, 'prod_1'],
    [undefined, { data: { note: 'no object' }, product: one }, 'prod_1'],
    ['whole', { ...one, data: other }, 'prod_1'],
    ['data', { ...other, data: one }, 'prod_1'],
    ['type', { ...other, data: other, product: one }, 'prod_1'],
    // One elsewhere is found too, so that a wrong place hides no effect.
    ['whole', { data: one }, 'prod_1'],
    ['data', one, 'prod_1'],
    ['data', { product: one }, 'prod_1'],
    ['type', { data: one }, 'prod_1'],
  ])('with objectPlace %s is found in %j', async (objectPlace, body, id) => {
    const options = objectPlace === undefined ? {} : { interface: { objectPlace } };
    expect(await answered(body, options).products.retrieve(id)).toMatchObject(one);
  });

  it.each([null, 5, 'prod_1', { data: { data: one } }, { other: one }])('is not %j', async (body) => {
    await failureOf(answered(body).products.retrieve('prod_1'), ResponseValidationError);
  });
});

describe('a deletion', () => {
  const deleted = { id: 'cus_1', deleted: true };
  it.each([
    ['an empty 204', new Response(null, { status: 204 })],
    ['a blank body', text(' \n')],
    ['a short confirmation', json(deleted)],
  ])('accepts %s', async (_what, response) => {
    const { customers } = createClient({ fetch: async () => response });
    expect(await customers.delete('cus_1')).toEqual(deleted);
  });
});

describe('livemode', () => {
  const [test, live] = [refund, { ...refund, livemode: true }];
  const otherKey = 'sk_v1_other_0001';

  it('of a live object under a test key is refused, and reported as executed after a write', async () => {
    const error = await failureOf(
      answered(live).refunds.create(refundParams, operation),
      ResponseValidationError,
    );
    expect(error.outcome).toBe('executed');
    expect(error.issues).toEqual([
      { path: 'livemode', expected: 'false, since the key is a test key', received: 'true' },
    ]);
  });

  it.each([
    ['a test object under a test key', test, undefined, 'throw', []],
    ['a live object under another key', live, otherKey, 'throw', []],
    // The form of live keys is not shown, so this is no error.
    ['a test object under another key', test, otherKey, 'throw', ['a test object (livemode false) came']],
    ['a live object under a test key', live, undefined, 'warn', ['does not match the schema']],
    ['a live object under a test key', live, undefined, 'off', []],
    ['a test object under another key', test, otherKey, 'off', []],
  ] as const)(
    'of %s is returned, perhaps with a warning: %#',
    async (_what, body, key, validation, expected) => {
      const warnings: string[] = [];
      const logger = { warn: (message: string) => warnings.push(message) };
      const options = { validation, logger, ...(key && { secretKey: key }) };
      expect(await answered(body, options).refunds.retrieve('rf_1')).toEqual(body);
      expect(warnings).toEqual(expected.map((one) => expect.stringContaining(one)));
    },
  );
});
