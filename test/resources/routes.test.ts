/** Reaches inside: the table of routes is compared, as a whole, with that of the interface. */

import { InvalidRequestError, NotFoundError } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import wire from '../interface/tables/wire.json' with { type: 'json' };
import { anything } from '../support/anything.ts';
import { everyMethod } from '../support/every-method.ts';
import { failureOf } from '../support/failure.ts';
import { useScriptedService } from '../support/scripted-service.ts';

const service = useScriptedService();
const { createClient } = service;
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const operation = { operationId: 'order-1' };
const cases = Object.entries(everyMethod).map(([name, call]) => {
  const route = Object.entries(routes).find(([other]) => other === name)?.[1];
  if (route === undefined) throw new Error(`${name} has no route`);
  return { name, call, ...route };
});

/** The endpoints of the resource API that the interface lists. */
const shown = wire.endpoints
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path }) => `${method} ${path}`);

/** The methods that move money, or may. */
const money =
  'checkoutSessions.create checkoutSessions.refund paymentIntents.create paymentIntents.confirm paymentIntents.capture ' +
  'paymentIntents.retryWithNewPaymentMethod paymentIntents.refund refunds.create refunds.retry ' +
  'invoices.updatePaymentMethod subscriptions.create subscriptions.update creditNotes.create';

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The verb and the path of a method, by the pattern that the shown ones set. */
function patternOf(name: string): string {
  const [collection = '', method = ''] = name.split('.');
  const all = collection === 'checkoutSessions' ? '/v1/checkout/sessions' : `/v1/${snakeCase(collection)}`;
  if (method === 'create') return `POST ${all}`;
  if (method === 'list') return `GET ${all}`;
  const verb = { retrieve: 'GET', expand: 'GET', delete: 'DELETE' }[method] ?? 'POST';
  const isFollowUp = !['retrieve', 'update', 'delete'].includes(method);
  return `${verb} ${all}/{id}${isFollowUp ? `/${snakeCase(method)}` : ''}`;
}

describe('the table of routes', () => {
  it('follows one pattern, and names the methods that may move money', () => {
    const patterns = cases.map(({ name }) => [name, patternOf(name)]);
    expect(cases.map(({ name, method, path }) => [name, `${method} ${path}`])).toEqual(patterns);
    const moving = cases.filter(({ movesMoney }) => movesMoney).map(({ name }) => name);
    expect(moving.sort()).toEqual(money.split(' ').sort());
  });

  it('marks exactly the documented routes as shown', () => {
    const marked = cases
      .filter(({ source }) => source === 'shown')
      .map(({ method, path }) => `${method} ${path}`);
    expect(marked.sort()).toEqual(shown.sort());
  });

  it('has a route for every method of every collection, and a collection for every route', () => {
    const payments = createClient();
    const collections = new Set(cases.map(({ name }) => name.split('.')[0]));
    expect(Object.keys(payments).sort()).toEqual([...collections].sort());
    for (const { name } of cases) {
      const [collection = '', method = ''] = name.split('.');
      expect(typeof Reflect.get(Object(Reflect.get(payments, collection)), method)).toBe('function');
    }
  });
});

describe.each(cases)('$name', ({ name, call, method, path, movesMoney, source }) => {
  it(`sends ${method} ${path}, with ${movesMoney ? 'a key' : 'a key if one is passed'}`, async () => {
    service.answers(json({ code: 'stop' }, { status: 400 }));
    await Promise.resolve(call(createClient(), operation)).catch(() => {});
    const [arrival] = service.arrivals;
    const id = arrival?.url.pathname
      .split('/')
      .find((segment) => /^[a-z]+_\w+$/.test(segment) && /_[12]$/.test(segment));
    expect(`${arrival?.method} ${arrival?.url.pathname}`).toBe(`${method} ${path.replace('{id}', id ?? '')}`);
    expect(arrival?.headers.get('idempotency-key') ?? '').toBe(
      method === 'POST' ? `pc1:${name}:order-1` : '',
    );
  });

  it('reports an inferred path after a 404, and uses the corrected route', async () => {
    service.answers(json({}, { status: 404 }));
    const error = await failureOf(call(createClient(), operation), NotFoundError);
    expect(error.message.includes('is inferred, not documented')).toBe(source === 'inferred');
    const corrected = `PUT /v9${path.includes('{id}') ? '/{id}' : ''}`;
    const payments = createClient({ routes: { [name]: corrected } });
    await Promise.resolve(call(payments, operation)).catch(() => {});
    expect(service.arrivals[1]?.method).toBe('PUT');
    expect(service.arrivals[1]?.url.pathname).toMatch(/^\/v9/);
  });
});

it.each(cases.filter(({ movesMoney }) => movesMoney))(
  '$name is refused without an operationId, before anything is sent',
  async ({ call }) => {
    const error = await failureOf(call(createClient(), anything({})), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path: 'options.operationId' }]);
    expect(service.arrivals).toHaveLength(0);
  },
);

it('every other method is sent without an operationId, a POST with a key of its own', async () => {
  service.answers(json({}, { status: 404 }));
  const others = cases.filter(({ movesMoney }) => !movesMoney);
  const keys = new Set<string>();
  for (const { name, method, call } of others) {
    await failureOf(call(createClient(), anything({})), NotFoundError);
    const key = service.arrivals.at(-1)?.headers.get('idempotency-key') ?? '';
    expect(key, name).toMatch(method === 'POST' ? /^pc1r:[\da-f-]{36}$/ : /^$/);
    keys.add(key);
  }
  const posts = others.filter(({ method }) => method === 'POST');
  expect(keys.size).toBe(posts.length + 1);
  expect(service.arrivals).toHaveLength(others.length);
});
