/**
 * Buyer data that a merchant passes on (ids, names, notes, headers) reaches the service as data only. It adds no header,
 * parameter or field, and reaches no other path. What cannot be sent safely is refused before sending.
 */

import {
  ConfigurationError,
  deriveIdempotencyKey,
  InvalidRequestError,
  type Outcome,
  PaymentsClient,
  PaymentsError,
} from 'payments-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { type RunningServer, serve } from '../support/serve.ts';
import { clientOf, transports } from '../support/transports.ts';
import { controlCharacters } from './control-characters.ts';

/** A received request. */
interface Arrival {
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const arrivals: Arrival[] = [];
let service: RunningServer;

/** Names in lower case. A name that came twice has both values. */
function headersOf(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    headers.set(name.toLowerCase(), [headers.get(name.toLowerCase()), value].filter(Boolean).join(' and '));
  }
  return headers;
}

/** A service that approves everything and records its requests. */
beforeAll(async () => {
  service = await serve(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: target = '', rawHeaders } = request;
    arrivals.push({ target, headers: headersOf(rawHeaders), body: Buffer.concat(chunks).toString('utf8') });
    const isForm = target === '/api/transact.php';
    response.end(isForm ? 'response=1' : JSON.stringify({ ...paymentIntent, data: [], has_more: false }));
  });
});
afterAll(() => service.close());
afterEach(() => {
  arrivals.length = 0;
});

/** The only request that came. */
function arrival(): Arrival {
  expect(arrivals).toHaveLength(1);
  return arrivals[0] ?? expect.fail('nothing came');
}

const by = { operationId: 'order-1' };

const lineBreaks = [
  'a\r\nx-injected: 1',
  'a\nx-injected: 1',
  'a\rx-injected: 1',
  'a\r\n',
  '\r\na',
  'a\r\n\r\n{}',
  'a\r\n b',
];
const others = [
  ['a\u0000b', '\u0000', 'a\u0001', 'a\u000bb', 'a\u001b[2J', 'a\u007f', 'a\u0130', '\ud800'],
  ['\u010d\u010ax-injected: 1'],
].flat();

const ids = [
  ['..', '.', '../refunds/rf_1', '..\\..\\x', '%2e%2e', '%2e%2e%2fx', '.%2e', '%2f', '%5c', '/', '?a=1'],
  ['#x', ';x=1', 'a b', 'a\r\nx-injected: 1', 'a\u0000', '．．', '／', '．．／x', '\u2215'],
  ['//evil.test/x', '\\\\evil.test', '@evil.test', 'http://evil.test/'],
].flat();

const unsafePaths = [
  ['//evil.test/v1', '/\\evil.test/v1', '\\\\evil.test', 'https://evil.test/v1', 'evil.test'],
  ['@evil.test/', '', 'v1/x', '/v1/../x', '/..', '/v1/..', '/v1/./x', '/v1/%2e%2e/x', '/v1/.%2E/x'],
  ['/v1/%2E./x', '/v1/%2e/x', '/v1/..\\x', '/v1/x?a=1', '/v1/x#a', '/v1/a b'],
  ['/v1/a\r\nx-injected: 1', '/v1/a\u0000', '/v1/a\u007f', '/v1/\t', '/v1/é', '/v1/．．/x', '/v1／x'],
  ['/v1/\u0085', '/v1/\ud800', '/v1/\u202e', '/v1/x HTTP/1.1\r\nhost: evil.test'],
].flat();

type ErrorClass = abstract new (...args: never[]) => PaymentsError;

interface Attack {
  readonly what: string;
  readonly values: readonly unknown[];
  readonly call: (payments: PaymentsClient, value: never) => PromiseLike<unknown>;
  /** Default: an `InvalidRequestError`. */
  readonly error?: ErrorClass;
  readonly issue?: object;
  /** Default: `not_executed`. */
  readonly outcome?: Outcome;
}

const attacks: readonly Attack[] = [
  {
    what: 'the value of a header',
    values: [...lineBreaks, ...others],
    call: (p, value) => p.paymentIntents.create(intentParams, { ...by, headers: { 'x-note': value } }),
    issue: { path: "options.headers['x-note']" },
  },
  {
    what: 'the name of a header',
    values: ['', 'a b', 'a:', 'a\r\nx-injected', 'ä', 'a\u0000', '\u010d\u010a', '(a)'],
    call: (p, name) => p.refunds.retrieve('rf_1', { headers: { [name]: 'x' } }),
    outcome: 'not_an_operation',
  },
  {
    what: 'a header that the SDK sets itself',
    values: [
      ['authorization', 'Authorization', 'Idempotency-Key', 'content-type', 'Content-Length', 'HOST'],
      ['Transfer-Encoding'],
    ].flat(),
    call: (p, name) => p.refunds.retrieve('rf_1', { headers: { [name]: 'x' } }),
    outcome: 'not_an_operation',
    issue: { received: 'a header that the SDK sets itself' },
  },
  {
    what: 'an idempotency key',
    values: [...lineBreaks, ...others, 'é', ' a', 'a ', '', 'a'.repeat(256)],
    call: (p, idempotencyKey) => p.paymentIntents.create(intentParams, { idempotencyKey }),
    issue: { path: 'options.idempotencyKey' },
  },
  {
    what: 'a secret key from a function',
    values: [...lineBreaks, ...others, 'a b', 'é'],
    call: (_, key) => clientOf(service.url, { secretKey: async () => key }).refunds.retrieve('rf_1'),
    outcome: 'not_an_operation',
    error: ConfigurationError,
    issue: { path: 'secretKey' },
  },
  {
    what: 'a security key from a function',
    values: [...lineBreaks, ...others, 'a b', 'é'],
    call: (_, key) => clientOf(service.url, { securityKey: () => key }).transact.sale(saleParams),
    error: ConfigurationError,
    issue: { path: 'securityKey' },
  },
  {
    what: 'an id',
    values: ['', '.', '..', '\ud800', 'a\udfff', 1, null, {}, ['pi_1'], { toString: () => '../x' }],
    call: (p, id) => p.paymentIntents.retrieve(id),
    outcome: 'not_an_operation',
    issue: { path: 'id' },
  },
  {
    what: 'the path of a read',
    values: unsafePaths,
    call: (p, path) => p.request({ method: 'GET', path }),
    outcome: 'not_an_operation',
    issue: { path: 'path' },
  },
  {
    what: 'the path of a write',
    values: unsafePaths,
    call: (p, path) => p.request({ method: 'POST', path, body: {} }, by),
    issue: { path: 'path' },
  },
  {
    what: 'the method of a request',
    values: [
      'TRACE',
      'CONNECT',
      'get',
      'GET /x HTTP/1.1\r\nhost: evil.test',
      'GET\r\n',
      '',
      undefined,
      '__proto__',
    ],
    call: (p, method) => p.request({ method, path: '/v1/x' }),
    outcome: 'not_an_operation',
    issue: { path: 'method' },
  },
];

it.each(attacks)(
  '$what is refused before sending',
  async ({ values, call, issue = {}, outcome = 'not_executed', ...rest }) => {
    for (const value of values) {
      const error = await failureOf(
        (async () => call(clientOf(service.url), anything(value)))(),
        rest.error ?? InvalidRequestError,
      );
      const seen = JSON.stringify(value);
      expect(error, seen).toMatchObject({ outcome, issues: [issue] });
      expect(error.message, seen).not.toMatch(controlCharacters);
    }
    expect(arrivals).toEqual([]);
  },
);

it.each<[what: string, values: readonly string[], options: (value: string) => object]>([
  ['the value of a header', [...lineBreaks, ...others], (value) => ({ headers: { 'x-note': value } })],
  ['the path of a route', unsafePaths, (path) => ({ routes: { 'refunds.create': `POST ${path}` } })],
  ['a secret key', [...lineBreaks, ...others, 'a b', 'é'], (secretKey) => ({ secretKey })],
  ['a security key', [...lineBreaks, ...others, 'a b', 'é'], (securityKey) => ({ securityKey })],
])('%s is refused when the client is made', (_what, values, options) => {
  for (const value of values)
    expect(() => clientOf(service.url, options(value)), value).toThrow(ConfigurationError);
});

describe.each(transports)('over %s', (_name, transport) => {
  it.each(['constructor', 'toString', 'x-a'])('a header named %s is sent like any other', async (name) => {
    await clientOf(service.url, transport).refunds.list({}, { headers: { [name]: ' a\tb\xe9 ' } });
    expect(arrival().headers.get(name.toLowerCase())).toBe('a\tb\xe9');
  });

  it('a header that the runtime refuses makes the outcome not_executed', async () => {
    const headers = { 'keep-alive': 'x', expect: 'x', upgrade: 'x' };
    const sale = clientOf(service.url, transport).transact.sale(saleParams, { headers });
    const error: unknown = await sale.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (arrivals.length === 0) expect(error).toMatchObject({ outcome: 'not_executed' });
    else expect(arrivals).toHaveLength(1);
  });

  it.each(ids.filter((id) => id !== '.' && id !== '..'))(
    'the id %j is one segment of the path',
    async (id) => {
      await clientOf(service.url, transport).paymentIntents.retrieve(id);
      const segments = arrival().target.split('/').slice(1).map(decodeURIComponent);
      expect(segments).toEqual(['v1', 'payment_intents', id]);
    },
  );

  it.each("/v1/a%2Fb /v1/a%20b /v1/..x /v1/x.. /v1/..;/x /v1//x /v1/a@b:c,d;e=f&g+h!i*j'k(l)~".split(' '))(
    'the path %s is sent unchanged',
    async (path) => {
      await clientOf(service.url, transport).request({ method: 'GET', path });
      expect(arrival().target).toBe(path);
    },
  );

  it('a value of a query stays one parameter', async () => {
    for (const value of [
      ['a&limit=100', 'a#b', 'a?b', 'a%26b', 'a+b c', 'a=b', 'a;b', 'a\r\nx-injected: 1', 'a\u0000'],
      ['é／．．', '[]', '../..'],
    ].flat()) {
      const payments = clientOf(service.url, transport);
      await payments.request({ method: 'GET', path: '/v1/x', query: { q: value, [value]: 'n' } });
      await payments.products.list({ starting_after: value });
      const sent = arrivals.splice(0).map(({ target }) => [...new URL(target, service.url).searchParams]);
      expect(sent).toEqual([
        [
          ['q', value],
          [value, 'n'],
        ],
        [['starting_after', value]],
      ]);
    }
  });
});

it.each([...lineBreaks, ...others, 'é', 'a:b', '../..'])(
  'the idempotency key of the operation %j is one line of plain characters',
  async (operationId) => {
    await clientOf(service.url).paymentIntents.create(intentParams, { operationId });
    const { headers } = arrival();
    const key = headers.get('idempotency-key');
    expect(key).toBe(deriveIdempotencyKey('paymentIntents.create', operationId));
    expect(key).toMatch(/^pc1h?:[\w.:~-]{1,250}$/);
    expect(headers.has('x-injected')).toBe(false);
  },
);

/** The fields of a form, decoded by the standard. */
async function formOf({ headers, body }: Arrival): Promise<[string, unknown][]> {
  const type = headers.get('content-type') ?? '';
  return [...(await new Response(body, { headers: { 'content-type': type } }).formData())];
}

const fields = [
  ['x&response=1', 'x&amount=0.01', 'x%26amount=0.01', 'x+y', 'x=y', 'x;y', 'x\u0000y', 'é．．', '--'],
  ['------', '"; name="amount', '\r\n--', '--boundary-'],
  ['Content-Disposition: form-data; name="amount"'],
].flat();

describe.each(['urlencoded', 'multipart'] as const)('a field of a form in %s', (formEncoding) => {
  it.each(fields)('stays one field with %j as its value', async (address1) => {
    const params = { type: 'sale', ...saleParams, address1 };
    await clientOf(service.url, { formEncoding }).transact.submit(params);
    const form = await formOf(arrival());
    expect(form.sort()).toEqual(Object.entries({ security_key: 'security-key-faults', ...params }).sort());
  });

  it('is refused with any of these in its name', async () => {
    const { transact } = clientOf(service.url, { formEncoding, validation: 'off' });
    for (const text of fields.filter((text) => /[^\w-]/.test(text))) {
      const sale = transact.submit({ type: 'sale', ...saleParams, [`x${text}`]: 'n' });
      await failureOf(sale, InvalidRequestError);
    }
    expect(arrivals).toEqual([]);
  });
});

describe('the boundary of a multipart form', () => {
  const boundaryOf = ({ headers }: Arrival) => /boundary=(.+)$/.exec(headers.get('content-type') ?? '')?.[1];

  it('differs for each form, and does not depend on Math.random', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { transact } = clientOf(service.url, { formEncoding: 'multipart' });
    for (let time = 0; time < 20; time += 1) await transact.sale(saleParams);
    const boundaries = new Set(arrivals.map(boundaryOf));
    expect(boundaries.size).toBe(20);
    for (const boundary of boundaries) expect(boundary).toMatch(/^[\w-]{30,70}$/);
  });

  it('of an earlier form cannot end a field of a later one', async () => {
    const { transact } = clientOf(service.url, { formEncoding: 'multipart' });
    await transact.sale(saleParams);
    const [first] = arrivals.splice(0).map(boundaryOf);
    const part = 'Content-Disposition: form-data; name="amount"\r\n\r\n0.01\r\n';
    const address1 = `x\r\n--${first}\r\n${part}--${first}--`;
    await transact.sale({ ...saleParams, address1 });
    const form = await formOf(arrival());
    expect(form.filter(([name]) => name === 'amount')).toEqual([['amount', '12.00']]);
    expect(form).toContainEqual(['address1', address1]);
  });
});

describe('names of prototypes', () => {
  const poison = '{"__proto__":{"polluted":true,"amount":1},"constructor":{"prototype":{"polluted":true}}}';

  afterEach(() => {
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('in parameters are sent as names, or refused', async () => {
    const payments = clientOf(service.url);
    const write = { method: 'POST', path: '/v1/x' } as const;
    const { constructor } = JSON.parse(poison);
    await payments.request({ ...write, body: { b: 1, a: { constructor } } }, by);
    expect(arrival().body).toBe('{"a":{"constructor":{"prototype":{"polluted":true}}},"b":1}');
    await failureOf(payments.request({ ...write, body: JSON.parse(poison) }, by), InvalidRequestError);
    const wrong = JSON.parse('{"__proto__":{"amount":1,"currency":"usd"}}');
    await failureOf(payments.paymentIntents.create(wrong, by), InvalidRequestError);
    expect(arrivals).toHaveLength(1);
  });

  it('in metadata and in forms are sent as names', async () => {
    const payments = clientOf(service.url);
    const metadata = JSON.parse('{"constructor":"b"}');
    await payments.paymentIntents.create({ ...intentParams, metadata }, by);
    await payments.transact.submit(
      JSON.parse('{"type":"sale","payment_token":"t","amount":"1.00","constructor":"x"}'),
    );
    const [first, second] = arrivals.map(({ body }) => body);
    expect(first).toContain('"metadata":{"constructor":"b"}');
    expect(second).toContain('constructor=x');
  });

  it.each(['headers', 'hooks', 'logger', 'routes'])('in the option %s change nothing', async (where) => {
    const options = { baseUrl: service.url, secretKey: 'sk_v1_test_x' };
    const outcome: unknown = await (async () =>
      new PaymentsClient({ ...options, ...JSON.parse(`{"${where}":${poison}}`) }).refunds.list())().catch(
      (error: unknown) => error,
    );
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PaymentsError);
  });
});
