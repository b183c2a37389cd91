/**
 * Any value in any parameter of the SDK either is refused by name before sending, or is sent in one request: under the base URL,
 * with only the intended headers, and with the given text unchanged.
 */

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  ConfigurationError,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsClientOptions,
  ResponseValidationError,
  Transact,
} from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundParams, saleParams } from '../support/fixtures.ts';
import { type RunningServer, serve } from '../support/serve.ts';
import { everyNth, size } from '../support/size.ts';
import { controlCharacter, secretKey } from './answering.ts';
import { property, runCampaign, seed } from './campaign.ts';

/** A received request. */
interface Arrival {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

let arrivals: Arrival[] = [];
let server: RunningServer | undefined;

function paired(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? '']] : [],
  );
}

/** A response that every method accepts. */
const answer = JSON.stringify({
  id: 'rf_1',
  object: 'refund',
  status: 'succeeded',
  data: [],
  has_more: false,
  response: '1',
});

beforeAll(async () => {
  server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    arrivals.push({
      url: request.url ?? '',
      headers: paired(request.rawHeaders),
      body: Buffer.concat(chunks).toString('utf8'),
    });
    response.end(answer);
  });
});
afterAll(() => server?.close());

/** A base URL with a path, which no request may leave. */
const prefix = '/shop/gateway';
const securityKey = 'security-key-fuzz-0001';

type Options = Readonly<Record<string, unknown>>;

/** Creates a client with untyped options. */
function clientWith(options: Options = {}): PaymentsClient {
  const untyped: PaymentsClientOptions = {
    baseUrl: `${server?.url}${prefix}/`,
    secretKey,
    securityKey,
    maxRetries: 0,
    validation: 'off',
    ...options,
  };
  return new PaymentsClient(untyped);
}

/** Calls a method with untyped arguments. */
async function call(method: (...args: never[]) => unknown, holder: object, ...args: readonly unknown[]) {
  const result: unknown = Reflect.apply(method, holder, args);
  return result;
}

/** A parameter that accepts a value. The sent value is read back from the request. */
interface Parameter {
  readonly send: (value: unknown, more: Options) => Promise<unknown>;
  readonly readBack?: (arrival: Arrival) => string | undefined;
  /** The expected form of a text that the transport changes. */
  readonly becomes?: (text: string) => string;
}

const key = { operationId: 'order-1' };
const queryOf = ({ url }: Arrival) => new URL(url, 'http://localhost').searchParams;
const headerOf = (name: string) => (arrival: Arrival) =>
  arrival.headers.find(([given]) => given === name)?.[1];
const lastSegment = ({ url }: Arrival) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));

/** Returns an object with a field of this name. */
function named(name: unknown, content: unknown): Options {
  return typeof name === 'string' ? { [name]: content } : {};
}

function bodyField(...path: readonly string[]) {
  return ({ body }: Arrival): string | undefined => {
    let value: unknown = JSON.parse(body);
    for (const part of path) value = Object(value)[part];
    return typeof value === 'string' ? value : undefined;
  };
}

const pathnameOf = (url: string) => new URL(url, 'http://localhost').pathname;

const formField = (name: string) => (arrival: Arrival) =>
  new URLSearchParams(arrival.body).get(name) ?? undefined;

function request(description: unknown, more: Options): Promise<unknown> {
  const payments = clientWith(more);
  return call(payments.request, payments, description, key);
}

function retrieve(id: unknown, more: Options, ...options: readonly unknown[]): Promise<unknown> {
  const { refunds } = clientWith(more);
  return call(refunds.retrieve, refunds, id, ...options);
}

function refund(params: unknown, options: unknown, more: Options): Promise<unknown> {
  const { refunds } = clientWith(more);
  return call(refunds.create, refunds, params, options);
}

function customer(params: unknown, more: Options): Promise<unknown> {
  const { customers } = clientWith(more);
  return call(customers.create, customers, params, key);
}

function list(params: unknown, more: Options): Promise<unknown> {
  const { products } = clientWith(more);
  return call(products.list, products, params);
}

function sale(params: unknown, more: Options): Promise<unknown> {
  const { transact } = clientWith(more);
  return call(transact.sale, transact, params);
}

/** A header has no spaces at its ends. */
const withoutBlanks = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '');

/** Every parameter that may contain text of the program's user. */
const textPlaces: Readonly<Record<string, Parameter>> = {
  'an id': { send: (id, more) => retrieve(id, { ...more, validation: 'off' }), readBack: lastSegment },
  'a validated id': { send: (id, more) => retrieve(id, more), readBack: lastSegment },
  'a cursor': {
    send: (starting_after, more) => list({ starting_after }, more),
    readBack: (arrival) => queryOf(arrival).get('starting_after') ?? undefined,
  },
  'a query value': {
    send: (a, more) => request({ method: 'GET', path: '/v1/x', query: { a } }, more),
    readBack: (arrival) => queryOf(arrival).get('a') ?? undefined,
  },
  'a query name': {
    send: (name, more) => request({ method: 'GET', path: '/v1/x', query: named(name, 'a') }, more),
    readBack: (arrival) => [...queryOf(arrival).keys()][0],
  },
  'a path': {
    send: (path, more) => request({ method: 'GET', path }, more),
    // In a path, a URL escapes a few characters without changing their meaning.
    readBack: ({ url }) => pathnameOf(url),
    becomes: (path) => pathnameOf(prefix + path),
  },
  'a method': { send: (method, more) => request({ method, path: '/v1/x' }, more) },
  'a client header': {
    send: (value, more) => retrieve('rf_1', { ...more, headers: { 'x-order': value } }),
    readBack: headerOf('x-order'),
    becomes: withoutBlanks,
  },
  'a header name': { send: (name, more) => retrieve('rf_1', { ...more, headers: named(name, 'fuzz') }) },
  'a header of a call': {
    send: (value, more) => retrieve('rf_1', more, { headers: { 'x-order': value } }),
    readBack: headerOf('x-order'),
    becomes: withoutBlanks,
  },
  'an operation id': { send: (operationId, more) => refund(refundParams, { operationId }, more) },
  'an idempotency key': {
    send: (idempotencyKey, more) => refund(refundParams, { idempotencyKey }, more),
    readBack: headerOf('idempotency-key'),
  },
  'a parameter': {
    send: (reason, more) => refund({ ...refundParams, reason }, key, more),
    readBack: bodyField('reason'),
  },
  metadata: {
    send: (order, more) => customer({ metadata: { order } }, { ...more, validation: 'throw' }),
    readBack: bodyField('metadata', 'order'),
  },
  'a metadata name': {
    send: (name, more) => customer({ metadata: named(name, 'x') }, { ...more, validation: 'throw' }),
  },
  'the secret key': {
    send: (secret, more) => retrieve('rf_1', { ...more, secretKey: secret }),
    readBack: (arrival) => headerOf('authorization')(arrival)?.slice('Bearer '.length),
  },
  'the result of a secret key function': {
    send: (secret, more) => retrieve('rf_1', { ...more, secretKey: () => secret }),
    readBack: (arrival) => headerOf('authorization')(arrival)?.slice('Bearer '.length),
  },
  'a route': { send: (route, more) => retrieve('rf_1', { ...more, routes: { 'refunds.retrieve': route } }) },
  'a route name': {
    send: (name, more) => retrieve('rf_1', { ...more, routes: named(name, 'GET /v1/refunds/{id}') }),
  },
  'the items field': { send: (itemsField, more) => retrieve('rf_1', { ...more, itemsField }) },
  'a form field': {
    send: (orderid, more) => sale({ ...saleParams, orderid }, more),
    readBack: formField('orderid'),
  },
  'a form field name': { send: (name, more) => sale({ ...saleParams, ...named(name, 'x') }, more) },
  'the security key': {
    send: (security, more) => sale(saleParams, { ...more, securityKey: security }),
    readBack: formField('security_key'),
  },
};

/** Every parameter that accepts an object or an array. */
const objectPlaces: Readonly<Record<string, Parameter>> = {
  'the options of the client': { send: async (options) => Reflect.construct(PaymentsClient, [options]) },
  'the options of Transact': { send: async (options) => Reflect.construct(Transact, [options]) },
  'the options of Webhooks': { send: async (options) => Reflect.construct(Webhooks, [options]) },
  'the secrets of Webhooks': { send: async (secrets) => Reflect.construct(Webhooks, [{ secrets }]) },
  'an option of the client': {
    send: async (options, more) => clientWith({ ...more, timeout: options, hooks: options, logger: options }),
  },
  'the headers of the client': { send: (headers, more) => retrieve('rf_1', { ...more, headers }) },
  'the routes': { send: (routes, more) => retrieve('rf_1', { ...more, routes }) },
  'the options of a call': { send: (options, more) => retrieve('rf_1', more, options) },
  'the headers of a call': { send: (headers, more) => retrieve('rf_1', more, { headers }) },
  'the signal of a call': { send: (signal, more) => retrieve('rf_1', more, { signal }) },
  'the options of a call that moves money': { send: (options, more) => refund(refundParams, options, more) },
  'the parameters of a call': { send: (params, more) => refund(params, key, more) },
  'the parameters of a validated call': {
    send: (params, more) => refund(params, key, { ...more, validation: 'throw' }),
  },
  'the parameters of a list': { send: list },
  'a raw request': { send: request },
  'the body of a raw request': {
    send: (body, more) => request({ method: 'POST', path: '/v1/x', body }, more),
  },
  'the query of a raw request': {
    send: (query, more) => request({ method: 'GET', path: '/v1/x', query }, more),
  },
  'the fields of a form': { send: sale },
  'the maximum of toArray': {
    send: async (options, more) => {
      const products = clientWith(more).products.list();
      // The first page is requested before the maximum is validated.
      await products;
      arrivals = [];
      return call(products.toArray, products, options);
    },
  },
  'the options of waitFor': {
    send: (options, more) => {
      const { refunds } = clientWith(more);
      return call(refunds.waitFor, refunds, 'rf_1', options);
    },
  },
};

/** The headers that may be sent in addition to the requested ones. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
]);

/** Checks that a request went to the right URL, without an unrequested header. */
function expectSafe({ url, headers }: Arrival, asked: readonly string[]): void {
  expect(new URL(url, 'http://localhost').pathname.startsWith(`${prefix}/`), url).toBe(true);
  expect(new URL(url, 'http://localhost').origin).toBe('http://localhost');
  expect(url).toMatch(/^[!-~]+$/);
  const foreign = headers.filter(([name]) => !ownHeaders.has(name) && !asked.includes(name));
  expect(foreign).toEqual([]);
  for (const [, value] of headers) expect(value).not.toMatch(/[\r\n\0]/);
}

/** Checks that an error is a refusal before sending, and contains no secret. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof ConfigurationError || error instanceof InvalidRequestError)) throw error;
  expect(error.outcome).toBe('not_executed');
  expect(error.issues.length).toBeGreaterThan(0);
  expect(error.message).not.toMatch(controlCharacter);
  for (const secret of [secretKey, securityKey]) expect(error.message).not.toContain(secret);
  expect(arrivals).toEqual([]);
}

async function checkPlace(
  { send, readBack, becomes = String }: Parameter,
  value: unknown,
  more: Options,
): Promise<string> {
  arrivals = [];
  try {
    await send(value, more);
  } catch (error) {
    // The response does not match every kind of object, but the request was sent.
    if (!(error instanceof ResponseValidationError)) {
      expectRefusal(error);
      return 'refused';
    }
  }
  const [arrival] = arrivals;
  if (arrival === undefined) return 'nothing to send';
  expect(arrivals).toHaveLength(1);
  expectSafe(
    arrival,
    typeof value === 'string' ? ['x-order', value.toLowerCase()] : ['x-order', ...headerNames(value)],
  );
  if (readBack !== undefined && typeof value === 'string') expect(readBack(arrival)).toBe(becomes(value));
  return 'sent';
}

/** Returns the header names that a value may set, at any depth. */
function headerNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value).toLowerCase()];
  return Reflect.ownKeys(value).flatMap((name) => [
    String(name).toLowerCase(),
    ...headerNames(Reflect.get(value, name)),
  ]);
}

/** Both transports on Node. */
const transports: readonly Options[] = [{}, { fetch: (outgoing: Request) => fetch(outgoing) }];

/** Both transports, or in the short form one for each case. */
function transportsFor(text: string): readonly Options[] {
  return size === 'long' ? transports : transports.slice(crc32(text) % 2).slice(0, 1);
}

describe('a text in any parameter', () => {
  it(`is refused or sent unchanged (seed ${seed})`, async () => {
    const endings = new Map<string, Set<string>>();
    await runCampaign({
      parser: 'texts',
      vocabulary: [
        '/',
        '..',
        '.',
        '%2e',
        '\\',
        '?',
        '#',
        '{id}',
        'GET ',
        '/v1',
        ':',
        '@',
        '\r',
        '\n',
        ' ',
        'x',
        'é',
        'rf_',
      ],
      caseCount: 25,
      check: async (bytes) => {
        const text = bytes.toString('utf8');
        for (const [name, place] of everyNth(Object.entries(textPlaces), 6, crc32(text))) {
          for (const more of transportsFor(name + text)) {
            const ending = await checkPlace(place, text, more).catch((cause: unknown) => {
              throw new Error(`as ${name}, ${'fetch' in more ? 'fetch' : 'node:http'}: ${cause}`, { cause });
            });
            endings.set(name, (endings.get(name) ?? new Set()).add(ending));
          }
        }
        return 'tried';
      },
    });
    // The short form tries too few texts in each parameter.
    if (size === 'short') return;
    // A parameter that refuses every text would prove nothing.
    for (const [name, seen] of endings) {
      expect([...seen], name).toContain(['a method', 'a route name'].includes(name) ? 'refused' : 'sent');
    }
  });

  it(`as base URL leads to its own host, or is refused (seed ${seed})`, async () => {
    await runCampaign({
      parser: 'texts',
      vocabulary: [
        'https://',
        'http://',
        'shop.example',
        '127.0.0.1',
        '[::1]',
        ':',
        '/',
        '..',
        '@',
        '\\',
        '?',
        '#',
        '%2e',
        ' ',
      ],
      caseCount: 400,
      check: async (bytes) => {
        const text = bytes.toString('utf8');
        const urls: string[] = [];
        const capture = async (outgoing: Request) => {
          urls.push(outgoing.url);
          return new Response(answer);
        };
        arrivals = [];
        try {
          await retrieve('rf_1', { baseUrl: text, fetch: capture });
        } catch (error) {
          expectRefusal(error);
          expect(urls).toEqual([]);
          return 'refused';
        }
        const base = new URL(text);
        expect(urls).toEqual([`${base.origin}${base.pathname.replace(/\/+$/, '')}/v1/refunds/rf_1`]);
        return 'sent';
      },
    });
  });
});

describe('any value in any parameter', () => {
  const anything = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
    fc.constantFrom(
      null,
      undefined,
      Number.NaN,
      -0,
      1e308,
      10n,
      Symbol('x'),
      () => 'x',
      new Date(0),
      new Map(),
      [],
      {},
    ),
  );

  it.each(Object.entries({ ...textPlaces, ...objectPlaces }))(
    `is refused or harmless as %s (seed ${seed})`,
    async (_name, place) => {
      await fc.assert(
        fc.asyncProperty(anything, fc.constantFrom(...transports), async (value, more) => {
          await checkPlace({ send: place.send }, value, more);
        }),
        property(25),
      );
    },
  );
});
