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
    ['refunds.create', 'POST /v2/refunds'],
    ['refunds.create', 'POST /v1/refunds/'],
    ['paymentIntents.capture', 'POST /v1/payment_intents/{id}/captures'],
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
    ...[
      '/v1/refunds',
      '/V1/Refunds',
      '/v1/refunds/',
      '/v1//refunds',
      '/v1/%72efunds',
      '/v1/%2572efunds',
      '/v1%2frefunds',
      '/v1/x/%252e%252e/refunds',
      '/v1/refunds;x=1',
      '/v1/refunds.',
    ].map((path) => ['customers.create', `POST ${path}`, 'that of refunds.create']),
    ['customers.create', 'POST /v1/payment_intents/pi_1/refund', 'that of paymentIntents.refund'],
    ['customers.restore', 'POST /v1/payment_intents/{id}/{id}', 'placeholder'],
  ])('does not correct %s to %s', (name, route, why) => {
    expect(() => start({ [name]: route })).toThrow(why === 'placeholder' ? ConfigurationError : why);
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

  it('is compared after the corrections of the program, which may do anything', () => {
    const own = { 'customers.list': 'GET /v1/people' };
    expect(() => start({ 'charges.list': 'GET /v1/customers' }, { routes: own })).not.toThrow();
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

/** The routes that move money, as a tolerant server reads them. */
const moneyPaths = Object.entries(routes)
  .filter(([, { movesMoney }]) => movesMoney)
  .map(([, { method, path }]) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

/** Reads a request as tolerantly as a server may. */
function readTolerantly(method: string, url: string): string {
  let path = new URL(url).pathname;
  for (let round = 0; round < 3; round += 1) {
    try {
      path = decodeURIComponent(path);
    } catch {
      break;
    }
  }
  const segments = path
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/[.;].*$/, ''));
  return `${method} /${segments.filter((segment) => segment !== '').join('/')}`;
}

const names = Object.keys(everyMethod);
const paths = Object.values(routes).map(({ path }) => path);
const spelled = fc
  .tuple(
    fc.constantFrom(...paths),
    fc.constantFrom('', '/', '.', ';a'),
    fc.boolean(),
    fc.integer({ min: 0, max: 5 }),
  )
  .map(([path, end, isUpper, at]) => {
    const text = isUpper ? path.replaceAll(/\/[a-z_]+/g, (segment) => segment.toUpperCase()) : path;
    const place = text.search(/[a-z]/i) + at;
    const escaped = `${text.slice(0, place)}%${text.charCodeAt(place).toString(16)}${text.slice(place + 1)}`;
    return (at > 0 && /[a-z]/i.test(text.charAt(place)) ? escaped : text) + end;
  });
const corrections = fc.dictionary(
  fc.constantFrom(...names),
  fc.tuple(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), spelled).map((parts) => parts.join(' ')),
  { minKeys: 1, maxKeys: 3 },
);

it('lets no call without a key move money, whatever a file says', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(corrections, async (given) => {
      const moved: string[] = [];
      const fetch = async (request: Request) => {
        const read = readTolerantly(request.method, request.url);
        const isMoney = moneyPaths.some((path) => path.test(read));
        if (isMoney && !request.headers.has('idempotency-key')) moved.push(read);
        return Response.json({});
      };
      let payments: PaymentsClient;
      try {
        payments = start(given, { fetch, maxRetries: 0, validation: 'off' });
      } catch {
        return;
      }
      accepted += 1;
      for (const [name, call] of Object.entries(everyMethod)) {
        if (name in given) await call(payments, anything(undefined)).then(undefined, () => undefined);
      }
      expect(moved).toEqual([]);
    }),
    { numRuns: bySize({ short: 300, all: 10_000 }) },
  );
  expect(accepted).toBeGreaterThan(10);
});
