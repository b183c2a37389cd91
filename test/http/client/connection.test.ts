/** The options of a client: what each accepts, where the base URL may lead, and what the environment provides. */

import { ConfigurationError, PaymentsClient, type PaymentsClientOptions, Transact } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { paymentIntent, saleParams } from '../../support/fixtures.ts';
import { baseUrl, createClient, json, secretKey } from '../../support/mock-service.ts';

function refusalOf(create: () => unknown): ConfigurationError {
  try {
    create();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('expected a ConfigurationError');
}

/** Creates a client as a program without types does. */
const create = (options: object) => new PaymentsClient(anything({ baseUrl, secretKey, ...options }));

const time = 'expected an integer from 1 to 2147483647, in ms, got';
const framed = 'expected no header: the runtime frames the request';
const route = "routes['refunds.retrieve']: expected a verb and a path such as 'POST /v1/things/{id}'";
const correct = (...overrides: readonly unknown[]) => overrides.map((one) => ({ 'refunds.retrieve': one }));
const headers = (...names: readonly string[]) => names.map((name) => ({ [name]: 'x' }));
const schemes = ['ftp://payments.test', 'verylong://payments.test', 'a1://payments.test'];
const foreign = [
  'http://payments.test',
  'http://localhost.evil.test',
  'http://127.0.0.1.evil.test',
  'http://10.0.0.1',
];
const ownPaths = ['v1', 'v1/', 'gateway/v1', 'api/transact.php'].map(
  (path) => `https://payments.test/${path}`,
);

/** Wrong values of options, and a part of the message for each of them. */
const wrong: readonly (readonly [option: string, values: readonly unknown[], part: string])[] = [
  [
    'baseUrl',
    [undefined],
    'expected the URL of the service, got nothing (pass it, or set PAYMENTS_BASE_URL)',
  ],
  ['baseUrl', [''], 'expected an absolute URL such as https://payments.example.com, got an empty string'],
  ['baseUrl', [5], 'got a number'],
  // A host with a port looks like a scheme, and a key may have a colon.
  ['baseUrl', ['payments', 'localhost:4242', 'sk_v1_test_1:x'], 'got text without https://'],
  [
    'baseUrl',
    schemes,
    'expected an https URL (http is for loopback hosts, or with allowInsecure: true), got another scheme',
  ],
  ...foreign.map((one) => ['baseUrl', [one], `with allowInsecure: true), got ${one}`] as const),
  [
    'baseUrl',
    ['https://ada@payments.test', 'https://:x@payments.test'],
    'a URL without a user name or password, got https://payments.test',
  ],
  [
    'baseUrl',
    ['https://payments.test/?a=1', 'https://payments.test/#a'],
    'a URL without a query or fragment, got https://payments.test',
  ],
  [
    'baseUrl',
    ownPaths,
    'without /v1 or /api/transact.php, which the SDK adds itself, got https://payments.test',
  ],
  ['secretKey', [undefined], 'such as sk_v1_test_…, got nothing (pass it, or set PAYMENTS_SECRET_KEY)'],
  ['secretKey', [''], 'or a function that returns it, got an empty string'],
  ['secretKey', [5], 'or a function that returns it, got a number'],
  ['secretKey', ['"sk_v1"', "'sk_v1'"], 'expected the key alone, got a string in quotes; remove them'],
  [
    'secretKey',
    ['sk v1', 'sk_v\n', 'sk_vé'],
    'got a string of 5 characters with others; was it copied whole?',
  ],
  ['timeout', [0, 1.5, 2 ** 31, Number.POSITIVE_INFINITY], `${time} the number`],
  ['timeout', ['5'], `${time} a string of 1 character`],
  ['totalTimeout', [0, 1.5, 2 ** 31, Number.POSITIVE_INFINITY], `${time} the number`],
  ['maxRetries', [-1, 101, 0.5, Number.NaN], 'expected an integer from 0 to 100, got the number'],
  [
    'headers',
    headers('authorization', 'AUTHORIZATION'),
    'expected the secretKey option, got a header that the SDK sets itself',
  ],
  ['headers', headers('Idempotency-Key'), 'expected operationId or idempotencyKey in the request options'],
  ['headers', headers('content-type'), 'expected no header: the SDK encodes the body'],
  ['headers', headers('Content-Length'), 'expected no header: the runtime counts the body'],
  ['headers', headers('Host'), 'expected the baseUrl option'],
  ['headers', headers('transfer-encoding', 'Trailer', 'expect', 'upgrade'), framed],
  ['headers', [5, null], 'expected an object of header names to strings, got'],
  ['headers', [{ 'x-a': 5 }], "headers['x-a']: expected a string, got a number"],
  [
    'headers',
    [{ 'x a': '1' }, { 'x-a': '\n' }],
    'got a name or value that HTTP does not allow (1 character)',
  ],
  ['fetch', ['x'], "expected a function, got 'x'"],
  ['hooks', [{ start: 5 }], 'hooks.start: expected a function, got the number 5'],
  ['hooks', [{ begin: () => {} }], 'hooks.begin: expected one of start, '],
  ['validation', ['none'], "expected 'throw', 'warn' or 'off', got 'none'"],
  ['allowInsecure', [1], 'expected true or false, got the number 1'],
  ['itemsField', [''], 'expected the name of a field, got an empty string'],
  ['routes', [5, []], 'routes: expected an object, got'],
  ['routes', [{ 'refunds.retrive': 'POST /x' }], "got an unknown one (did you mean 'refunds.retrieve'?)"],
  ['routes', correct(5, '', 'GET', '/v1/{id}', 'HEAD /v1/{id}', 'get /v1/{id}'), route],
  ['routes', correct('GET //elsewhere/{id}', 'GET /v1/../{id}', 'GET /v1/{id}?a=1'), route],
  ['routes', correct('GET /v1/refunds'), 'expected a path with {id}, got a path with none'],
  ['routes', correct('GET /v1/{id}/{other}'), 'expected a path with {id}, got a path with {id} {other}'],
  [
    'routes',
    [{ 'refunds.create': 'POST /v1/{id}' }],
    'expected a path with no placeholder, got a path with {id}',
  ],
  ['secretkey', ['x'], "got an unknown option (did you mean 'secretKey'?)"],
];

describe('a wrong option', () => {
  const rows = wrong.flatMap(([option, values, part]) =>
    values.map((value) => [option, value, part] as const),
  );
  it.each(rows)('%s: %j is named, with what is expected and what came', (option, value, part) => {
    const error = refusalOf(() => create({ [option]: value }));
    const texts = error.issues.map(
      ({ path, expected, received }) => `${path}: expected ${expected}, got ${received}`,
    );
    expect(texts).toEqual([expect.stringMatching(`^${option}`)]);
    expect(texts[0]).toContain(part);
    expect(error.message).toContain(texts[0]);
    expect(error.outcome).toBe('not_an_operation');
  });

  it('is reported together with all other mistakes, and the known options once', () => {
    const options: object = { timeout: -1, maxRetries: 'x', retries: 1, apiVersion: 2 };
    const { issues, message } = refusalOf(() => new PaymentsClient(options));
    const wrong = ['apiVersion', 'baseUrl', 'maxRetries', 'retries', 'secretKey', 'timeout'];
    expect(issues.map(({ path }) => path).sort()).toEqual(wrong);
    expect(message.match(/totalTimeout/g)).toHaveLength(1);
  });

  it.each([
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P', `${secretKey} `],
    [secretKey, `"${secretKey}"`],
    [`https://payments.example.com/${secretKey}/v1`, secretKey],
  ])('is never repeated if it may be a key: %s', (given, secret) => {
    const { message, stack } = refusalOf(() => create({ baseUrl: given, secretKey: secret }));
    for (const text of [message, String(stack)]) expect(text).not.toMatch(/eyJ|unit0001/);
  });

  it.each([
    ['new PaymentsClient({ baseUrl, secretKey })', () => new PaymentsClient(anything(secretKey))],
    ['new Transact({ baseUrl, securityKey })', () => new Transact(anything(secretKey))],
    ['new Webhooks({ secret })', () => new Webhooks(anything(secretKey))],
  ])('is no object: the message says to write %s', (form, make) => {
    const { message } = refusalOf(make);
    expect(message).toContain('options: expected an object, got a string of ');
    expect(message).toContain(`Write ${form}.`);
    expect(message).not.toContain(secretKey);
  });

  it('of Transact names its own key', () => {
    const error = refusalOf(() => new Transact({ baseUrl }));
    expect(error.issues).toMatchObject([{ path: 'securityKey' }]);
    expect(error.message).toContain('PAYMENTS_SECURITY_KEY');
  });
});

describe('the base URL', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://127.9.9.9:1',
    'http://[::1]:80',
    'https://a.test',
  ])('may be %s', (given) => {
    expect(create({ baseUrl: given })).toBeInstanceOf(PaymentsClient);
  });

  it.each(['http://localhost.evil.test', 'http://10.0.0.1'])('may be %s with allowInsecure', (given) => {
    expect(create({ baseUrl: given, allowInsecure: true })).toBeInstanceOf(PaymentsClient);
  });

  it.each([
    ['', '/v1/payment_intents/pi_1'],
    ['/', '/v1/payment_intents/pi_1'],
    ['/gateway', '/gateway/v1/payment_intents/pi_1'],
    ['/gateway//', '/gateway/v1/payment_intents/pi_1'],
  ])('with the path "%s" leads to %s', async (path, sent) => {
    const urls: string[] = [];
    const fetch = async (request: Request) => {
      urls.push(request.url);
      return json(paymentIntent);
    };
    await createClient({ baseUrl: baseUrl + path, fetch }).paymentIntents.retrieve('pi_1');
    expect(urls).toEqual([baseUrl + sent]);
  });
});

describe('a key of another kind', () => {
  const tail = 'Qm9ya2Vu0042';
  const foreign = ['whsec_', 'whsk_', 'rk_', 'AKIA'];

  it.each([
    ...[...foreign, 'pk_', 'sk_test_'].map((beginning) => ['secretKey', beginning] as const),
    ...[...foreign, 'sk_v1_', 'pk_v1_'].map((beginning) => ['securityKey', beginning] as const),
  ])('is refused as %s: %s', (option, beginning) => {
    const { issues, message } = refusalOf(() => create({ [option]: beginning + tail }));
    expect(issues).toMatchObject([
      { path: option, received: expect.stringMatching(`^${beginning}…, another kind`) },
    ]);
    expect(message).not.toContain(tail);
  });

  it.each(['sk_v1_live_1', 'sk_live_1', 'sk_v2_1', 'a-key', () => 'sk_test_1'])(
    'may have an unknown form: %s',
    (given) => {
      expect(create({ secretKey: given })).toBeInstanceOf(PaymentsClient);
    },
  );
});

describe('the environment', () => {
  it('provides missing options, and never replaces given ones', async () => {
    vi.stubEnv('PAYMENTS_BASE_URL', baseUrl);
    vi.stubEnv('PAYMENTS_SECRET_KEY', 'sk_v1_test_from_env');
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'form-key-from-env');
    const sent: string[] = [];
    const fetch = async (request: Request) => {
      const form = new URLSearchParams(await request.text());
      sent.push(`${request.url} ${form.get('security_key') ?? request.headers.get('authorization')}`);
      return json({ ...paymentIntent, response: 1 });
    };
    for (const payments of [
      new PaymentsClient({ fetch }),
      createClient({ baseUrl: 'https://own.test', fetch }),
    ]) {
      await payments.paymentIntents.retrieve('pi_1');
      await payments.transact.sale(saleParams);
    }
    expect(sent).toEqual([
      `${baseUrl}/v1/payment_intents/pi_1 Bearer sk_v1_test_from_env`,
      `${baseUrl}/api/transact.php form-key-from-env`,
      `https://own.test/v1/payment_intents/pi_1 Bearer ${secretKey}`,
      'https://own.test/api/transact.php security-key-unit-0001',
    ]);
  });

  it('is ignored if a variable is empty', () => {
    vi.stubEnv('PAYMENTS_BASE_URL', '');
    expect(refusalOf(() => new PaymentsClient({ secretKey })).issues).toMatchObject([{ path: 'baseUrl' }]);
  });

  it('counts as empty if it must not be read', () => {
    vi.spyOn(process, 'env', 'get').mockImplementation(() => {
      throw new Error('NotCapable');
    });
    const { issues } = refusalOf(() => new PaymentsClient());
    vi.restoreAllMocks();
    expect(issues).toMatchObject([{ path: 'baseUrl' }, { path: 'secretKey' }]);
  });
});

describe('a web page', () => {
  /** Runs a function with the globals of a page. */
  function inPage<Result>(run: () => Result): Result {
    for (const [name, value] of Object.entries({ window: {}, document: {}, process: undefined }))
      vi.stubGlobal(name, value);
    try {
      return run();
    } finally {
      vi.unstubAllGlobals();
    }
  }

  it.each<readonly [path: string, make: (more: PaymentsClientOptions) => unknown]>([
    ['secretKey', (more) => create(more)],
    ['securityKey', (more) => new Transact({ baseUrl, securityKey: 'form-key', ...more })],
  ])('refuses a %s, unless the options allow it', (path, make) => {
    const error = inPage(() => refusalOf(() => make({})));
    expect(error.issues).toMatchObject([
      { path, received: 'a web page, where every visitor can read the key' },
    ]);
    expect(error.message).toContain('give dangerouslyAllowBrowser: true');
    expect(String(error.stack)).not.toContain(secretKey);
    expect(() => inPage(() => make({ dangerouslyAllowBrowser: true }))).not.toThrow();
  });
});
