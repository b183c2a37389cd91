/**
 * Objects that are not what they seem. Each is refused before anything is sent, with what to pass instead, or the service gets what
 * a plain read of it gave when the method was called.
 */

import { runInNewContext } from 'node:vm';
import { InvalidRequestError, type PaymentsClient, type RouteName } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { clientWith } from '../../../security/secrets/planting.ts';
import { anything } from '../../../support/anything.ts';
import { everyMethod } from '../../../support/every-method.ts';
import { useScriptedService } from '../../../support/scripted-service.ts';

type Fields = Readonly<Record<string, unknown>>;

const service = useScriptedService();
const by = { operationId: 'order-1' };

/** Every method may have a field for a lie. */
const extraParameters = {
  ...Object.fromEntries(Object.keys(everyMethod).map((name) => [name, ['note']])),
  'refunds.create': ['note', 'metadata'],
};

/** A client with slow keys: the caller's code runs on between the call and the request. */
function createClient(): PaymentsClient {
  service.answers(Response.json({}, { status: 400 }));
  return service.createClient({
    secretKey: async () => 'sk_v1_test_unit0001',
    securityKey: async () => 'security-key-unit-0001',
    extraParameters,
  });
}

/** What the service got: the fields of the body, of the form or of the query. */
function sentFields(): Fields {
  const [{ url, body } = expect.fail('nothing was sent')] = service.arrivals.slice(-1);
  if (body.startsWith('{')) return JSON.parse(body);
  const { security_key: _, ...fields } = Object.fromEntries(new URLSearchParams(body || url.search));
  return fields;
}

/** One way for an object into a call. */
interface Way {
  readonly fields: Fields;
  /** The field that is lied about. */
  readonly field: string;
  /** Where the object is in the paths of issues. */
  readonly at: string;
  readonly call: (payments: PaymentsClient, given: never) => PromiseLike<unknown>;
  /** What the service gets of the fields. */
  readonly sent: (fields: Fields) => Fields;
}

const texts = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
const note = (lines: unknown) => ({ invoice: 'inv_1', lines: [lines] });

const ways: Readonly<Record<string, Way>> = {
  parameters: {
    fields: { charge_id: 'ch_1', amount: 500, metadata: { order: '42' } },
    field: 'amount',
    at: '',
    call: (p, given) => p.refunds.create(given, by),
    sent: (fields) => fields,
  },
  'an item of a list in parameters': {
    fields: { type: 'custom_line_item', amount: 500 },
    field: 'amount',
    at: 'lines[0].',
    call: (p, given) => p.creditNotes.create(note(given) as never, by),
    sent: note,
  },
  'the parameters of a list': {
    fields: { limit: 5, starting_after: 'cus_9' },
    field: 'limit',
    at: '',
    call: (p, given) => p.customers.list(given),
    sent: texts,
  },
  'the fields of a form': {
    fields: { amount: '12.00', payment_token: 'tok_1' },
    field: 'amount',
    at: '',
    call: (p, given) => p.transact.sale(given),
    sent: (fields) => ({ type: 'sale', ...texts(fields) }),
  },
  'the body of a request': {
    fields: { amount: 1200, deep: [{ quantity: 1 }] },
    field: 'amount',
    at: 'body.',
    call: (p, given) => p.request({ method: 'POST', path: '/v1/x', body: given }, by),
    sent: (fields) => fields,
  },
  'the query of a request': {
    fields: { limit: 5, live: true },
    field: 'limit',
    at: 'query.',
    call: (p, given) => p.request({ method: 'GET', path: '/v1/x', query: given }),
    sent: texts,
  },
};

/** An object in the place of its fields, and what happens right after the call. */
interface Lie {
  readonly given: unknown;
  readonly after?: () => void;
}

type Liar = (fields: Fields, field: string) => Lie;

const another = (value: unknown) => (typeof value === 'number' ? value + 1 : 'another');
const without = (fields: Fields, field: string) => Object.keys(fields).filter((name) => name !== field);

/** Another value than at the first read. */
function changing(fields: Fields, field: string): () => unknown {
  let reads = 0;
  return () => (++reads === 1 ? fields[field] : another(fields[field]));
}

const withProperty =
  (property: (fields: Fields, field: string) => PropertyDescriptor): Liar =>
  (fields, field) => ({
    given: Object.defineProperty({ ...fields }, field, { configurable: true, ...property(fields, field) }),
  });

const withPrototype =
  (property: (value: unknown) => PropertyDescriptor, between = 0): Liar =>
  (fields, field) => {
    const { [field]: inherited, ...own } = fields;
    let prototype = Object.defineProperty({}, field, property(inherited));
    for (let level = 0; level < between; level += 1) prototype = Object.create(prototype);
    return { given: Object.assign(Object.create(prototype), own) };
  };

/** A proxy that names other fields from its second read on. */
function proxyWithKeys(fields: Fields, first: string[], later: string[]): Lie {
  let reads = 0;
  return { given: new Proxy({ ...fields }, { ownKeys: () => (++reads === 1 ? first : later) }) };
}

/** As Vue makes one: every read goes through, and what it gives is reactive too. */
function reactive<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (of, name) => {
      if (name === '__v_isReactive') return true;
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'object' && value !== null ? reactive(value) : value;
    },
    ownKeys: (of) => Reflect.ownKeys(of),
  });
}

/** As MobX makes one: its fields are accessors, and its arrays answer to `toJSON`. */
function observable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const administration = Symbol('mobx administration');
  if (Array.isArray(value)) {
    return new Proxy(Object.defineProperty(value.map(observable), administration, { value: {} }), {
      get: (of, name) => (name === 'toJSON' ? () => of.slice() : Reflect.get(of, name)),
    });
  }
  const target = Object.defineProperty({}, administration, { value: {} });
  for (const [name, field] of Object.entries(value)) {
    const kept = observable(field);
    Object.defineProperty(target, name, { enumerable: true, get: () => kept, set: () => {} });
  }
  return target;
}

class Params {
  constructor(fields: Fields) {
    Object.assign(this, fields);
  }

  describe() {
    return Object.keys(this).join();
  }
}

class WithToJson extends Params {
  toJSON() {
    return {};
  }
}

/** The service gets what they gave at the first read. */
const honestEnough: Readonly<Record<string, Liar>> = {
  'a getter with another answer each time': withProperty((fields, field) => ({
    enumerable: true,
    get: changing(fields, field),
  })),
  'a proxy with another answer each time': (fields, field) => {
    const answer = changing(fields, field);
    const get = (of: object, name: PropertyKey) => (name === field ? answer() : Reflect.get(of, name));
    return { given: new Proxy({ ...fields }, { get }) };
  },
  'a proxy that hides a field later': (fields, field) =>
    proxyWithKeys(fields, Object.keys(fields), without(fields, field)),
  'an object that is changed right after the call': (fields, field) => {
    const given = { ...fields };
    return { given, after: () => void Reflect.set(given, field, another(given[field])) };
  },
  'an object that is emptied in the next microtask': (fields, field) => {
    const given: Record<string, unknown> = { ...fields };
    return { given, after: () => queueMicrotask(() => delete given[field]) };
  },
  'a frozen object': (fields) => ({ given: Object.freeze({ ...fields }) }),
  'an object without a prototype': (fields) => ({ given: Object.assign(Object.create(null), fields) }),
  'an object of another realm': (fields) => ({ given: runInNewContext(`(${JSON.stringify(fields)})`) }),
  'an instance of a class': (fields) => ({ given: new Params(fields) }),
  'a reactive object of Vue': (fields) => ({ given: reactive({ ...fields }) }),
  'an observable object of MobX': (fields) => ({ given: observable(fields) }),
  'an object with a symbol': (fields) => ({ given: { ...fields, [Symbol('id')]: 1 } }),
};

const ofPrototype = 'a property of the prototype';
const notEnumerable = 'a property that is not enumerable';

/** Nothing is sent. */
const liars: Readonly<Record<string, readonly [received: string, liar: Liar]>> = {
  'a getter that throws': [
    'a getter or a proxy that throws',
    withProperty(() => ({ enumerable: true, get: () => expect.fail('sk_v1_test_secret') })),
  ],
  'a proxy that was revoked': [
    'a getter or a proxy that throws',
    (fields) => {
      const { proxy, revoke } = Proxy.revocable({ ...fields }, {});
      revoke();
      return { given: proxy };
    },
  ],
  'a proxy that shows a field later': [
    notEnumerable,
    (fields, field) => proxyWithKeys(fields, without(fields, field), Object.keys(fields)),
  ],
  'a field that is not enumerable': [
    notEnumerable,
    withProperty((fields, field) => ({ enumerable: false, value: fields[field] })),
  ],
  'a getter that is not enumerable': [
    notEnumerable,
    withProperty((fields, field) => ({ enumerable: false, get: () => fields[field] })),
  ],
  'a field of the prototype': [ofPrototype, withPrototype((value) => ({ value, enumerable: true }))],
  'a getter of the prototype': [ofPrototype, withPrototype((value) => ({ get: () => value }))],
  'a getter of a class far up': [ofPrototype, withPrototype((value) => ({ get: () => value }), 2)],
  'its own toJSON': ['a function', (fields) => ({ given: { ...fields, toJSON: () => ({}) } })],
  'the toJSON of its class': ['an object with toJSON', (fields) => ({ given: new WithToJson(fields) })],
  'a Map': ['a collection', (fields) => ({ given: new Map(Object.entries(fields)) })],
  'a promise': ['a promise', (fields) => ({ given: Promise.resolve(fields) })],
};

/** Calls a method with a lie, and returns the issue of its refusal; `undefined` if something was sent. */
async function issueOf({ call }: Pick<Way, 'call'>, { given, after }: Lie) {
  const result = Promise.resolve(call(createClient(), anything(given)));
  after?.();
  const error: unknown = await result.catch((reason: unknown) => reason);
  if (!(error instanceof InvalidRequestError)) return undefined;
  expect(service.arrivals).toEqual([]);
  expect(error.issues).toHaveLength(1);
  expect(error.message).not.toContain('secret');
  return error.issues[0];
}

describe.each(Object.entries(ways))('%s', (_name, way) => {
  const { fields, field, at, sent } = way;

  it.each(Object.entries(honestEnough))('may be %s, and are sent as they were', async (_, liar) => {
    expect(await issueOf(way, liar(fields, field))).toBeUndefined();
    expect(sentFields()).toEqual(sent(fields));
  });

  it.each(Object.entries(liars))('are refused if they have, or are, %s', async (_, [received, liar]) => {
    const issue = await issueOf(way, liar(fields, field));
    expect(issue?.received).toBe(received);
    expect(`${issue?.path}.`.startsWith(at)).toBe(true);
    if (received === ofPrototype || received === notEnumerable) expect(issue?.path).toBe(at + field);
  });

  it('are refused with a hidden property, unless no field of the schema has its name', async () => {
    const computed = { enumerable: false, get: () => 7 };
    const issue = await issueOf(way, { given: Object.defineProperty({ ...fields }, 'label', computed) });
    const isNamed = way === ways['parameters'] || at === 'lines[0].';
    expect(issue?.path).toBe(isNamed ? undefined : `${at}label`);
    if (isNamed) expect(sentFields()).toEqual(sent(fields));
  });

  it('are refused with a field __proto__', async () => {
    const given = JSON.parse(`{"__proto__":{"amount":1},${JSON.stringify(fields).slice(1)}`);
    expect(await issueOf(way, { given })).toMatchObject({ received: 'one named __proto__' });
    expect(Reflect.get({}, 'amount')).toBeUndefined();
  });
});

describe('every method reads its parameters once, and refuses objects with toJSON', () => {
  /** Gives a method its own parameters, and one more field that lies. */
  async function callWith(name: RouteName, liar: Liar) {
    const [field, value] = name.endsWith('.list') ? ['limit', 5] : ['note', 'tea'];
    let isGiven = false;
    const call = (payments: PaymentsClient) => {
      const params = (own: object) => {
        isGiven = true;
        return Object(liar({ ...own, [field]: value }, field).given);
      };
      return everyMethod[name](clientWith(payments, { params }, by), by);
    };
    const issue = await issueOf({ call }, { given: undefined });
    return { issue, isGiven, isSent: issue === undefined && String(sentFields()[field]) === String(value) };
  }

  it.each(Object.keys(everyMethod) as RouteName[])('%s', async (name) => {
    const changes = withProperty((fields, field) => ({ enumerable: true, get: changing(fields, field) }));
    const read = await callWith(name, changes);
    expect(read).toEqual({ issue: undefined, isGiven: read.isGiven, isSent: read.isGiven });
    service.arrivals.length = 0;
    const refused = await callWith(name, (fields) => ({ given: new WithToJson(fields) }));
    expect(refused.issue?.received).toBe(read.isGiven ? 'an object with toJSON' : undefined);
  });
});

/** A class with these methods, each of which would give another value. */
function withMethods(...names: readonly string[]): object {
  const methods = Object.fromEntries(names.map((name) => [name, () => '7']));
  const prototype = Object.defineProperties({}, Object.getOwnPropertyDescriptors(methods));
  return Object.assign(Object.create(prototype), { value: 7 });
}

const withPrivateFields = new (class {
  readonly #amount = 5;

  get() {
    return this.#amount;
  }
})();

const plain = 'a plain object or an array: Object.fromEntries(x) or Array.from(x)';
const aDate = 'x.toISOString(), or a number such as Math.floor(x.getTime() / 1000)';

describe('a value that would not be sent as it is is refused, with what to pass instead:', () => {
  it.each<[kind: string, value: unknown, expected: string, received: string]>([
    ['a bigint', 5n, 'Number(x) or String(x)', 'a bigint'],
    ['a boxed number', Object(5), 'x.valueOf()', 'a boxed value'],
    ['a boxed string', Object('5'), 'x.valueOf()', 'a boxed string'],
    ['a boxed boolean', Object(true), 'x.valueOf()', 'a boxed value'],
    ['a Date', new Date(), aDate, 'a date'],
    ['a Date of another realm', runInNewContext('new Date(0)'), aDate, 'a date'],
    [
      'a DateTime of luxon',
      withMethods('toISO', 'toObject', 'valueOf', 'toJSON'),
      'a plain value in its place',
      'an object with toJSON',
    ],
    [
      'a Decimal',
      withMethods('toNumber', 'toFixed', 'valueOf', 'toJSON'),
      'x.toNumber() or String(x)',
      'an object that holds a number',
    ],
    [
      'a document of mongoose',
      withMethods('toObject', 'toJSON', 'save'),
      'a plain value in its place',
      'an object with toJSON',
    ],
    ['a Map', new Map(), plain, 'a collection'],
    ['a FormData', new FormData(), plain, 'a collection'],
    ['a Set', new Set(), plain, 'a collection'],
    ['bytes', new Uint8Array([5]), plain, 'a collection'],
    ['a URL', new URL('https://shop.example'), 'x.href', 'an object that holds a URL'],
    ['a promise', Promise.resolve(5), 'its value: await x', 'a promise'],
    ['private fields', withPrivateFields, 'a plain object', 'an object without own fields'],
    ['a function', () => 5, 'a value that JSON can hold', 'a function'],
    ['a symbol', Symbol('5'), 'a value that JSON can hold', 'a symbol'],
    ['NaN', Number.NaN, 'a finite number', 'the number NaN'],
    ['infinity', Number.POSITIVE_INFINITY, 'a finite number', 'the number Infinity'],
  ])('%s', async (_, value, expected, received) => {
    for (const way of Object.values(ways)) {
      const { fields, field, at } = way;
      const issue = await issueOf(way, { given: { ...fields, [field]: value } });
      expect(issue).toEqual({ path: at + field, expected, received });
    }
  });
});
