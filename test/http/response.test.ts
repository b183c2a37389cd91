import { ConnectionError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, product, refund } from '../support/fixtures.ts';
import { answered, createClient, json, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const once = { operationId: 'order-1', maxRetries: 0 };
const create = (payments = createClient()) => payments.paymentIntents.create(intentParams, once);

describe('a 2xx response with an invalid body', () => {
  it.each<[what: string, response: Response, received: string]>([
    ['truncated', text('{"id":"pi_1","obj'), 'a text of 17 characters that is not JSON'],
    ['not UTF-8', new Response(new Uint8Array([0x7b, 0xff, 0x7d])), 'bytes that are not UTF-8'],
    ['an array', json([]), 'an array of 0'],
    ['another type', json({ ...paymentIntent, object: 'refund' }), "'refund'"],
    ['without a field', json({ ...paymentIntent, amount: undefined }), 'nothing'],
    ['with null in a field that is not nullable', json({ ...paymentIntent, currency: null }), 'null'],
    ['with a wrong type', json({ ...paymentIntent, amount: '12.00' }), 'a string of 5 characters'],
  ])('(%s) is reported as executed, with the body', async (_what, response, received) => {
    service.answers(response);
    const error = await failureOf(create(), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues[0]?.received).toBe(received);
    expect(error.message).toContain('The call took effect');
    expect(error.body).toBeDefined();
    expect(service.arrivals).toHaveLength(1);
  });

  it.each<[what: string, response: Response, received: string]>([
    ['empty', text(''), 'an empty body'],
    ['a word', text('OK'), 'a text of 2 characters that is not JSON'],
    ['a login page', text('<html><title>Welcome</title></html>'), 'an HTML or XML page'],
    ['bytes', new Response(new Uint8Array([0x1f, 0x8b, 0x08])), 'bytes that are not UTF-8'],
  ])(
    '(%s) is not JSON, so it is unknown whether the service got the call',
    async (_what, response, received) => {
      service.answers(response);
      const error = await failureOf(create(), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: true, issues: [{ received }] });
      expect(error.message).toContain('Money may have moved: call again with the same operationId');
      expect(service.arrivals).toHaveLength(1);
    },
  );

  it.each([
    ['text/html', 'unknown'],
    ['application/json', 'executed'],
    ['application/problem+json; charset=utf-8', 'executed'],
    ['', 'executed'],
  ])('that is truncated is judged by its content type (%s is %s)', async (type, outcome) => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    });
    const headers = type === '' ? {} : { 'content-type': type };
    const fetch = async () => new Response(broken, { headers });
    const error = await failureOf(create(createClient({ fetch })), ConnectionError);
    expect(error.outcome).toBe(outcome);
  });

  it('is not executed if the call only reads', async () => {
    service.answers(text('<html>'));
    const error = await failureOf(createClient().paymentIntents.retrieve('pi_1'), ResponseValidationError);
    expect(error.outcome).toBe('not_executed');
  });

  it('is accepted with a warning under validation "warn", and without one under "off"', async () => {
    service.answers(json({ ...paymentIntent, amount: '12.00' }));
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    expect(await create(createClient({ validation: 'warn', logger }))).toMatchObject({ amount: '12.00' });
    expect(warnings).toEqual([expect.stringContaining('does not match the schema')]);
    expect(await create(createClient({ validation: 'off', logger }))).toMatchObject({ amount: '12.00' });
    expect(warnings).toHaveLength(1);
  });

  it('is logged with all fields', async () => {
    const logged: unknown[] = [];
    const logger = { warn: (message: string, fields: object) => logged.push([message, fields]) };
    const options = { secretKey: 'another-key', validation: 'warn', logger } as const;
    await answered({ ...refund, amount: null }, options).refunds.retrieve('rf_1');
    const operation = 'refunds.retrieve';
    const callId: unknown = expect.any(String);
    expect(logged).toEqual([
      [
        `${operation}: a test object (livemode false) came for a key that is no test key`,
        { callId, operation },
      ],
      [
        `${operation}: the response does not match the schema; going on with it as it is`,
        { callId, operation, issues: [{ path: 'amount', expected: 'an integer', received: 'null' }] },
      ],
    ]);
  });

  it('after a creation has the whole body in its error', async () => {
    const body = { ...paymentIntent, amount: null };
    const call = answered(body).paymentIntents.create(intentParams, { operationId: 'order-1' });
    expect(await failureOf(call, ResponseValidationError)).toMatchObject({ body, outcome: 'executed' });
  });

  it.each([
    ['with an invalid field', { ...product('prod_2'), livemode: 'no' }, 'data[1].livemode', "'no'"],
    ['that is null', null, 'data[1]', 'null'],
  ])('has the path of an item of a page %s', async (_what, item, path, received) => {
    const page = { data: [product('prod_1'), item], has_more: false };
    const error = await failureOf(answered(page).products.list(), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path, received }]);
  });
});

describe('the object in a 2xx', () => {
  it('is read whatever its content type', async () => {
    service.answers(text(JSON.stringify(paymentIntent), { headers: { 'content-type': 'text/html' } }));
    expect(await create()).toEqual(paymentIntent);
  });

  it.each([
    ['may be the whole body', product('prod_1'), 'prod_1'],
    ['may have a data field of its own', { ...product('prod_1'), data: product('prod_2') }, 'prod_1'],
    ['may be under data', { data: product('prod_2') }, 'prod_2'],
    ['may be under its own name', { product: product('prod_3') }, 'prod_3'],
  ])('%s', async (_, body, id) => {
    expect(await answered(body).products.retrieve(id)).toMatchObject({ id });
  });

  it.each([
    ['null', null],
    ['a number', 5],
    ['an object without an id', { data: { data: product('prod_1') } }],
  ])('is not %s', async (_, body) => {
    await failureOf(answered(body).products.retrieve('prod_1'), ResponseValidationError);
  });
});

describe('a deletion', () => {
  it.each([
    ['an empty 204', new Response(null, { status: 204 }), { id: 'cus_1', deleted: true }],
    ['a short confirmation', json({ id: 'cus_1', deleted: true }), { id: 'cus_1', deleted: true }],
  ])('accepts %s', async (_what, response, result) => {
    service.answers(response);
    expect(await createClient().customers.delete('cus_1')).toEqual(result);
  });
});
