/** Reaches inside: the table of routes is compared, as a whole, with that of the interface. */

import { InvalidRequestError, NotFoundError, PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import wire from '../interface/tables/wire.json' with { type: 'json' };
import { everyMethod } from '../support/every-method.ts';
import { failureOf } from '../support/failure.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';

const service = useMockService();
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

describe('the table of routes', () => {
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
    const error = await failureOf(call(createClient(), {} as never), InvalidRequestError);
    expect(error.issues).toMatchObject([{ path: 'options.operationId' }]);
    expect(service.arrivals).toHaveLength(0);
  },
);

it('inspecting a client or any of its collections shows no key', () => {
  const payments = new PaymentsClient({ baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_CANARY' });
  expect(JSON.stringify(payments)).not.toContain('CANARY');
});
