/** Compares the sandbox, over real HTTP, with the tables of the interface. */

import { json as readJson } from 'node:stream/consumers';
import { type Sandbox, testCards } from 'payments-client-sandbox';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isCatalogType } from '../support/event-catalog.ts';
import { everyCollection } from '../support/every-collection.ts';
import { type FieldRow, fieldTables, nestedTables, type ObjectName } from '../support/field-tables.ts';
import { objectNames } from '../support/sample-objects.ts';
import { startSandbox } from '../support/sandbox.ts';
import { codeOf, type JsonRequest, json, overHttp, read, readPage } from '../support/sandbox-requests.ts';
import { serve } from '../support/serve.ts';
import browser from './tables/browser.json' with { type: 'json' };
import events from './tables/events.json' with { type: 'json' };
import fraud from './tables/fraud.json' with { type: 'json' };
import wire from './tables/wire.json' with { type: 'json' };

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

const request = (path: string, init?: JsonRequest) => overHttp(sandbox)(path, json(sandbox, init));

const isOfType: Readonly<Record<FieldRow['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  metadata: (value) => Object.values(Object(value)).every((note) => typeof note === 'string'),
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'object[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'object'),
};

/** Returns whether a value has the type of a row. */
function conforms({ field, type, nullable, prefix = '', literal }: FieldRow, value: unknown): boolean {
  if (value === null) return nullable;
  if (field === 'currency') return /^[A-Z]{3}$/.test(String(value));
  if (!isOfType[type](value)) return false;
  if (literal !== undefined) return value === literal;
  return [value].flat().every((one) => typeof one !== 'string' || one.startsWith(prefix));
}

/** Returns the fields that do not match their rows, including those of nested objects. */
function mismatchesOf(value: unknown, rows: readonly FieldRow[], parent: string): readonly string[] {
  const object: object = Object(value);
  return rows.flatMap((row) => {
    const path = `${parent}.${row.field}`;
    const field: unknown = Reflect.get(object, row.field);
    if (field === undefined) return row.optional ? [] : [path];
    if (!conforms(row, field)) return [path];
    const inner = nestedTables[path] ?? [];
    return field === null ? [] : [field].flat().flatMap((item) => mismatchesOf(item, inner, path));
  });
}

const objectMismatchesOf = (name: ObjectName, value: unknown) => mismatchesOf(value, fieldTables[name], name);

/** The path of each kind of object. */
function pathOf(name: ObjectName): string {
  const plural = everyCollection.find(({ object }) => object === name)?.plural;
  return name === 'checkout_session' ? '/v1/checkout/sessions' : `/v1/${plural}`;
}

const isObjectName = (name: string): name is ObjectName => Object.hasOwn(fieldTables, name);

/** A receiver that parses deliveries as JSON. */
async function receiver(): Promise<readonly unknown[]> {
  const nextDelivery: unknown[] = [];
  const { url, close } = await serve(async (incoming, response) => {
    nextDelivery.push(await readJson(incoming));
    response.end();
  });
  onTestFinished(close);
  sandbox.webhooks.deliverTo(`${url}/webhooks`);
  return nextDelivery;
}

const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((parent, name) => Reflect.get(Object(parent), name), value);

describe('a retrieved object', () => {
  it.each(objectNames)('of the kind %s has every field of its table', async (name) => {
    const { id } = sandbox.add(name);
    const one = await read(await request(`${pathOf(name)}/${id}`));
    expect(objectMismatchesOf(name, one)).toEqual([]);
  });
});

describe('a delivery', () => {
  it.each(events.catalog)(
    'of $type contains its object and its operations',
    async ({ type, object, operations }) => {
      if (!isCatalogType(type) || !isObjectName(object))
        throw new Error(`expected a known type, got ${type}`);
      const arrived = await receiver();
      sandbox.trigger(type);
      await sandbox.clock.advance('5 s');
      const event = arrived.find((one) => fieldOf(one, 'type') === type);
      for (const { name } of events.envelope) {
        expect(fieldOf(event, ...name.split('.')), name).toBeDefined();
      }
      expect(fieldOf(event, 'id')).toMatch(/^evt_/);
      expect(fieldOf(event, 'created')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
      expect(fieldOf(event, 'api_version')).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(fieldOf(event, 'operations')).toEqual(operations);
      const content = fieldOf(event, 'data', 'object');
      expect(objectMismatchesOf(object, content)).toEqual([]);
      const one = await read(await request(`${pathOf(object)}/${fieldOf(content, 'id')}`));
      expect(objectMismatchesOf(object, one)).toEqual([]);
    },
  );

  it.each(events.connect.types)('of %s contains a snapshot', async (type) => {
    const arrived = await receiver();
    const known = (['account.created', 'connection.created', 'connection.activated'] as const).find(
      (one) => one === type,
    );
    if (known === undefined) throw new Error(`expected a Connect type, got ${type}`);
    sandbox.trigger(known);
    await sandbox.settled();
    const event = arrived.find((one) => fieldOf(one, 'type') === type);
    expect(fieldOf(event, 'data', 'object', 'version')).toEqual(expect.any(Number));
    expect(events.connect.scopes).toContain(fieldOf(event, 'data', 'object', 'version_scope'));
  });

  it('of a chargeback without an envelope has the fields of the interface', async () => {
    const arrived = await receiver();
    sandbox.trigger('chargeback.received', {}, { bare: true });
    await sandbox.settled();
    for (const { name } of events.chargeback)
      expect(fieldOf(arrived[0], name), name).toEqual(expect.any(String));
    expect(fraud.chargebackReasons.map(({ code }) => code)).toContain(fieldOf(arrived[0], 'reason_code'));
  });
});

describe('an endpoint', () => {
  const { fields, lineItem } = wire.sessionRequest;
  const values: Readonly<Record<string, unknown>> = {
    mode: 'payment',
    success_url: 'https://shop.example/1',
    cancel_url: 'https://shop.example/2',
    name: 'Tea',
    amount: 1200,
    currency: 'usd',
    quantity: 1,
  };
  const filled = (rows: readonly { readonly name: string }[]) =>
    Object.fromEntries(rows.map(({ name }) => [name, values[name]]));
  const bodies: Readonly<Record<string, () => unknown>> = {
    '/v1/checkout/sessions': () => ({ ...filled(fields), line_items: [filled(lineItem)] }),
    '/v1/payment_intents': () => ({ amount: 1200, currency: 'usd' }),
    '/v1/refunds': () => ({ payment_intent_id: sandbox.pay(sandbox.add('payment_intent').id).id }),
    '/v1/customers': () => ({}),
    '/v1/customers/{id}/restore': () => ({}),
  };

  it.each(wire.endpoints.filter(({ path }) => path.startsWith('/v1/')))(
    '$method $path exists',
    async (endpoint) => {
      const { method, path, emits } = endpoint;
      const { id } = sandbox.add('customer');
      if (path.endsWith('/restore')) await request(`/v1/customers/${id}`, { method: 'DELETE' });
      const body = bodies[path]?.();
      const earlier = sandbox.events.length;
      const response = await request(path.replace('{id}', id), {
        method,
        ...(method === 'POST' && { body }),
      });
      expect(response.status).toBe(200);
      const emitted = sandbox.events.slice(earlier).map(({ type }) => type);
      expect(emitted).toEqual(emits === undefined ? [] : [emits]);
    },
  );

  it('serves scripts with the names of the interface', async () => {
    const response = await overHttp(sandbox)('/js/Gateway.js');
    const script = await response.text();
    const { global, create, risk, threeDSecure } = browser.gateway;
    const names = [global, ...create, ...Object.values(risk), threeDSecure.getter, threeDSecure.method];
    for (const name of [...names, ...threeDSecure.result]) expect(script, name).toContain(name);
    // The interface does not show the path of the script of the card fields.
    const cardFields = await (await overHttp(sandbox)('/js/CollectJS.js')).text();
    for (const name of [browser.cardFields.global, 'configure', ...browser.cardFields.configure]) {
      expect(cardFields, name).toContain(name);
    }
  });
});

describe('an idempotency key', () => {
  const path = '/v1/payment_intents';
  const body = { amount: 1200, currency: 'usd' };
  const key = 'order-1';
  const { errors, replayedHeader } = wire.idempotency;

  /** How to cause each refusal. */
  const provoke: Readonly<Record<string, () => Promise<Response>>> = {
    IDEMPOTENCY_KEY_TOO_LONG: () => request(path, { body, key: 'k'.repeat(wire.limits.keyLength + 1) }),
    IDEMPOTENCY_KEY_IN_PROGRESS: async () => {
      const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
      const first = request(path, { body, key });
      await hold.reached;
      const during = await request(path, { body, key });
      hold.release();
      await first;
      return during;
    },
    IDEMPOTENCY_BODY_MISMATCH: async () => {
      await request(path, { body, key });
      return request(path, { body: { ...body, amount: 1 }, key });
    },
    IDEMPOTENCY_ROUTE_CONFLICT: async () => {
      await request(path, { body, key });
      return request('/v1/customers', { body, key });
    },
    IDEMPOTENCY_STORE_UNAVAILABLE: () => {
      sandbox.faults.inject({ kind: 'idempotency_error', code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
      return request(path, { body, key });
    },
  };

  it.each(errors)('is refused with $status $code', async ({ status, code }) => {
    const refused = await provoke[code]?.();
    if (refused === undefined) throw new Error(`Nothing provokes ${code}.`);
    expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
  });

  it('of the maximum length replays the original result', async () => {
    const longest = 'k'.repeat(wire.limits.keyLength);
    const first = await request(path, { body, key: longest });
    const second = await request(path, { body, key: longest });
    expect([first.status, first.headers.get(replayedHeader.name)]).toEqual([200, null]);
    expect([second.status, second.headers.get(replayedHeader.name)]).toEqual([200, replayedHeader.value]);
    expect(await second.text()).toBe(await first.text());
  });
});

describe('a list', () => {
  const { default: size, maximum } = wire.limits.limit;
  const list = (query: string) => request(`/v1/products${query}`);

  it('has the default and the maximum size of the interface', async () => {
    for (let count = 0; count <= maximum + 1; count += 1) sandbox.add('product');
    const first = await readPage(await list(''));
    expect(first.data).toHaveLength(size);
    expect(Object.keys(first)).toEqual(expect.arrayContaining(wire.page.fields));
    expect(first.next_cursor).toBe(first.data.at(-1)?.id);
    expect((await readPage(await list('?offset=0'))).data).toHaveLength(size);
    expect((await readPage(await list(`?offset=0&limit=${maximum}`))).data).toHaveLength(maximum);
    expect((await list(`?offset=0&limit=${maximum + 1}`)).status).toBe(400);
    expect((await readPage(await list(`?limit=${maximum + 1}`))).data).toHaveLength(maximum + 1);
    expect((await list('?offset=-1')).status).toBe(400);
    expect((await list(`?offset=0&starting_after=${first.next_cursor}`)).status).toBe(400);
  });
});

describe('the form endpoint', () => {
  async function sale(more: Readonly<Record<string, string>>) {
    const given = { type: 'sale', amount: '12.00', [wire.credentials.form]: sandbox.securityKey, ...more };
    const response = await overHttp(sandbox)('/api/transact.php', {
      method: 'POST',
      body: new URLSearchParams(given),
    });
    return new URLSearchParams(await response.text());
  }

  const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

  it('accepts the parameters of the interface, and its response has the fields of the interface', async () => {
    const token = [...Object.keys(card), 'payment_token', 'type', 'amount', wire.credentials.form];
    const others = fraud.parameters.filter((name) => !token.includes(name));
    const known = { ipaddress: '192.0.2.1', email: 'risk10@example.com', cardholder_auth: 'Y' };
    const result = await sale({
      ...Object.fromEntries(others.map((name) => [name, '1'])),
      ...known,
      ...card,
    });
    expect([...result.keys()]).toEqual(expect.arrayContaining(fraud.response));
    expect(result.get('response')).toBe(fraud.approved);
    expect(fraud.riskDecisions.map(({ code }) => code)).toContain(result.get('risk_decision'));
  });

  it('has a test card for each pair of AVS and CVV checks', async () => {
    const cards = Object.values(testCards);
    for (const { avs, cvv } of fraud.testCardPairs) {
      const number =
        cards.find((one) => one.avs === avs && one.cvv === cvv && one.decline === null)?.number ?? '';
      const result = await sale({ ...card, ccnumber: number });
      expect([result.get('avsresponse'), result.get('cvvresponse')]).toEqual([avs, cvv]);
    }
  });

  it('has a test address for each risk score', async () => {
    expect(fraud.testScores).toHaveLength(4);
    for (const score of fraud.testScores) {
      const result = await sale({ ...card, email: `risk${score}@example.com` });
      expect(result.get('risk_score')).toBe(String(score));
    }
  });
});

it('the test secret key has the prefix of the interface', () => {
  expect(sandbox.secretKey.startsWith(wire.credentials.secretKey)).toBe(true);
});
