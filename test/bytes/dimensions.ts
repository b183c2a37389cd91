/** What comes from outside, a generator for each dimension: values, objects, names, ids, and who answers. */

import fc from 'fast-check';
import { anyText } from '../support/any-text.ts';
import type { Reply } from './service.ts';
import { words } from './words.ts';

/** Usually nothing, else a value. */
export const rarely = <T>(value: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, value);

/** Values that JSON has, and that some field does not expect. */
export const jsonValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, [], [[]], [null], ['x'], {}),
  fc.constantFrom('', 'x\r\nforged', '\ud800', '\u2028', '1200', '4111111111111111', 'cus_', 'a_later_value'),
  fc.constantFrom({ '': 5 }, { 'a\nb': 5 }, { 4111111111111111: 5 }, { a: { b: [{}] } }, { length: 3 }),
  fc.constantFrom({ toString: 'x', valueOf: 1 }, 'sk_v1_test_other00'),
);

/** Names of fields: those of every object, those that PHP folds into others, secrets, and those of another vendor. */
export const strangeNames: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'a\nb',
    ...words(
      'later constructor hasOwnProperty toString length 0 🍵 then toJSON ␣type type␣ a.b a␣b a[b a[] a[0]',
    ),
    ...words(
      'type\0x TYPE ＴＹＰＥ é 4111111111111111 sk_v1_test_other00 Host content-length Transfer-Encoding te',
    ),
    ...words('expect x-order idempotency_key apiKey payment_method_types[]'),
  ),
  anyText({ maxLength: 4 }),
);

/** Ids of a merchant: dates, UUIDs, long numbers, and what only looks like an id. */
export const ids: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ...words('1790000000000 2026-01-31 2026-01-31T12:00:00Z order-1042 4111111111111111 🍵 .. . ␣ a/b a%2Fb'),
    ...words(`rf_1?x=1 \ud800 ${'x'.repeat(255)} ${'x'.repeat(256)} ${'é'.repeat(300)}`),
  ),
  fc.uuid(),
  fc.integer({ min: 1e12, max: 1e16 }).map(String),
  anyText({ maxLength: 8 }),
);

class Point {
  readonly x = 1;
  get y(): number {
    return 2;
  }
}

/** What a program's own getters and proxies throw. */
export const ownError = new Error('thrown by an object of the program');

const fail = () => {
  throw ownError;
};

/** Throws when anything is read. */
const thrower = new Proxy({}, { get: fail, ownKeys: fail });

const circle: Record<string, unknown> = {};
circle['self'] = circle;

/** Objects that are not what they look like. New ones for each case, since a case may change them. */
const objects: fc.Arbitrary<unknown> = fc
  .constantFrom<(() => unknown)[]>(
    () => ({ toJSON: () => ({ amount: 1 }) }),
    () => ({
      get amount() {
        return 1;
      },
    }),
    () => Object.defineProperty({}, 'amount', { get: fail, enumerable: true }),
    () => Object.defineProperty({}, 'amount', { value: 1, enumerable: false }),
    () => Object.create({ amount: 1 }),
    () => Object.create(null),
    () => ({ amount: undefined }),
    () => ({ [Symbol('amount')]: 1 }),
    () => ({ amount: Object(1200), reason: Object('x') }),
    () => new Proxy({ amount: 1 }, {}),
    () => Proxy.revocable({}, {}).proxy,
    () => thrower,
    () => circle,
    () => Object.assign(['x'], { amount: 1 }),
    // oxlint-disable-next-line no-sparse-arrays -- an array with a hole
    () => ['a', , 'b'],
    () => new Point(),
    () => new Map([['amount', 1]]),
    () => new Set(['amount']),
    () => new URLSearchParams('amount=1'),
    () => new Headers({ amount: '1' }),
    () => new Date(Number.NaN),
    () => /x/,
    () => new Error('x'),
    () => Promise.resolve({ amount: 1 }),
    () => new Uint8Array(3),
    () => () => ({ amount: 1 }),
    () => Object.freeze({ amount: 1 }),
  )
  .map((make) => make());

/** A value of any type, as an untyped caller passes it. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.constantFrom<unknown[]>(null, undefined, Number.NaN, -0, 1e308, 10n, Symbol('x'), '', 'x', 5),
  objects,
  jsonValues,
);

/** What may answer in place of the service, and what only looks like its answer to this request. */
export interface Answerer {
  readonly who: string;
  /** Whether the answer is JSON, or begins like it: then the service itself has answered. */
  readonly isJson: boolean;
  readonly answer: (request: Request) => Promise<Reply>;
}

const page = '<!doctype html><html><title>Sign in</title><h1>IDEMPOTENCY_STORE_UNAVAILABLE</h1></html>';
const from = (
  who: string,
  isJson: boolean,
  body: string | Uint8Array,
  reply: Partial<Reply> = {},
): Answerer => ({
  who,
  isJson,
  answer: async () => ({ body, ...reply }),
});

/** Answers with a status 2xx, none of which is the result of a call. */
export const answerers: readonly Answerer[] = [
  from("a proxy's page", false, page, { headers: { 'content-type': 'text/html' } }),
  from("a proxy's page as JSON", false, page, { headers: { 'content-type': 'application/json' } }),
  from('the words of the service in a text', false, 'id=pi_1 status=succeeded has_more=false response'),
  from('nobody, with an empty body', false, ''),
  from('nobody, with null bytes', false, new Uint8Array(100)),
  from('an approval that is a byte shorter than announced', false, 'response=1', {
    headers: { 'content-length': '11' },
  }),
  from('a part of an approval', false, 'response=1', { status: 206 }),
  from('a health check', true, '{"status":"ok"}'),
  from('a list where an object is expected', true, '[{"id":"x_1"}]'),
  from('JSON of an error', true, '{"error":{"code":"card_declined"}}'),
  from('JSON of nothing', true, 'null'),
  from('JSON that breaks off', true, '{"id":"'),
  {
    who: 'an echo of what was sent',
    isJson: true,
    answer: async (request) => ({ body: (await request.text()) || '{}' }),
  },
  from('the reply to another request', true, '{"id":"evt_1","object":"event","livemode":false,"type":"x"}'),
];
