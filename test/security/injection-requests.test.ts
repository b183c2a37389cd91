/**
 * Buyer data that a merchant passes on (ids, names, notes, headers) reaches the service as data only. It adds no header,
 * parameter or field, and reaches no other path. What cannot be sent safely is refused before sending.
 */

import {
  ConfigurationError,
  deriveIdempotencyKey,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
} from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, paymentIntent, saleParams } from '../support/fixtures.ts';
import { serve } from '../support/serve.ts';
import { clientOf, transports } from '../support/transports.ts';

/** A received request. */
interface Arrival {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Starts a service that approves everything and records its requests. */
async function startService() {
  const arrivals: Arrival[] = [];
  const { url, close } = await serve(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    arrivals.push({ method: request.method, target: request.url, headers: request.rawHeaders, body });
    const isForm = request.url === '/api/transact.php';
    response.end(isForm ? 'response=1' : JSON.stringify({ ...paymentIntent, data: [], has_more: false }));
  });
  onTestFinished(close);
  return { url, arrivals };
}

const by = { operationId: 'order-1' };
const namesOf = (headers: readonly string[]) =>
  headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());

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
  'a\u0000b',
  '\u0000',
  'a\u0001',
  'a\u000bb',
  'a\u001b[2J',
  'a\u007f',
  'a\u0130',
  '\u010d\u010ax-injected: 1',
  '\ud800',
];

describe.each(transports)('over %s, a header', (_name, transport) => {
  it.each([...lineBreaks, ...others])('with the value %j is refused before sending', async (value) => {
    const { url, arrivals } = await startService();
    const call = clientOf(url, transport).paymentIntents.create(intentParams, {
      ...by,
      headers: { 'x-note': value },
    });
    const error = await failureOf(call, InvalidRequestError);
    expect(error).toMatchObject({
      outcome: 'not_executed',
      issues: [{ path: "options.headers['x-note']" }],
    });
    expect(error.message).not.toContain(value);
    expect(() => clientOf(url, { ...transport, headers: { 'x-note': value } })).toThrow(ConfigurationError);
    expect(arrivals).toEqual([]);
  });

  it.each(['', 'a b', 'a:', 'a\r\nx-injected', 'ä', 'a\u0000', '\u010d\u010a', '(a)'])(
    'with the name %j is refused before sending',
    async (name) => {
      const { url, arrivals } = await startService();
      const call = clientOf(url, transport).refunds.retrieve('rf_1', { headers: { [name]: 'x' } });
      const error = await failureOf(call, InvalidRequestError);
      expect(error.message).not.toMatch(/[\r\n\0]/);
      expect(arrivals).toEqual([]);
    },
  );

  it.each([
    'authorization',
    'Authorization',
    'Idempotency-Key',
    'content-type',
    'Content-Length',
    'HOST',
    'Transfer-Encoding',
  ])('that the SDK sets itself (%s) is refused', async (name) => {
    const { url, arrivals } = await startService();
    const call = clientOf(url, transport).refunds.retrieve('rf_1', { headers: { [name]: 'x' } });
    const error = await failureOf(call, InvalidRequestError);
    expect(error.issues[0]?.received).toBe('a header that the SDK sets itself');
    expect(arrivals).toEqual([]);
  });

  it.each(['constructor', 'toString', 'x-a'])('named %s is sent like any other', async (name) => {
    const { url, arrivals } = await startService();
    await clientOf(url, transport).paymentIntents.retrieve('pi_1', { headers: { [name]: ' a\tb\xe9 ' } });
    const headers = arrivals[0]?.headers ?? [];
    expect(headers[namesOf(headers).indexOf(name.toLowerCase()) * 2 + 1]).toBe('a\tb\xe9');
  });

  it('that the runtime refuses makes the outcome not_executed', async () => {
    const { url, arrivals } = await startService();
    const headers = { 'keep-alive': 'x', expect: 'x', upgrade: 'x' };
    const call = clientOf(url, transport).transact.sale(saleParams, { headers });
    const error = await Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (arrivals.length === 0) expect(error).toMatchObject({ outcome: 'not_executed' });
    else expect(arrivals).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  it.each([...lineBreaks, ...others, 'é', ' a', 'a ', '', 'a'.repeat(256)])(
    '%j is refused before sending',
    async (idempotencyKey) => {
      const { url, arrivals } = await startService();
      const call = clientOf(url).paymentIntents.create(intentParams, { idempotencyKey });
      const error = await failureOf(call, InvalidRequestError);
      expect(error.outcome).toBe('not_executed');
      expect(arrivals).toEqual([]);
    },
  );

  it.each([...lineBreaks, ...others, 'é', 'a:b', '../..'])(
    'of the operation %j is one line of plain characters',
    async (operationId) => {
      const { url, arrivals } = await startService();
      await clientOf(url).paymentIntents.create(intentParams, { operationId });
      const headers = arrivals[0]?.headers ?? [];
      const key = headers[namesOf(headers).indexOf('idempotency-key') * 2 + 1];
      expect(key).toBe(deriveIdempotencyKey('paymentIntents.create', operationId));
      expect(key).toMatch(/^pc1h?:[\w.:~-]{1,250}$/);
      expect(namesOf(headers)).not.toContain('x-injected');
    },
  );
});

describe('an API key', () => {
  it.each([...lineBreaks, ...others, 'a b', 'é'])('%j is refused before sending', async (key) => {
    const { url, arrivals } = await startService();
    for (const name of ['secretKey', 'securityKey']) {
      expect(() => clientOf(url, { [name]: key })).toThrow(ConfigurationError);
      const payments = clientOf(url, { [name]: async () => key });
      const call =
        name === 'secretKey' ? payments.refunds.retrieve('rf_1') : payments.transact.sale(saleParams);
      const error = await failureOf(call, ConfigurationError);
      expect(error.message).not.toContain(key);
    }
    expect(arrivals).toEqual([]);
  });
});

const ids = [
  '..',
  '.',
  '../refunds/rf_1',
  '..\\..\\x',
  '%2e%2e',
  '%2e%2e%2fx',
  '.%2e',
  '%2f',
  '%5c',
  '//evil.test/x',
  '\\\\evil.test',
  '/',
  '?a=1',
  '#x',
  ';x=1',
  'a b',
  'a\r\nx-injected: 1',
  'a\u0000',
  '．．',
  '／',
  '．．／x',
  '\u2215',
  '@evil.test',
  'http://evil.test/',
];

/** The path after every intermediary has decoded it any number of times. */
function decodedOnce(target = ''): string[] {
  return target.split('/').slice(1).map(decodeURIComponent);
}

describe.each(transports)('over %s, an id', (_name, transport) => {
  it.each(ids)('%j becomes one path segment, or is refused', async (id) => {
    const { url, arrivals } = await startService();
    const call = clientOf(url, transport).paymentIntents.retrieve(id);
    const error = await Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) {
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(arrivals).toEqual([]);
    } else expect(decodedOnce(arrivals[0]?.target)).toEqual(['v1', 'payment_intents', id]);
    expect(error === undefined).toBe(id !== '.' && id !== '..');
  });

  it.each(['', '\ud800', 'a\udfff', 1, null, {}, ['pi_1'], { toString: () => '../x' }])(
    '%j is refused',
    async (id) => {
      const { url, arrivals } = await startService();
      const error = await failureOf(
        clientOf(url, transport).paymentIntents.retrieve(id as never),
        InvalidRequestError,
      );
      expect(error.outcome).toBe('not_executed');
      expect(arrivals).toEqual([]);
    },
  );
});

const unsafePaths = [
  '//evil.test/v1',
  '/\\evil.test/v1',
  '\\\\evil.test',
  'https://evil.test/v1',
  'evil.test',
  '',
  'v1/x',
  '@evil.test/',
  '/v1/../x',
  '/..',
  '/v1/..',
  '/v1/./x',
  '/v1/%2e%2e/x',
  '/v1/.%2E/x',
  '/v1/%2E./x',
  '/v1/%2e/x',
  '/v1/..\\x',
  '/v1/x?a=1',
  '/v1/x#a',
  '/v1/a b',
  '/v1/a\r\nx-injected: 1',
  '/v1/a\u0000',
  '/v1/a\u007f',
  '/v1/\t',
  '/v1/é',
  '/v1/．．/x',
  '/v1／x',
  '/v1/\u0085',
  '/v1/\ud800',
  '/v1/\u202e',
  '/v1/x HTTP/1.1\r\nhost: evil.test',
];

describe.each(transports)('over %s, a path', (_name, transport) => {
  it.each(unsafePaths)('%j of `request` is refused before sending', async (path) => {
    const { url, arrivals } = await startService();
    const payments = clientOf(url, transport);
    const read = await failureOf(payments.request({ method: 'GET', path }), InvalidRequestError);
    expect(read).toMatchObject({ issues: [{ path: 'path' }] });
    const call = payments.request({ method: 'POST', path, body: {} }, by);
    expect(await failureOf(call, InvalidRequestError)).toMatchObject({ outcome: 'not_executed' });
    expect(arrivals).toEqual([]);
  });

  it.each(unsafePaths)('%j of a route is refused before sending', (path) => {
    const options: object = { ...transport, routes: { 'refunds.create': `POST ${path}` } };
    expect(() => clientOf('http://127.0.0.1', options)).toThrow(ConfigurationError);
  });

  it.each([
    '/v1/a%2Fb',
    '/v1/a%20b',
    '/v1/..x',
    '/v1/x..',
    '/v1/..;/x',
    "/v1/a@b:c,d;e=f&g+h!i*j'k(l)~",
    '/v1//x',
  ])('%s is sent unchanged', async (path) => {
    const { url, arrivals } = await startService();
    await clientOf(url, transport).request({ method: 'GET', path });
    expect(arrivals[0]?.target).toBe(path);
  });
});

it.each([
  'TRACE',
  'CONNECT',
  'get',
  'GET /x HTTP/1.1\r\nhost: evil.test',
  'GET\r\n',
  '',
  undefined,
  '__proto__',
])('the method %j of `request` is refused before sending', async (method) => {
  const { url, arrivals } = await startService();
  const call = clientOf(url).request({ method: method as never, path: '/v1/x' });
  await failureOf(call, InvalidRequestError);
  expect(arrivals).toEqual([]);
});

const values = [
  'a&limit=100',
  'a#b',
  'a?b',
  'a%26b',
  'a+b c',
  'a=b',
  'a;b',
  'a\r\nx-injected: 1',
  'a\u0000',
  'é／．．',
  '[]',
  '../..',
];

describe.each(transports)('over %s, a query parameter', (_name, transport) => {
  it.each(values)('with the value %j stays one parameter', async (value) => {
    const { url, arrivals } = await startService();
    await clientOf(url, transport).request({
      method: 'GET',
      path: '/v1/x',
      query: { q: value, [value]: 'n' },
    });
    await clientOf(url, transport).products.list({ starting_after: value });
    const [raw, list] = arrivals.map(({ target = '' }) => new URL(target, url));
    expect([...(raw?.searchParams ?? [])]).toEqual([
      ['q', value],
      [value, 'n'],
    ]);
    expect([...(list?.searchParams ?? [])]).toEqual([['starting_after', value]]);
  });
});

/** The fields of a form, decoded by the standard. */
async function formOf({ headers, body }: Arrival): Promise<[string, unknown][]> {
  const type = headers[namesOf(headers).indexOf('content-type') * 2 + 1] ?? '';
  return [...(await new Response(body, { headers: { 'content-type': type } }).formData())];
}

const fields = [
  'x&response=1',
  'x&amount=0.01',
  'x%26amount=0.01',
  'x+y',
  'x=y',
  'x;y',
  'x\u0000y',
  'é．．',
  '"; name="amount',
  '--',
  '------',
  '\r\n--',
  '--boundary-',
  'Content-Disposition: form-data; name="amount"',
];

describe.each(['urlencoded', 'multipart'] as const)('a field of a form in %s', (formEncoding) => {
  it.each(fields)('stays one field with %j as its value', async (text) => {
    const { url, arrivals } = await startService();
    const { transact } = clientOf(url, { formEncoding });
    const params = { type: 'sale', ...saleParams, address1: text };
    await transact.submit(params);
    const [arrival] = arrivals;
    if (arrival === undefined) throw new Error('Nothing came.');
    const form = await formOf(arrival);
    const sent = Object.entries({ security_key: 'security-key-faults', ...params });
    expect(form.length).toBe(sent.length);
    expect(form.find(([key]) => key === 'address1')?.[1]).toBe(text);
    expect(form.filter(([key]) => key === 'amount')).toEqual([['amount', '12.00']]);
  });

  it.each(fields.filter((text) => /[^\w-]/.test(text)))('is refused with %j in its name', async (text) => {
    const { url, arrivals } = await startService();
    const { transact } = clientOf(url, { formEncoding, validation: 'off' });
    const sale = transact.submit({ type: 'sale', ...saleParams, [`x${text}`]: 'n' });
    await failureOf(sale, InvalidRequestError);
    expect(arrivals).toEqual([]);
  });
});

describe('the boundary of a multipart form', () => {
  const boundaryOf = ({ headers }: Arrival) =>
    /boundary=(.+)$/.exec(headers[namesOf(headers).indexOf('content-type') * 2 + 1] ?? '')?.[1];

  it('differs for each form, and does not depend on Math.random', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { url, arrivals } = await startService();
    const { transact } = clientOf(url, { formEncoding: 'multipart' });
    for (let time = 0; time < 20; time += 1) await transact.sale(saleParams);
    const boundaries = new Set(arrivals.map(boundaryOf));
    expect(boundaries.size).toBe(20);
    for (const boundary of boundaries) expect(boundary).toMatch(/^[\w-]{30,70}$/);
  });

  it('of an earlier form cannot end a field of a later one', async () => {
    const { url, arrivals } = await startService();
    const { transact } = clientOf(url, { formEncoding: 'multipart' });
    await transact.sale(saleParams);
    const [first] = arrivals;
    if (first === undefined) throw new Error('Nothing came.');
    const part = 'Content-Disposition: form-data; name="amount"\r\n\r\n0.01\r\n';
    const address1 = `x\r\n--${boundaryOf(first)}\r\n${part}--${boundaryOf(first)}--`;
    await transact.sale({ ...saleParams, address1 });
    const [, second] = arrivals;
    if (second === undefined) throw new Error('Nothing came.');
    const form = await formOf(second);
    expect(form.filter(([name]) => name === 'amount')).toEqual([['amount', '12.00']]);
    expect(form.find(([name]) => name === 'address1')?.[1]).toBe(address1);
  });
});

describe('names of prototypes', () => {
  const poison = '{"__proto__":{"polluted":true,"amount":1},"constructor":{"prototype":{"polluted":true}}}';

  function expectUnpolluted(): void {
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  }

  it('in parameters are sent unchanged, without pollution', async () => {
    const { url, arrivals } = await startService();
    const poisoned = JSON.parse(poison);
    await clientOf(url).request({ method: 'POST', path: '/v1/x', body: { b: 1, a: poisoned } }, by);
    expect(arrivals[0]?.body).toBe(
      '{"a":{"__proto__":{"amount":1,"polluted":true},"constructor":{"prototype":{"polluted":true}}},"b":1}',
    );
    expectUnpolluted();
  });

  it('on the prototype of parameters are not sent', async () => {
    const { url, arrivals } = await startService();
    const inherited = Object.create({ idempotencyKey: 'inherited' });
    await failureOf(
      clientOf(url).paymentIntents.create(JSON.parse('{"__proto__":{"amount":1,"currency":"usd"}}'), by),
      InvalidRequestError,
    );
    await clientOf(url).paymentIntents.create(intentParams, { ...inherited, ...by });
    expect(arrivals).toHaveLength(1);
    expectUnpolluted();
  });

  it('in options and metadata cause no pollution', async () => {
    const { url, arrivals } = await startService();
    const payments = clientOf(url);
    const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}');
    await payments.paymentIntents.create({ ...intentParams, metadata }, by);
    expect(arrivals[0]?.body).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
    for (const where of ['headers', 'hooks', 'logger', 'routes']) {
      const options: PaymentsClientOptions = {
        baseUrl: url,
        secretKey: 'sk_v1_test_x',
        ...JSON.parse(`{"${where}":${poison}}`),
      };
      const outcome = await Promise.resolve()
        .then(() => new PaymentsClient(options).refunds.list())
        .catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PaymentsError);
    }
    await payments.transact.submit(
      JSON.parse('{"type":"sale","payment_token":"t","amount":"1.00","__proto__":"x"}'),
    );
    expect(arrivals.at(-1)?.body).toContain('__proto__=x');
    expectUnpolluted();
  });
});
