/** What a caller passed is copied once: the checks, the key and the bytes come from the copy. */

import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { InvalidRequestError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { product, refund } from '../support/fixtures.ts';
import { useScriptedService } from '../support/scripted-service.ts';
import { bySize } from '../support/size.ts';

const service = useScriptedService();
const by = { operationId: 'order-1' };

/** Names that sort otherwise by their length, their case or as numbers, and one that is in the prototype of all. */
const anyName = fc.constantFrom('a', 'b', 'ab', 'B', '10', '9', 'é', 'constructor', '');
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'a "text"', []),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(anyName, tie('value'), { maxKeys: 5 }),
})).object;

/** The same value with the names of each object in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, reversed(field)])
      .reverse(),
  );
}

it('sends equal parameters as the same bytes, in whatever order their names are', async () => {
  service.answers(Response.json({}));
  const payments = service.createClient();
  const sent = async (body: unknown) => {
    const before = service.arrivals.length;
    await payments.request({ method: 'POST', path: '/v1/teas', body }, by);
    return service.arrivals[before]?.body ?? '';
  };
  await fc.assert(
    fc.asyncProperty(anyJson, async (body) => {
      const bytes = await sent(body);
      expect(JSON.parse(bytes)).toEqual(JSON.parse(JSON.stringify(body)));
      expect(await sent(reversed(body))).toBe(bytes);
    }),
    { numRuns: bySize({ short: 30, all: 300 }) },
  );
  expect(await sent({ b: 1, a: [{ d: 1, c: '' }] })).toBe('{"a":[{"c":"","d":1}],"b":1}');
});

/** The issue of a call that must be refused before anything is sent. */
async function issueOf(call: PromiseLike<unknown>) {
  const { issues } = await failureOf(call, InvalidRequestError);
  expect(service.arrivals).toEqual([]);
  expect(issues).toHaveLength(1);
  return issues[0];
}

describe('a field that says how much', () => {
  it.each<[body: object, path: string]>([
    [{ amount: undefined }, 'body.amount'],
    [{ lines: [{ unit_amount: undefined }] }, 'body.lines[0].unit_amount'],
    [{ totalAmount: undefined }, 'body.totalAmount'],
    [{ deep: { quantity: undefined } }, 'body.deep.quantity'],
  ])('is refused if it is undefined: without it, a refund takes all: %j', async (body, path) => {
    const call = service.createClient().request({ method: 'POST', path: '/v1/x', body }, by);
    expect(await issueOf(call)).toMatchObject({ path, received: 'undefined' });
  });

  it('is the only one: another field may be undefined', async () => {
    service.answers(Response.json(refund));
    const { refunds, paymentIntents } = service.createClient();
    expect(await issueOf(paymentIntents.capture('pi_1', anything({ amount: undefined }), by))).toMatchObject({
      path: 'amount',
    });
    await refunds.create({ charge_id: 'ch_1', reason: undefined }, by);
    expect(service.arrivals[0]?.body).toBe('{"charge_id":"ch_1"}');
  });
});

describe('a list', () => {
  const items = [{ name: 'Tea' }, 2];
  const send = (list: unknown) =>
    service.createClient().request({ method: 'POST', path: '/v1/x', body: { list } }, by);

  class List extends Array<unknown> {}

  it.each<[what: string, list: unknown]>([
    ['frozen', Object.freeze([...items])],
    ['with a member besides its items', Object.assign([...items], { amount: 1 })],
    ['of a class', List.from(items)],
    ['of another realm', runInNewContext(`(${JSON.stringify(items)})`)],
    ['with an iterator of its own', Object.assign([...items], { [Symbol.iterator]: () => [].values() })],
  ])('is sent by its places: %s', async (_, list) => {
    service.answers(Response.json({}));
    await send(list);
    expect(service.arrivals[0]?.body).toBe('{"list":[{"name":"Tea"},2]}');
  });

  const endless: unknown[] = [];
  endless.push(endless);
  let deepest: unknown = 1;
  for (let depth = 0; depth < 97; depth += 1) deepest = [deepest];

  it.each<[what: string, list: unknown, path: string | RegExp, received: string]>([
    ['with a hole', Object.assign([...items], { length: 3 }), 'body.list[2]', 'undefined'],
    ['with undefined', [undefined, ...items], 'body.list[0]', 'undefined'],
    [
      'with its own toJSON',
      Object.assign([...items], { toJSON: () => [] }),
      'body.list',
      'an array with toJSON',
    ],
    ['a Set', new Set(items), 'body.list', 'a collection'],
    ['that contains itself', endless, 'body.list[0]', 'a cycle'],
    ['deeper than 100 levels', [deepest, [deepest]], /^body\.list\[1\]/, 'more'],
  ])('is refused: %s', async (_, list, path, received) => {
    const issue = await issueOf(send(list));
    expect(issue).toMatchObject({ received });
    expect(issue?.path).toMatch(path);
  });
});

describe('the options of a call', () => {
  it('are read once, when it is called', async () => {
    service.answers(Response.json(refund));
    const slow = service.createClient({ secretKey: async () => 'sk_v1_test_unit0001' });
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
    const [{ headers } = expect.fail()] = service.arrivals;
    expect(headers.get('idempotency-key')).toBe('pc1:refunds.create:order-1');
    expect(headers.get('x-a')).toBe('1');
  });

  it('of a list hold for all its pages', async () => {
    const page = (id: string, next_cursor: string | null) =>
      Response.json({ data: [product(id)], has_more: next_cursor !== null, next_cursor });
    service.answers(page('a', 'a'), page('b', null));
    const params = { limit: 1 };
    const options = { headers: { 'x-a': '1' } };
    const list = service.createClient().products.list(params, options);
    params.limit = 2;
    options.headers['x-a'] = '2';
    await list.toArray({ max: 10 });
    expect(service.arrivals.map(({ url }) => url.search)).toEqual(['?limit=1', '?limit=1&starting_after=a']);
    expect(service.arrivals.map(({ headers }) => headers.get('x-a'))).toEqual(['1', '1']);
  });

  it('of a transaction decide before it is sent whether a decline throws', async () => {
    service.answers(new Response('response=2&responsetext=DECLINE'));
    const options = { throwOnDecline: false };
    const { transact } = service.createClient();
    const call = transact.sale({ amount: '1.00', payment_token: 'tok_1' }, options);
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
    const throwing = { enumerable: true, get: () => expect.fail('secret') };
    const hidden = Object.defineProperty({}, 'idempotencyKey', { value: 'key-1' });
    for (const [options, path, received] of [
      [new Map([['operationId', 'order-1']]), 'options', 'a collection'],
      [hidden, 'options.idempotencyKey', 'a property that is not enumerable'],
      [Object.create(by), 'options.operationId', 'a property of the prototype'],
      [{ ...by, headers: new Headers({ 'x-a': '1' }) }, 'options.headers', 'a collection'],
      [Object.defineProperty({}, 'timeout', throwing), 'options.timeout', 'a getter or a proxy that throws'],
    ] as const) {
      const issue = await issueOf(call(service.createClient(), anything(options)));
      expect(issue).toMatchObject({ path, received });
    }
  });
});
