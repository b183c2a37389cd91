/** What is checked of a value, and the words for what it is instead: parameters, options, objects that come, and schemas of the user. */

import { InvalidRequestError, ResponseValidationError, type StandardSchema } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { toZod } from '../../scripts/reference/to-zod.ts';
import { checkBy, findIssues, type Schema } from '../../src/core/schema.ts';
import * as s from '../../src/core/shapes.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, product, refund } from '../support/fixtures.ts';
import { answered, createClient } from '../support/mock-service.ts';

const said = (schema: Schema<unknown>, value: unknown) =>
  findIssues(schema, value).map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`);

describe('a value in words', () => {
  it.each<[value: unknown, words: string]>([
    [null, 'null'],
    [{}, 'an object'],
    [[1, 2], 'an array of 2'],
    [true, 'true'],
    [false, 'false'],
    [5n, 'a bigint'],
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
    ['', 'an empty string'],
    ['all', "'all'"],
    ['a1', 'a string of 2 characters'],
    [1.5, 'the number 1.5'],
    [-99_999_999_999.5, 'the number -99999999999.5'],
    [1e11 + 0.5, 'a number'],
    [-1e11, 'a number'],
    [Number.NaN, 'the number NaN'],
    [Number.NEGATIVE_INFINITY, 'the number -Infinity'],
  ])('%s', async (value, words) => {
    const { products } = answered({ data: [], has_more: false });
    const list = async () => await products.list(anything({ limit: value }));
    expect(await failureOf(list(), InvalidRequestError)).toMatchObject({
      issues: [{ path: 'limit', expected: 'an integer from 1', received: words }],
    });
  });
});

describe('a bound', () => {
  it.each([
    ['one below it refused', 0, false],
    ['its first taken', 1, true],
    ['its last taken', 100, true],
    ['one above it refused', 101, false],
  ])('has %s: %i', async (_what, limit, taken) => {
    const { products } = answered({ data: [], has_more: false });
    const list = (async () => await products.list({ limit, offset: 0 }))();
    const issue = {
      path: 'limit',
      expected: 'an integer from 1 to 100',
      received: `the number ${limit}`,
    };
    if (taken) expect((await list).items).toEqual([]);
    else expect((await failureOf(list, InvalidRequestError)).issues).toEqual([issue]);
  });
});

describe('a schema', () => {
  const rule = <T>(expected: string, holds: (value: T) => boolean) => ({ expected, holds });
  const rows: readonly (readonly [
    name: string,
    make: () => Schema<unknown>,
    right: readonly unknown[],
    wrong: readonly (readonly [value: unknown, ...words: string[]])[],
  ])[] = [
    ['a text', () => s.string(), ['', 'a'], [[1.5, '(root): a string, got the number 1.5']]],
    ['an integer', () => s.integer(), [0, -7], [[1.5, '(root): an integer, got the number 1.5']]],
    ['a truth', () => s.boolean(), [true, false], [[0, '(root): true or false, got the number 0']]],
    ['anything', () => s.unknown(), [null, 1, undefined], []],
    ['nothing', () => s.absent('no key'), [undefined], [[null, '(root): no key, got null']]],
    ['one word', () => s.literal('one'), ['one'], [['two', "(root): 'one', got 'two'"]]],
    ['an id', () => s.prefixed('rf_', 'an id'), ['rf_1'], [['cus', "(root): an id, got 'cus'"]]],
    [
      'a list',
      () => s.array(s.string()),
      [[], ['a']],
      [
        [{}, '(root): an array, got an object'],
        [['a', null], '[1]: a string, got null'],
      ],
    ],
    [
      'fields of a kind',
      () => s.record(s.boolean()),
      [{}, { a: true }],
      [
        [[], '(root): an object, got an array of 0'],
        [{ a: 1 }, 'a: true or false, got the number 1'],
      ],
    ],
    [
      'fields',
      () => s.object({ a: s.string() }),
      [{ a: 'b', c: 1 }],
      [
        ['x', "(root): an object, got 'x'"],
        [{ c: 1 }, 'a: a string, got nothing'],
      ],
    ],
    [
      'fields and others',
      () => s.objectWith({ a: s.optional(s.integer()) }, s.string()),
      [{}, { a: 1, b: 'c' }],
      [
        [null, '(root): an object, got null'],
        [{ a: 1, b: 2, c: 'd', e: 3 }, 'b: a string, got the number 2', 'e: a string, got the number 3'],
        [{ a: 'b' }, "a: an integer, got 'b'"],
      ],
    ],
    [
      'fields or not',
      () => s.partial({ a: s.string() }),
      [{}, { a: 'b' }],
      [[{ a: null }, 'a: a string, got null']],
    ],
    [
      'what may be left out',
      () => s.optional(s.array(s.string())),
      [undefined, []],
      [
        [null, '(root): an array, got null'],
        [[1], '[0]: a string, got the number 1'],
      ],
    ],
    [
      'what may be null',
      () => s.nullable(s.array(s.string())),
      [null, []],
      [
        [undefined, '(root): an array, got nothing'],
        [[1], '[0]: a string, got the number 1'],
      ],
    ],
    [
      'a text of some length',
      () => s.withRules(s.string(), s.filled('text')),
      ['a'],
      [['', '(root): text, got an empty string']],
    ],
    [
      'letters',
      () => s.withRules(s.string(), s.pattern(/^[a-z]+$/, 'letters')),
      ['a'],
      [['A', "(root): letters, got 'A'"]],
    ],
    [
      'a number from one',
      () => s.withRules(s.integer(), s.minimum(1, 'one')),
      [1, 2],
      [[0, '(root): one, got the number 0']],
    ],
  ];

  it.each(rows)('of %s says what it expected', (_name, make, right, wrong) => {
    const schema = make();
    for (const value of right) {
      expect(said(schema, value)).toEqual([]);
      expect(checkBy(schema)(value)).toEqual({ value });
    }
    for (const [value, ...words] of wrong) expect(said(schema, value)).toEqual(words);
  });

  it.each(rows)('of %s is the same for the references', (_name, make, right, wrong) => {
    const peer = toZod(make());
    for (const value of right) expect(peer.safeParse(value).success).toBe(true);
    const passing = wrong.filter(([value]) => peer.safeParse(value).success);
    // Rules are told to the references as keywords, which zod does not check.
    expect(passing).toHaveLength(make().rules.length);
  });

  it('of rules tells them to the references as keywords', () => {
    const rules = [s.filled('text'), s.pattern(/^[a-z]+$/, 'letters')];
    expect(rules.map(({ keyword }) => keyword)).toEqual([{ minLength: 1 }, { pattern: '^[a-z]+$' }]);
    expect(s.minimum(3, 'three').keyword).toEqual({ minimum: 3 });
  });

  it('asks every rule, and asks those of what may be absent of nothing too', () => {
    const text = s.withRules(s.string(), s.filled('text'), s.pattern(/^[a-z]+$/, 'letters'));
    expect(said(text, '')).toEqual([
      '(root): text, got an empty string',
      '(root): letters, got an empty string',
    ]);
    const given = s.withRules(
      s.optional(s.string()),
      rule('a gift', (value) => value !== undefined),
    );
    expect(said(given, undefined)).toEqual(['(root): a gift, got nothing']);
    const full = s.withRules(
      s.nullable(s.string()),
      rule('a gift', (value) => value !== null),
    );
    expect(said(full, null)).toEqual(['(root): a gift, got null']);
  });

  it.each([
    ['a list', () => s.array(s.string()), Array.from({ length: 30 }, () => 1)],
    [
      'fields',
      () => s.record(s.string()),
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 1])),
    ],
  ])('names twenty wrong parts of %s and no more', (_what, make, value) => {
    expect(said(make(), value)).toHaveLength(20);
  });
});

describe('the parameters of two processes', () => {
  it.each([
    [{ b: 1, a: 2 }, { a: 2, b: 1 }, '{"a":2,"b":1}'],
    [
      { c: { z: 1, y: [{ n: 1, m: 2 }] }, b: '' },
      { b: '', c: { y: [{ m: 2, n: 1 }], z: 1 } },
      '{"b":"","c":{"y":[{"m":2,"n":1}],"z":1}}',
    ],
    [{ a: 1, b: 2, ab: 3 }, { ab: 3, b: 2, a: 1 }, '{"a":1,"ab":3,"b":2}'],
  ])('are sent as the same bytes, sorted by name: %j', async (first, second, sent) => {
    const bodies: string[] = [];
    const fetch = async (request: Request) => {
      bodies.push(await request.text());
      return Response.json({});
    };
    const payments = createClient({ fetch });
    for (const body of [first, second]) {
      await payments.request({ method: 'POST', path: '/v1/teas', body }, { operationId: 'order-1' });
    }
    expect(bodies).toEqual([sent, sent]);
  });
});

describe('a schema of the user', () => {
  function standard(validate: StandardSchema<unknown>['~standard']['validate']): StandardSchema<unknown> {
    return { '~standard': { version: 1, validate } };
  }
  const refused = 'a value that your schema accepts';

  it.each<[what: string, schema: StandardSchema<unknown>, issues: readonly object[]]>([
    [
      'refuses the whole',
      standard(() => ({ issues: [{ message: 'no' }] })),
      [{ path: '(root)', expected: refused, received: 'a refusal: no' }],
    ],
    [
      'names a place by keys and by segments',
      standard(() => ({
        issues: [
          { message: 'no', path: ['a', { key: 0 }, { key: 'b' }] },
          { message: 'nor', path: [1] },
        ],
      })),
      [
        { path: 'a[0].b', expected: refused, received: 'a refusal: no' },
        { path: '[1]', expected: refused, received: 'a refusal: nor' },
      ],
    ],
    [
      'throws',
      standard(() => {
        throw new Error('broken');
      }),
      [{ path: '(root)', expected: refused, received: 'a refusal: it threw' }],
    ],
    [
      'takes its time',
      standard(async (value) => ({ value })),
      [{ path: '(root)', expected: 'a schema that answers at once', received: 'one that gives a promise' }],
    ],
  ])('that %s is named', async (_what, schema, issues) => {
    const products = answered(product('prod_1')).products.withSchema(schema);
    expect((await failureOf(products.retrieve('prod_1'), ResponseValidationError)).issues).toEqual(issues);
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
