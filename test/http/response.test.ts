import { ConnectionError, ResponseValidationError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, product, refund } from '../support/fixtures.ts';
import { answered, createClient, json, text, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const once = { operationId: 'order-1', maxRetries: 0 };
const create = (payments = createClient()) => payments.paymentIntents.create(intentParams, once);

describe('a 2xx whose body is not what it should be', () => {
  it.each<[what: string, answer: Response, received: string]>([
    ['cut short', text('{"id":"pi_1","obj'), '17 characters that are not JSON'],
    ['not UTF-8', new Response(new Uint8Array([0x7b, 0xff, 0x7d])), 'bytes that are not UTF-8'],
    ['an array', json([]), 'an array of 0'],
    ['another type', json({ ...paymentIntent, object: 'refund' }), "'refund'"],
    ['without a field', json({ ...paymentIntent, amount: undefined }), 'nothing'],
    ['with null where none may be', json({ ...paymentIntent, currency: null }), 'null'],
    ['with a wrong type', json({ ...paymentIntent, amount: '12.00' }), 'a string of 5 characters'],
  ])('(%s) is told as executed, with the body', async (_what, answer, received) => {
    service.answers(answer);
    const error = await failureOf(create(), ResponseValidationError);
    expect(error.outcome).toBe('executed');
    expect(error.issues[0]?.received).toBe(received);
    expect(error.message).toContain('It took effect');
    expect(error.body).toBeDefined();
    expect(service.arrivals).toHaveLength(1);
  });

  it.each<[what: string, answer: Response, received: string]>([
    ['empty', text(''), 'an empty body'],
    ['a word', text('OK'), '2 characters that are not JSON'],
    ['a login page', text('<html><title>Welcome</title></html>'), 'an HTML or XML page'],
    ['bytes', new Response(new Uint8Array([0x1f, 0x8b, 0x08])), 'bytes that are not UTF-8'],
  ])(
    '(%s) is no JSON at all, so it is unknown whether the service saw the call',
    async (_what, answer, received) => {
      service.answers(answer);
      const error = await failureOf(create(), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'unknown', retryable: true, issues: [{ received }] });
      expect(error.message).toContain('It may have taken effect: call again with the same operationId');
      expect(service.arrivals).toHaveLength(1);
    },
  );

  it.each([
    ['text/html', 'unknown'],
    ['application/json', 'executed'],
    ['application/problem+json; charset=utf-8', 'executed'],
    ['', 'executed'],
  ])('that breaks off is judged by its content type (%s is %s)', async (type, outcome) => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    });
    const headers = type === '' ? {} : { 'content-type': type };
    const fetch = async () => new Response(broken, { headers });
    const error = await failureOf(create(createClient({ fetch })), ConnectionError);
    expect(error.outcome).toBe(outcome);
  });

  it('moves nothing where the call only reads', async () => {
    service.answers(text('<html>'));
    const error = await failureOf(createClient().paymentIntents.retrieve('pi_1'), ResponseValidationError);
    expect(error.outcome).toBe('not_executed');
  });

  it('is accepted with a warning where validation only warns, and silently where it is off', async () => {
    service.answers(json({ ...paymentIntent, amount: '12.00' }));
    const warnings: string[] = [];
    const logger = { warn: (message: string) => warnings.push(message) };
    expect(await create(createClient({ validation: 'warn', logger }))).toMatchObject({ amount: '12.00' });
    expect(warnings).toEqual([expect.stringContaining('does not match the schema')]);
    expect(await create(createClient({ validation: 'off', logger }))).toMatchObject({ amount: '12.00' });
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['has data of its own', { ...product('prod_1'), data: product('prod_2') }, 'prod_1'],
    ['stands under data', { data: product('prod_2') }, 'prod_2'],
    ['stands under its own name', { product: product('prod_3') }, 'prod_3'],
  ])('an object that %s is found', async (_, body, id) => {
    expect(await answered(body).products.retrieve(id)).toMatchObject({ id });
  });

  it.each([
    ['nothing', null],
    ['a number', 5],
    ['its id elsewhere', { data: { data: product('prod_1') } }],
  ])('%s is no object', async (_, body) => {
    await failureOf(answered(body).products.retrieve('prod_1'), ResponseValidationError);
  });

  it('in a page is named by its place', async () => {
    service.answers(
      json({ data: [product('prod_1'), { ...product('prod_2'), livemode: 'no' }], has_more: false }),
    );
    const error = await failureOf(createClient().products.list(), ResponseValidationError);
    expect(error.issues).toMatchObject([{ path: 'data[1].livemode', received: "'no'" }]);
  });
});

describe('the object in a 2xx', () => {
  it.each([
    ['is the whole body', paymentIntent],
    ['stands under data', { data: paymentIntent }],
    ['stands under its own name', { payment_intent: paymentIntent }],
  ])('%s', async (_where, body) => {
    service.answers(json(body));
    expect(await create()).toEqual(paymentIntent);
  });

  it('is read whatever content type it claims', async () => {
    service.answers(text(JSON.stringify(paymentIntent), { headers: { 'content-type': 'text/html' } }));
    expect(await create()).toEqual(paymentIntent);
  });
});

describe('a deletion', () => {
  it.each([
    ['an empty 204', new Response(null, { status: 204 }), { id: 'cus_1', deleted: true }],
    ['a short confirmation', json({ id: 'cus_1', deleted: true }), { id: 'cus_1', deleted: true }],
  ])('is understood from %s', async (_what, answer, result) => {
    service.answers(answer);
    expect(await createClient().customers.delete('cus_1')).toEqual(result);
  });
});

describe('what comes', () => {
  it('in a page is named by its place', async () => {
    const error = await failureOf(
      answered({ data: [product('a'), null], has_more: false }).products.list(),
      ResponseValidationError,
    );
    expect(error.issues).toEqual([{ path: 'data[1]', expected: 'an object', received: 'null' }]);
  });

  it('in place of a page is told as what it is', async () => {
    const { products } = createClient({ fetch: async () => new Response('OK'), maxRetries: 0 });
    const error = await failureOf(products.list(), ResponseValidationError);
    expect(error.issues).toEqual([
      { path: '(root)', expected: 'a JSON body', received: '2 characters that are not JSON' },
    ]);
  });

  it('is told to the logger with all that it needs', async () => {
    const told: unknown[] = [];
    const logger = { warn: (message: string, fields: object) => told.push([message, fields]) };
    const options = { secretKey: 'another-key', validation: 'warn', logger } as const;
    await answered({ ...refund, amount: null }, options).refunds.retrieve('rf_1');
    const operation = 'refunds.retrieve';
    const callId: unknown = expect.any(String);
    expect(told).toEqual([
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

  it('after a creation is told with its body', async () => {
    const body = { ...paymentIntent, amount: null };
    const call = answered(body).paymentIntents.create(intentParams, { operationId: 'order-1' });
    expect(await failureOf(call, ResponseValidationError)).toMatchObject({ body, outcome: 'executed' });
  });
});
