/** Reaches inside: the table of routes. What an interface file may correct: a path, and the verb of a write, not one method to another. */

import fc from 'fast-check';
import { ConfigurationError, PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/resources/routes.ts';
import { anything } from '../../support/anything.ts';
import { everyMethod } from '../../support/every-method.ts';
import { bySize } from '../../support/size.ts';

const keys = { baseUrl: 'https://payments.test', secretKey: 'sk_v1_test_1' };

const start = (corrections: object, options: object = {}) =>
  new PaymentsClient({ ...keys, interface: { routes: anything(corrections) }, ...options });

describe('a file', () => {
  it.each([
    ['subscriptions.cancel', 'DELETE /v1/subscriptions/{id}'],
    ['customers.update', 'PATCH /v1/customers/{id}'],
    ['subscriptions.update', 'PATCH /v1/subscriptions/{id}'],
    ['customers.list', 'GET /v1/customers/all'],
    ['customers.create', 'POST /v1/customers/new'],
    ['customers.create', 'PUT /v1/customers'],
    ['prices.create', 'POST /v1/products.prices'],
    ['refunds.create', 'POST /v2/refunds'],
    ['refunds.create', 'POST /v1/refunds/'],
    ['refunds.create', 'PUT /v1/refunds'],
    ['refunds.create', 'POST /v1/refunds.json'],
    ['paymentIntents.capture', 'POST /v1/payment_intents/{id}/captures'],
    ['creditNotes.void', 'DELETE /v1/credit_notes/{id}'],
    ['customers.update', 'POST /v1/customers/{id}:update'],
  ])('corrects %s to %s', (name, route) => {
    expect(() => start({ [name]: route })).not.toThrow();
  });

  it.each([
    ['paymentIntents.retrieve', 'POST /v1/payment_intents/{id}/refund', 'a GET, since it reads, got POST'],
    ['products.list', 'DELETE /v1/products', 'a GET, since it reads, got DELETE'],
    ['refunds.create', 'GET /v1/refunds', 'no GET, since it writes, got GET'],
    ['paymentIntents.cancel', 'POST /v1/payment_intents/{id}/capture', 'that of paymentIntents.capture'],
    ['refunds.retry', 'POST /v1/payment_intents/{id}/capture', 'that of paymentIntents.capture'],
    ['charges.list', 'GET /v1/customers', 'that of customers.list'],
    ['charges.list', 'GET /v1/customers..', 'that of customers.list'],
    ['charges.list', 'GET /v1/charges%20', "a path without '%' and ';', got one with '%'"],
    ['refunds.create', 'DELETE /v1/refunds', 'no DELETE, since it moves money, got DELETE'],
    ['paymentIntents.refund', 'POST /v1/payment_intents/{id}/capture.json', 'that of paymentIntents.capture'],
    ['refunds.create', 'POST /v1/payment_intents/pi_1/capture', 'that of paymentIntents.capture'],
    ...[
      '/v1/refunds',
      '/V1/Refunds',
      '/v1/refunds/',
      '/v1//refunds',
      '/v1/refunds.',
      '/v1/refunds...',
      '/v1/.../refunds',
      '/v1/refunds.json',
    ].map((path) => ['customers.create', `POST ${path}`, 'that of refunds.create']),
    ['customers.create', 'PUT /v1/refunds', 'that of refunds.create'],
    ['customers.update', 'PATCH /v1/refunds/{id}/retry', 'that of refunds.retry'],
    ['customers.create', 'POST /v1/payment_intents/pi_1/refund', 'that of paymentIntents.refund'],
    ['customers.update', 'POST /v1/payment_intents/pi_1/{id}', 'that of paymentIntents.'],
    ['customers.restore', 'POST /v1/payment_intents/{id}/{id}', 'placeholder'],
  ])('does not correct %s to %s', (name, route, why) => {
    expect(() => start({ [name]: route })).toThrow(why === 'placeholder' ? ConfigurationError : why);
  });

  // Some server reads each of these segments as two dots.
  it.each(
    [
      '..;',
      '..%3b',
      '..%20',
      '..%00',
      '..%09',
      '.%09.',
      '..%3f',
      '%2e%2e;',
      '%2e%2e%3b',
      '%252e%252e',
    ].flatMap((up) => [
      ['paymentIntents.cancel', `POST /v1/payment_intents/{id}/x/${up}/capture`],
      ['customers.create', `POST /v1/x/${up}/refunds`],
      ['refunds.create', `POST /v1/x/${up}/payment_intents`],
    ]),
  )('does not correct %s to %s, which servers read in several ways', (name, route) => {
    expect(() => start({ [name]: route })).toThrow("expected a path without '%' and ';', got one with '");
  });

  it.each([';x=1', '%3fx', '%00', '%09.x', '%72'])(
    'does not correct a path to one that ends in %s',
    (end) => {
      expect(() => start({ 'customers.create': `POST /v1/refunds${end}` })).toThrow(
        "a path without '%' and ';'",
      );
    },
  );

  it.each([
    [
      'paymentIntents.capture',
      {
        'paymentIntents.refund': 'POST /v1/payment_intents/{id}/capture',
        'paymentIntents.capture': 'POST /v1/payment_intents/{id}/capture_it',
      },
    ],
    [
      'paymentIntents.capture',
      {
        'paymentIntents.confirm': 'POST /v1/payment_intents/{id}/capture',
        'paymentIntents.capture': 'POST /v1/payment_intents/{id}/confirm',
      },
    ],
    ['customers.list', { 'customers.list': 'GET /v1/people', 'charges.list': 'GET /v1/customers' }],
  ])('gives no method the path that %s had before', (name, corrections) => {
    expect(() => start(corrections)).toThrow(`no path of another method, got that of ${name}`);
  });

  it('may correct a method to its own path', () => {
    expect(() => start({ 'refunds.create': 'POST /v1/refunds' })).not.toThrow();
  });

  it('does not take the path that a method which moves money had before', () => {
    const moved = { 'refunds.create': 'POST /v2/refunds' };
    expect(() => start({ ...moved, 'customers.create': 'POST /v1/refunds' })).toThrow(
      'that of refunds.create',
    );
    expect(() => start({ ...moved, 'customers.create': 'POST /v2/refunds' })).toThrow(
      'that of refunds.create',
    );
  });

  it('is compared with the corrections of the program, which may do anything', () => {
    const own = { 'customers.list': 'GET /v1/people' };
    expect(() => start({ 'charges.list': 'GET /v1/customers' }, { routes: own })).toThrow('customers.list');
    expect(() => start({ 'charges.list': 'GET /v1/people' }, { routes: own })).toThrow('customers.list');
    const odd = { 'charges.list': 'POST /v1/refunds' };
    expect(() => start({ 'charges.list': 'GET /v1/people' }, { routes: odd })).not.toThrow();
    expect(() => start({}, { routes: odd })).not.toThrow();
  });
});

it('is written to the log once, with each route', async () => {
  const lines: unknown[] = [];
  const logger = { info: (...line: readonly unknown[]) => void lines.push(line) };
  const fetch = async () => Response.json({});
  const payments = start({ 'products.list': 'GET /v1/catalog' }, { logger, fetch });
  const written = [['the interface file corrects routes', { routes: ['products.list: GET /v1/catalog'] }]];
  expect(lines).toEqual(written);
  await payments.request({ method: 'GET', path: '/v1/catalog' });
  start({}, { logger });
  expect(lines.filter((line) => String(line).includes('corrects'))).toHaveLength(1);
});

const withoutEscapes = (path: string) => path.replaceAll(/%[\da-f]{2}/gi, decodeURIComponent);

/** Reads the path of a request as tolerantly as a server may. */
function readTolerantly(url: string): string {
  let path = new URL(url).pathname;
  for (let round = 0; round < 3; round += 1) path = withoutEscapes(path);
  const { pathname } = new URL(path.replaceAll(/[\s\0]/g, ''), 'https://payments.test');
  const segments = withoutEscapes(pathname)
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/[.;?#].*$/, ''));
  return `/${segments.filter((segment) => segment !== '').join('/')}`;
}

type Name = keyof typeof routes;

const isName = (name: string): name is Name => Object.hasOwn(routes, name);
const movesMoney = (name: string) => isName(name) && routes[name].movesMoney;

/** A tolerant server takes a PUT or a PATCH for a POST. */
const verbOf = (method: string) => (method === 'PUT' || method === 'PATCH' ? 'POST' : method);

const read = (method: string, path: string) =>
  `${verbOf(method)} ${readTolerantly(`https://payments.test${path}`)}`;

/** Returns a pattern of the requests of a route, whatever its placeholders stand for. */
function patternOf(route: string): RegExp {
  const [method = '', path = ''] = route.split(' ');
  return new RegExp(`^${read(method, path).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

const names = Object.keys(everyMethod).filter(isName);
/** The requests that move money without a file. */
const moneyRequests = names
  .filter(movesMoney)
  .map((name) => patternOf(`${routes[name].method} ${routes[name].path}`));

const placeholders = (path: string) => path.split('{').length - 1;
const isRead = (name: Name) => routes[name].method === 'GET';

/** Any path with the placeholders of a method's own one, which a client asks for: others stand for one object. */
function pathsFor(name: Name): readonly string[] {
  const own = placeholders(routes[name].path);
  return Object.values(routes)
    .map(({ path }) => (own === 0 ? path.replaceAll(/\{\w+\}/g, 'pi_1') : path))
    .filter((path) => placeholders(path) === own);
}

const spelling = fc.record({
  end: fc.constantFrom('', '', '', '/', '.', '.json', '/x', '..', ';a', '%00', '%2f', '%3fa'),
  start: fc.constantFrom('/v1', '/v1', '/V1', '/v2', '/v2', '/x', '/x/v1', '/v1/x/%252e%252e', '/v1/x/..;'),
  isUpper: fc.boolean(),
  at: fc.integer({ min: 0, max: 12 }),
  times: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3),
});

/** Escapes a character up to three times. */
function escaped(text: string, at: number, times: number): string {
  if (times === 0 || !/[a-z_]/i.test(text.charAt(at)) || text.slice(0, at).includes('{')) return text;
  const escape = `%${'25'.repeat(times - 1)}${text.charCodeAt(at).toString(16)}`;
  return text.slice(0, at) + escape + text.slice(at + 1);
}

const correction = fc.constantFrom(...names).chain((name) =>
  fc.tuple(fc.constantFrom(...pathsFor(name)), spelling).map(([path, { end, start, isUpper, at, times }]) => {
    const rest = path.slice('/v1'.length);
    const cased = isUpper ? rest.replaceAll(/\/[a-z_]+/g, (segment) => segment.toUpperCase()) : rest;
    return [name, start + escaped(cased, at, times) + end] as const;
  }),
);
const verb = fc.constantFrom('POST', 'POST', 'PUT', 'PATCH', 'DELETE');
const corrections = fc
  .uniqueArray(fc.tuple(correction, verb, fc.integer({ min: 0, max: 9 })), {
    selector: ([[name]]) => name,
    minLength: 1,
    maxLength: 3,
  })
  .map((entries) =>
    Object.fromEntries(
      entries.map(([[name, path], write, luck]) => {
        const own = isRead(name) ? 'GET' : write;
        return [name, `${luck === 0 ? 'POST' : own} ${path}`];
      }),
    ),
  );

// Each POST has a key, which is a new one for each call without an `operationId`: a key alone prevents no second charge.
it('lets no call without an operationId move money, whatever a file says', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(corrections, async (given) => {
      const corrected = Object.entries(given).filter(([name]) => movesMoney(name));
      const money = [...moneyRequests, ...corrected.map(([, route]) => patternOf(route))];
      const moved: string[] = [];
      const fetch = async ({ method, url }: Request) => {
        const request = read(method, new URL(url).pathname);
        if (money.some((pattern) => pattern.test(request))) moved.push(`${method} ${url}`);
        return Response.json({});
      };
      let payments: PaymentsClient;
      try {
        payments = start(given, { fetch, maxRetries: 0, validation: 'off' });
      } catch {
        return;
      }
      accepted += 1;
      for (const name of Object.keys(given).filter(isName)) {
        await everyMethod[name](payments, anything(undefined)).then(undefined, () => undefined);
      }
      expect(moved).toEqual([]);
    }),
    { numRuns: bySize({ short: 1800, all: 10_000 }) },
  );
  expect(accepted).toBeGreaterThan(150);
});
