/**
 * Objects that are not what they seem, through every method that takes parameters. Each is either refused before anything is sent, or
 * the service gets what a plain read of the object gave when the method was called.
 */

import { runInNewContext } from 'node:vm';
import { InvalidRequestError, type PaymentsClient, type WithOperationId } from 'payments-client';
import { afterEach, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { everyMethod } from '../support/every-method.ts';
import { createClient } from '../support/mock-service.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A method with its parameters. */
interface Method {
  readonly name: string;
  readonly params: Fields;
  readonly call: (payments: PaymentsClient, params: never, options: WithOperationId) => PromiseLike<unknown>;
}

const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };
const session = { mode: 'payment', line_items: [line], success_url: 'https://shop.example/thanks' };
const intent = { amount: 1200, currency: 'usd', metadata: { order: '42' } };
const pay = { payment_method: 'pm_1' };
const note = { invoice: 'inv_1', lines: [{ type: 'custom_line_item', amount: 500 }] };
const subscription = { customer: 'cus_1', items: [{ price: 'price_1', quantity: 2 }] };
const open = { name: 'Tea', amount: 1200, parts: [{ quantity: 2 }] };
const sale = { amount: '12.00', payment_token: 'tok_1', zip: '90210' };
const earlier = { transactionid: '7', amount: '5.00' };

/** Every method that takes parameters. */
const methods: readonly Method[] = [
  { name: 'checkoutSessions.create', params: session, call: (p, q, o) => p.checkoutSessions.create(q, o) },
  {
    name: 'checkoutSessions.refund',
    params: { amount: 500 },
    call: (p, q, o) => p.checkoutSessions.refund('cs_1', q, o),
  },
  { name: 'paymentIntents.create', params: intent, call: (p, q, o) => p.paymentIntents.create(q, o) },
  { name: 'paymentIntents.confirm', params: pay, call: (p, q, o) => p.paymentIntents.confirm('pi_1', q, o) },
  {
    name: 'paymentIntents.capture',
    params: { amount: 500 },
    call: (p, q, o) => p.paymentIntents.capture('pi_1', q, o),
  },
  {
    name: 'paymentIntents.retryWithNewPaymentMethod',
    params: pay,
    call: (p, q, o) => p.paymentIntents.retryWithNewPaymentMethod('pi_1', q, o),
  },
  {
    name: 'paymentIntents.refund',
    params: { amount: 500, reason: 'returned' },
    call: (p, q, o) => p.paymentIntents.refund('pi_1', q, o),
  },
  {
    name: 'refunds.create',
    params: { charge_id: 'ch_1', amount: 500 },
    call: (p, q, o) => p.refunds.create(q, o),
  },
  {
    name: 'customers.create',
    params: { first_name: 'Ada', metadata: { order: '42' } },
    call: (p, q, o) => p.customers.create(q, o),
  },
  {
    name: 'customers.update',
    params: { email: 'ada@shop.example' },
    call: (p, q, o) => p.customers.update('cus_1', q, o),
  },
  {
    name: 'invoices.updatePaymentMethod',
    params: pay,
    call: (p, q, o) => p.invoices.updatePaymentMethod('inv_1', q, o),
  },
  { name: 'subscriptions.create', params: subscription, call: (p, q, o) => p.subscriptions.create(q, o) },
  {
    name: 'subscriptions.update',
    params: { items: [{ price: 'price_1', quantity: 3 }] },
    call: (p, q, o) => p.subscriptions.update('sub_1', q, o),
  },
  { name: 'creditNotes.create', params: note, call: (p, q, o) => p.creditNotes.create(q, o) },
  { name: 'products.create', params: open, call: (p, q, o) => p.products.create(q, o) },
  { name: 'products.update', params: open, call: (p, q, o) => p.products.update('prod_1', q, o) },
  { name: 'prices.create', params: open, call: (p, q, o) => p.prices.create(q, o) },
  { name: 'prices.update', params: open, call: (p, q, o) => p.prices.update('price_1', q, o) },
  { name: 'paymentMethods.create', params: open, call: (p, q, o) => p.paymentMethods.create(q, o) },
  { name: 'paymentMethods.update', params: open, call: (p, q, o) => p.paymentMethods.update('pm_1', q, o) },
  { name: 'terminals.create', params: open, call: (p, q, o) => p.terminals.create(q, o) },
  { name: 'terminals.update', params: open, call: (p, q, o) => p.terminals.update('tmr_1', q, o) },
  { name: 'apiKeys.create', params: open, call: (p, q, o) => p.apiKeys.create(q, o) },
  { name: 'webhookEndpoints.create', params: open, call: (p, q, o) => p.webhookEndpoints.create(q, o) },
  {
    name: 'webhookEndpoints.update',
    params: open,
    call: (p, q, o) => p.webhookEndpoints.update('we_1', q, o),
  },
  { name: 'accountLinks.create', params: open, call: (p, q, o) => p.accountLinks.create(q, o) },
  {
    name: 'request with a body',
    params: intent,
    call: (p, q, o) => p.request({ method: 'POST', path: '/v1/x', body: q }, o),
  },
  {
    name: 'request with a query',
    params: { limit: 5, status: 'paid', live: true },
    call: (p, q) => p.request({ method: 'GET', path: '/v1/x', query: q }),
  },
  { name: 'list by offset', params: { limit: 5, offset: 10 }, call: (p, q) => p.customers.list(q) },
  {
    name: 'list by cursor',
    params: { limit: 5, starting_after: 'cus_9' },
    call: (p, q) => p.customers.list(q),
  },
  { name: 'transact.sale', params: sale, call: (p, q) => p.transact.sale(q) },
  { name: 'transact.auth', params: sale, call: (p, q) => p.transact.auth(q) },
  { name: 'transact.credit', params: sale, call: (p, q) => p.transact.credit(q) },
  { name: 'transact.capture', params: earlier, call: (p, q) => p.transact.capture(q) },
  { name: 'transact.refund', params: earlier, call: (p, q) => p.transact.refund(q) },
  { name: 'transact.void', params: { transactionid: '7' }, call: (p, q) => p.transact.void(q) },
  {
    name: 'transact.validate',
    params: { payment_token: 'tok_1' },
    call: (p, q) => p.transact.validate(q),
  },
  { name: 'transact.submit', params: { type: 'sale', ...sale }, call: (p, q) => p.transact.submit(q) },
];

const arrivals: Fields[] = [];

afterEach(() => {
  arrivals.length = 0;
});

/** Slow keys: the caller's code runs on between the call and the request. */
const payments = createClient({
  secretKey: async () => 'sk_v1_test_unit0001',
  securityKey: async () => 'security-key-unit-0001',
  maxRetries: 0,
  fetch: async (request) => {
    arrivals.push(fieldsOf(request.url, await request.text()));
    return Response.json({}, { status: 400 });
  },
});

/** What the service got: the fields of the body, of the form or of the query. */
function fieldsOf(url: string, body: string): Fields {
  if (body.startsWith('{')) return JSON.parse(body);
  const { security_key: _, ...fields } = Object.fromEntries(new URLSearchParams(body || new URL(url).search));
  return fields;
}

/** The fields as this method sends them. */
function asSent({ name }: Method, fields: Fields): Fields {
  if (!/^transact|^list|query$/.test(name)) return fields;
  const type = name.startsWith('transact.') && name !== 'transact.submit' ? { type: name.slice(9) } : {};
  const texts = Object.entries(fields).map(([field, value]) => [field, String(value)]);
  return { ...type, ...Object.fromEntries(texts) };
}

/** An object that is not what it seems, and what happens after the call. */
interface Lie {
  readonly given: unknown;
  readonly after?: () => void;
}

type Liar = (fields: Fields, field: string) => Lie;

const another = (value: unknown) => (typeof value === 'number' ? value + 1 : 'another');

/** Other values than at the first read, for a field at any depth. */
function changing(fields: Fields, field: string): PropertyDescriptor {
  let reads = 0;
  return {
    enumerable: true,
    get: () => {
      reads += 1;
      return reads === 1 ? fields[field] : another(fields[field]);
    },
  };
}

function withProperty(fields: Fields, field: string, property: PropertyDescriptor): Lie {
  return { given: Object.defineProperty({ ...fields }, field, { configurable: true, ...property }) };
}

const withValue =
  (value: (of: unknown) => unknown): Liar =>
  (fields, field) => ({ given: { ...fields, [field]: value(fields[field]) } });

/** As Vue makes one: every read goes through, and what it gives is reactive too. */
function reactive<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (of, name) => {
      if (name === '__v_isReactive') return true;
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'object' && value !== null ? reactive(value) : value;
    },
    has: (of, name) => Reflect.has(of, name),
    ownKeys: (of) => Reflect.ownKeys(of),
  });
}

const administration = Symbol('mobx administration');

/** As MobX makes one: its fields are accessors, and its arrays answer to `toJSON`. */
function observable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(observable);
    return new Proxy(Object.defineProperty(items, administration, { value: {} }), {
      get: (of, name) => (name === 'toJSON' ? () => items.slice() : Reflect.get(of, name)),
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  const target = Object.defineProperty({}, administration, { value: {} });
  for (const [name, field] of Object.entries(value)) {
    const kept = observable(field);
    Object.defineProperty(target, name, {
      enumerable: true,
      configurable: true,
      get: () => kept,
      set: () => {},
    });
  }
  return new Proxy(target, {
    get: (of, name) => Reflect.get(of, name),
    ownKeys: (of) => Reflect.ownKeys(of),
  });
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

/** As decimal.js makes one. */
class Decimal {
  readonly digits = [5];

  toNumber() {
    return 5;
  }

  valueOf() {
    return '5';
  }

  toJSON() {
    return '5';
  }
}

const parseElsewhere: (text: string) => Fields = runInNewContext('(text) => JSON.parse(text)');
const dateElsewhere: object = runInNewContext('new Date(0)');

function proxyWithKeys(fields: Fields, keysOf: (reads: number) => string[]): Lie {
  let reads = 0;
  const ownKeys = () => {
    reads += 1;
    return keysOf(reads);
  };
  return { given: new Proxy({ ...fields }, { ownKeys }) };
}

const without = (fields: Fields, field: string) => Object.keys(fields).filter((name) => name !== field);

/** The service gets what they gave at the first read. */
const honestEnough: Readonly<Record<string, Liar>> = {
  'a getter with another answer each time': (fields, field) =>
    withProperty(fields, field, changing(fields, field)),
  'a proxy with another answer each time': (fields, field) => {
    const getter = changing(fields, field);
    return {
      given: new Proxy(
        { ...fields },
        {
          get: (of, name) => (name === field ? getter.get?.() : Reflect.get(of, name)),
        },
      ),
    };
  },
  'a proxy that hides a field later': (fields, field) =>
    proxyWithKeys(fields, (reads) => (reads === 1 ? Object.keys(fields) : without(fields, field))),
  'changed right after the call': (fields, field) => {
    const given = { ...fields };
    return { given, after: () => void Reflect.set(given, field, another(given[field])) };
  },
  'emptied in the next microtask': (fields, field) => {
    const given: Record<string, unknown> = { ...fields };
    return { given, after: () => queueMicrotask(() => delete given[field]) };
  },
  frozen: (fields) => ({ given: Object.freeze({ ...fields }) }),
  'without a prototype': (fields) => ({ given: Object.assign(Object.create(null), fields) }),
  'of another realm': (fields) => ({ given: parseElsewhere(JSON.stringify(fields)) }),
  'an instance of a class': (fields) => ({ given: new Params(fields) }),
  'a reactive object of Vue': (fields) => ({ given: reactive({ ...fields }) }),
  'an observable object of MobX': (fields) => ({ given: observable(fields) }),
  'with a symbol': (fields) => ({ given: { ...fields, [Symbol('id')]: 1 } }),
};

/** Nothing is sent. */
const liars: Readonly<Record<string, Liar>> = {
  'a getter that throws': (fields, field) =>
    withProperty(fields, field, {
      enumerable: true,
      get: () => {
        throw new Error('sk_v1_test_secret');
      },
    }),
  'a proxy that was revoked': (fields) => {
    const { proxy, revoke } = Proxy.revocable({ ...fields }, {});
    revoke();
    return { given: proxy };
  },
  'a proxy that shows a field later': (fields, field) =>
    proxyWithKeys(fields, (reads) => (reads === 1 ? without(fields, field) : Object.keys(fields))),
  'a field that is not enumerable': (fields, field) =>
    withProperty(fields, field, { enumerable: false, value: fields[field] }),
  'a getter that is not enumerable': (fields, field) =>
    withProperty(fields, field, { enumerable: false, get: () => fields[field] }),
  'a field of the prototype': (fields, field) => {
    const { [field]: inherited, ...own } = fields;
    return { given: Object.assign(Object.create({ [field]: inherited }), own) };
  },
  'a getter of the prototype': (fields, field) => {
    const { [field]: inherited, ...own } = fields;
    const prototype = Object.defineProperty({}, field, { get: () => inherited });
    return { given: Object.assign(Object.create(prototype), own) };
  },
  'its own toJSON': (fields) => ({ given: { ...fields, toJSON: () => ({}) } }),
  'the toJSON of its class': (fields) => ({ given: new WithToJson(fields) }),
  'a Map': (fields) => ({ given: new Map(Object.entries(fields)) }),
  'a promise': (fields) => ({ given: Promise.resolve(fields) }),
  'a field that is boxed': withValue((value) => Object(typeof value === 'object' ? 5 : value)),
  'a field that is a bigint': withValue(() => 5n),
  'a field that is a Date': withValue(() => new Date(0)),
  'a field that is a Date of another realm': withValue(() => dateElsewhere),
  'a field that is a Map': withValue(() => new Map([['amount', 5]])),
  'a field that is a Set': withValue(() => new Set([5])),
  'a field that is a Decimal': withValue(() => new Decimal()),
  'a field that is bytes': withValue(() => new Uint8Array([5])),
  'a field that is a function': withValue(() => () => 5),
  'a field that is a symbol': withValue(() => Symbol('5')),
  'a field that is NaN': withValue(() => Number.NaN),
  'a field that is [undefined]': withValue(() => [undefined]),
};

/** The field that says how much, if there is one. */
function fieldToLieAbout(fields: Fields): string {
  const names = Object.keys(fields);
  const found = ['amount', 'quantity'].find((name) => names.includes(name)) ?? names[0];
  if (found === undefined) throw new Error('The parameters have no field.');
  return found;
}

/** Calls a method, and returns why it was refused; `undefined` if something was sent. */
async function refusalOf(method: Method, { given, after }: Lie): Promise<InvalidRequestError | undefined> {
  const call = Promise.resolve(method.call(payments, anything(given), { operationId: 'order-1' }));
  after?.();
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof InvalidRequestError ? error : undefined;
}

/** The items of parameters, each with the parameters that hold another in its place. */
function itemsIn(params: Fields): readonly (readonly [item: Fields, around: (item: unknown) => Fields])[] {
  return Object.entries(params).flatMap(([name, value]) => {
    const item: unknown = Array.isArray(value) ? value[0] : undefined;
    if (typeof item !== 'object' || item === null) return [];
    return [[{ ...item }, (other: unknown) => ({ ...params, [name]: [other] })] as const];
  });
}

const withItems = methods.flatMap((method) =>
  itemsIn(method.params).map(([item, around]) => ({ method, item, around })),
);

it.each(Object.entries(honestEnough))('an object is sent as it was: %s', async (_, liar) => {
  for (const method of methods) {
    const { name, params } = method;
    expect(await refusalOf(method, liar(params, fieldToLieAbout(params))), name).toBeUndefined();
    expect(arrivals.splice(0), name).toEqual([asSent(method, params)]);
  }
});

it.each(Object.entries(honestEnough))('an item of a list is sent as it was: %s', async (_, liar) => {
  for (const { method, item, around } of withItems) {
    const { given, ...rest } = liar(item, fieldToLieAbout(item));
    expect(await refusalOf(method, { ...rest, given: around(given) }), method.name).toBeUndefined();
    expect(arrivals.splice(0), method.name).toEqual([method.params]);
  }
});

it.each(Object.entries(liars))('an object is refused before anything is sent: %s', async (_, liar) => {
  for (const method of methods) {
    const error = await refusalOf(method, liar(method.params, fieldToLieAbout(method.params)));
    expect(error?.issues, method.name).toHaveLength(1);
    expect(error?.issues[0]?.path, method.name).not.toBe('(root)');
    expect(error?.message).not.toContain('secret');
  }
  expect(arrivals).toEqual([]);
});

it.each(Object.entries(liars))(
  'an item of a list is refused before anything is sent: %s',
  async (_, liar) => {
    for (const { method, item, around } of withItems) {
      const { given } = liar(item, fieldToLieAbout(item));
      const error = await refusalOf(method, { given: around(given) });
      expect(error?.issues[0]?.path, method.name).toMatch(/^(?:body\.)?\w+\[0\]/);
    }
    expect(arrivals).toEqual([]);
  },
);

it('a field that says how much is refused if it is undefined', async () => {
  for (const method of methods) {
    if (!Object.hasOwn(method.params, 'amount')) continue;
    const error = await refusalOf(method, { given: { ...method.params, amount: undefined } });
    expect(error?.issues, method.name).toMatchObject([{ path: /amount$/, received: 'undefined' }]);
  }
  expect(arrivals).toEqual([]);
});

/** The lists of parameters, each with the parameters that hold another in its place. */
const withLists = methods.flatMap((method) =>
  Object.entries(method.params).flatMap(([name, list]) =>
    Array.isArray(list)
      ? [{ method, list, around: (other: unknown) => ({ ...method.params, [name]: other }) }]
      : [],
  ),
);

class List extends Array<unknown> {}

it.each<[string, (list: unknown[]) => unknown]>([
  ['frozen', (list) => Object.freeze([...list])],
  ['with a member besides its items', (list) => Object.assign([...list], { amount: 1 })],
  ['of a class', (list) => List.from(list)],
  ['of another realm', (list) => parseElsewhere(JSON.stringify(list))],
  [
    'with an iterator of its own',
    (list) => Object.assign([...list], { [Symbol.iterator]: () => [][Symbol.iterator]() }),
  ],
])('a list is sent by its places: %s', async (_, liar) => {
  for (const { method, list, around } of withLists) {
    expect(await refusalOf(method, { given: around(liar(list)) }), method.name).toBeUndefined();
    expect(arrivals.splice(0), method.name).toEqual([method.params]);
  }
});

it.each<[string, (list: unknown[]) => unknown]>([
  ['with a hole', (list) => Object.assign([...list], { length: list.length + 1 })],
  ['with undefined', (list) => [...list, undefined]],
  ['with its own toJSON', (list) => Object.assign([...list], { toJSON: () => [] })],
  ['a Set', (list) => new Set(list)],
  [
    'that contains itself',
    (list) => {
      const items = [...list];
      items.push(items);
      return items;
    },
  ],
])('a list is refused before anything is sent: %s', async (_, liar) => {
  for (const { method, list, around } of withLists) {
    const error = await refusalOf(method, { given: around(liar(list)) });
    expect(error?.issues, method.name).toHaveLength(1);
  }
  expect(arrivals).toEqual([]);
});

it('a field __proto__ is refused', async () => {
  for (const method of methods) {
    const text = `{"__proto__":{"amount":1},${JSON.stringify(method.params).slice(1)}`;
    const error = await refusalOf(method, { given: JSON.parse(text) });
    expect(error?.message, method.name).toContain('__proto__');
    expect(arrivals).toEqual([]);
  }
  expect(Reflect.get({}, 'amount')).toBeUndefined();
});

it('no method that takes parameters is left out', async () => {
  for (const [name, call] of Object.entries(everyMethod)) {
    await Promise.resolve(call(payments, { operationId: 'order-1' })).catch(() => {});
    const [sent = {}] = arrivals.splice(0);
    if (Object.keys(sent).length > 0) expect(methods.map((method) => method.name)).toContain(name);
  }
});
