import { InvalidRequestError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { refund } from '../support/fixtures.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();
const payments = createClient();
const operation = { operationId: 'order-1' };

const send = (body: unknown) => payments.request({ method: 'POST', path: '/v1/x', body }, operation);

async function refusalOf(call: PromiseLike<unknown>): Promise<string> {
  const { message } = await failureOf(call, InvalidRequestError);
  expect(service.arrivals).toEqual([]);
  return message.replace(/^.*?: /, '').replace(/\. Nothing was sent\.$/, '');
}

/** A class with these methods, each of which would give another value. */
function withMethods(...names: readonly string[]): object {
  const methods = Object.fromEntries(names.map((name) => [name, () => '7']));
  return Object.assign(
    Object.create(Object.defineProperties({}, Object.getOwnPropertyDescriptors(methods))),
    {
      value: 7,
    },
  );
}

const withPrivateFields = new (class {
  readonly #amount = 5;

  get() {
    return this.#amount;
  }
})();

describe('a value that would not be sent as it is is refused with what to pass instead:', () => {
  it.each<[kind: string, value: unknown, words: string]>([
    ['a bigint', 5n, 'expected Number(x) or String(x), got a bigint'],
    ['a boxed number', Object(5), 'expected x.valueOf(), got a boxed value'],
    ['a boxed string', Object('5'), 'expected x.valueOf(), got a boxed string'],
    ['a boxed boolean', Object(true), 'expected x.valueOf(), got a boxed value'],
    [
      'a Date',
      new Date(),
      'expected x.toISOString(), or a number such as Math.floor(x.getTime() / 1000), got a date',
    ],
    [
      'a DateTime of luxon',
      withMethods('toISO', 'toObject', 'valueOf', 'toJSON'),
      'expected a plain value in its place, got an object with toJSON',
    ],
    [
      'a Decimal',
      withMethods('toNumber', 'toFixed', 'valueOf', 'toJSON'),
      'expected x.toNumber() or String(x), got an object that holds a number',
    ],
    [
      'a document of mongoose',
      withMethods('toObject', 'toJSON', 'save'),
      'expected a plain value in its place, got an object with toJSON',
    ],
    [
      'a collection of Immutable',
      withMethods('toJS', 'toJSON'),
      'expected a plain value in its place, got an object with toJSON',
    ],
    [
      'a Map',
      new Map(),
      'expected a plain object or an array: Object.fromEntries(x) or Array.from(x), got a collection',
    ],
    [
      'a FormData',
      new FormData(),
      'expected a plain object or an array: Object.fromEntries(x) or Array.from(x), got a collection',
    ],
    [
      'a Set',
      new Set(),
      'expected a plain object or an array: Object.fromEntries(x) or Array.from(x), got a collection',
    ],
    ['a URL', new URL('https://shop.example'), 'expected x.href, got an object that holds a URL'],
    ['a promise', Promise.resolve(5), 'expected its value: await x, got a promise'],
    [
      'an object with private fields',
      withPrivateFields,
      'expected a plain object, got an object without own fields',
    ],
    ['a function', () => 5, 'expected a value that JSON can hold, got a function'],
    ['infinity', Number.POSITIVE_INFINITY, 'expected a finite number, got the number Infinity'],
  ])('%s', async (_, value, words) => {
    expect(await refusalOf(send({ amount: value }))).toBe(`body.amount: ${words}`);
  });

  it('a field that is hidden', async () => {
    const cure = 'expected an own enumerable field: copy it, as in { amount: x.amount }';
    const hidden = Object.defineProperty({ charge_id: 'ch_1' }, 'amount', { value: 500 });
    expect(await refusalOf(payments.refunds.create(hidden, operation))).toBe(
      `amount: ${cure}, got a property that is not enumerable`,
    );
    const inherited = Object.assign(Object.create({ amount: 500 }), { charge_id: 'ch_1' });
    expect(await refusalOf(payments.refunds.create(inherited, operation))).toBe(
      `amount: ${cure}, got a property of the prototype`,
    );
  });

  it('an undefined amount at any depth, while other fields may be undefined', async () => {
    const words = 'expected a value, or no such field, got undefined';
    expect(
      await refusalOf(payments.paymentIntents.capture('pi_1', anything({ amount: undefined }), operation)),
    ).toBe(`amount: ${words}`);
    expect(await refusalOf(send({ lines: [{ unit_amount: undefined }] }))).toBe(
      `body.lines[0].unit_amount: ${words}`,
    );
    expect(await refusalOf(send({ totalAmount: undefined }))).toBe(`body.totalAmount: ${words}`);
    service.answers(json(refund));
    await payments.refunds.create({ charge_id: 'ch_1', reason: undefined }, operation);
    expect(service.arrivals[0]?.body).toBe('{"charge_id":"ch_1"}');
  });

  it('an object that is nested too deep', async () => {
    let body: unknown = 1;
    for (let depth = 0; depth < 101; depth += 1) body = [body];
    expect(await refusalOf(send(body))).toMatch(/: expected at most 100 levels, got more$/);
  });
});

it('a hidden property passes if no parameter has its name, as those of MobX and of object mappers do', async () => {
  service.answers(json(refund));
  const computed = { enumerable: false, get: () => 7 };
  const params = Object.defineProperty({ charge_id: 'ch_1', amount: 500 }, 'label', computed);
  await payments.refunds.create(params, operation);
  expect(service.arrivals[0]?.body).toBe('{"amount":500,"charge_id":"ch_1"}');
});

describe('the options of a call', () => {
  it('are read once, when it is called', async () => {
    service.answers(json(refund));
    const slow = createClient({ secretKey: async () => 'sk_v1_test_unit0001' });
    let reads = 0;
    const options = {
      get operationId() {
        reads += 1;
        return `order-${reads}`;
      },
      headers: { 'x-a': '1' },
    };
    const call = slow.refunds.create({ charge_id: 'ch_1' }, options);
    options.headers['x-a'] = '2';
    await call;
    expect(reads).toBe(1);
    expect(service.arrivals[0]?.headers.get('idempotency-key')).toBe('pc1:refunds.create:order-1');
    expect(service.arrivals[0]?.headers.get('x-a')).toBe('1');
  });

  it('of a list hold for all its pages', async () => {
    const page = (id: string, next: string | null) =>
      json({
        data: [{ id, object: 'product', livemode: false }],
        has_more: next !== null,
        next_cursor: next,
      });
    service.answers(page('a', 'a'), page('b', null));
    const params = { limit: 1 };
    const options = { headers: { 'x-a': '1' } };
    const list = payments.products.list(params, options);
    params.limit = 2;
    options.headers['x-a'] = '2';
    await list.toArray({ max: 10 });
    expect(service.arrivals.map(({ url }) => url.search)).toEqual(['?limit=1', '?limit=1&starting_after=a']);
    expect(service.arrivals.map(({ headers }) => headers.get('x-a'))).toEqual(['1', '1']);
  });

  it('of a transaction decide before it is sent whether a decline throws', async () => {
    service.answers(new Response('response=2&responsetext=DECLINE'));
    const options = { throwOnDecline: false };
    const call = payments.transact.sale({ amount: '1.00', payment_token: 'tok_1' }, options);
    options.throwOnDecline = true;
    expect(await call).toMatchObject({ approved: false });
  });

  const calls: readonly (readonly [string, (p: PaymentsClient, options: never) => PromiseLike<unknown>])[] = [
    ['a method', (p, options) => p.refunds.create({ charge_id: 'ch_1' }, options)],
    ['a list', (p, options) => p.refunds.list({}, options)],
    ['payments.request', (p, options) => p.request({ method: 'GET', path: '/v1/x' }, options)],
    ['a transaction', (p, options) => p.transact.sale({ amount: '1.00', payment_token: 'tok_1' }, options)],
  ];

  it.each(calls)('of %s are refused with their path if they lie', async (_, call) => {
    const hidden = Object.defineProperty({}, 'idempotencyKey', { value: 'key-1' });
    const throwing = { enumerable: true, get: () => expect.fail('secret') };
    for (const [options, words] of [
      [new Map([['operationId', 'order-1']]), /^options: .* got a collection$/],
      [hidden, /^options\.idempotencyKey: .* got a property that is not enumerable$/],
      [
        Object.create({ operationId: 'order-1' }),
        /^options\.operationId: .* got a property of the prototype$/,
      ],
      [
        { ...operation, headers: new Headers({ 'x-a': '1' }) },
        /^options\.headers: .*Object\.fromEntries\(x\)/,
      ],
      [
        Object.defineProperty({}, 'timeout', throwing),
        /^options\.timeout: .* got a getter or a proxy that throws$/,
      ],
    ] as const) {
      expect(await refusalOf(call(payments, anything(options)))).toMatch(words);
    }
  });
});
