import { ConfigurationError, PaymentsClient, type PaymentsClientOptions, Transact } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { paymentIntent, saleParams } from '../support/fixtures.ts';
import { baseUrl, createClient, json, secretKey, useMockService } from '../support/mock-service.ts';

const service = useMockService();

function refusalOf(create: () => unknown): ConfigurationError {
  try {
    create();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('expected a ConfigurationError');
}

/** Options as a program without types could pass them. */
function untyped(options: Record<string, unknown>): PaymentsClientOptions {
  return options;
}

describe('a wrong option', () => {
  it.each([
    ['baseUrl', { baseUrl: undefined }, 'nothing'],
    ['baseUrl', { baseUrl: 'payments' }, 'text without https://'],
    ['baseUrl', { baseUrl: 'localhost:4242' }, 'text without https://'],
    ['baseUrl', { baseUrl: 'http://payments.test' }, 'http://payments.test'],
    ['baseUrl', { baseUrl: 'ftp://payments.test' }, 'another scheme'],
    ['baseUrl', { baseUrl: 'https://user:pass@payments.test' }, 'https://payments.test'],
    ['baseUrl', { baseUrl: 'https://payments.test/?a=1' }, 'https://payments.test'],
    ['baseUrl', { baseUrl: 5 }, 'a number'],
    ['secretKey', { secretKey: undefined }, 'nothing'],
    ['secretKey', { secretKey: '' }, 'an empty string'],
    [
      'secretKey',
      { secretKey: 'sk_v1_test_1\n' },
      'a string of 13 characters with others; was it copied whole?',
    ],
    ['secretKey', { secretKey: 5 }, 'a number'],
    ['timeout', { timeout: 0 }, 'the number 0'],
    ['timeout', { timeout: 1.5 }, 'the number 1.5'],
    ['timeout', { timeout: '5' }, 'a string of 1 character'],
    ['totalTimeout', { totalTimeout: Number.POSITIVE_INFINITY }, 'the number Infinity'],
    ['maxRetries', { maxRetries: -1 }, 'the number -1'],
    ['maxRetries', { maxRetries: Number.NaN }, 'the number NaN'],
    ["headers['authorization']", { headers: { authorization: 'x' } }, 'a header that the SDK sets itself'],
    [
      "headers['Idempotency-Key']",
      { headers: { 'Idempotency-Key': 'x' } },
      'a header that the SDK sets itself',
    ],
    [
      "headers['x-a']",
      { headers: { 'x-a': 'b\r\nx-c: d' } },
      'a name or value that HTTP does not allow (9 characters)',
    ],
    ["headers['x-a']", { headers: { 'x-a': 1 } }, 'a number'],
    ['fetch', { fetch: 'global' }, "'global'"],
    ['logger', { logger: 'console' }, "'console'"],
    ['logger.debug', { logger: { debug: 1 } }, 'the number 1'],
    ['hooks.request', { hooks: { request: 'x' } }, "'x'"],
    ['hooks.end', { hooks: { end: 5 } }, 'the number 5'],
    ['allowInsecure', { allowInsecure: 'yes' }, "'yes'"],
    ['dangerouslyAllowBrowser', { dangerouslyAllowBrowser: 'yes' }, "'yes'"],
    ['validation', { validation: 'maybe' }, "'maybe'"],
    ['itemsField', { itemsField: '' }, 'an empty string'],
    ['formEncoding', { formEncoding: 'json' }, "'json'"],
    ['throwOnDecline', { throwOnDecline: 1 }, 'the number 1'],
    [
      'securityKey',
      { securityKey: 'with blank' },
      'a string of 10 characters with others; was it copied whole?',
    ],
    ['routes', { routes: [] }, 'an array of 0'],
    ["routes['refunds.undo']", { routes: { 'refunds.undo': 'POST /x' } }, 'an unknown one'],
    ["routes['refunds.retrieve']", { routes: { 'refunds.retrieve': '/v1/x/{id}' } }, "'/v1/x/{id}'"],
    ["routes['refunds.retrieve']", { routes: { 'refunds.retrieve': 'GET /v1/x' } }, 'a path with none'],
    ['secretkey', { secretkey: 'x' }, 'an unknown option'],
  ])('%s is reported with the expected and the received value', (path, option, received) => {
    const error = refusalOf(() => new PaymentsClient(untyped({ baseUrl, secretKey, ...option })));
    const issue = error.issues.find((one) => one.path === path);
    expect(issue?.received).toContain(received.replace(/^'\/v1.*$/, 'a string'));
    expect(error.message).toContain(`${path}: expected ${issue?.expected}, got ${issue?.received}`);
    expect(error.outcome).toBe('not_executed');
  });

  it('is reported together with all other mistakes', () => {
    const error = refusalOf(() => new PaymentsClient(untyped({ timeout: -1, maxRetries: 'x' })));
    expect(error.issues.map(({ path }) => path).sort()).toEqual([
      'baseUrl',
      'maxRetries',
      'secretKey',
      'timeout',
    ]);
  });

  it('of Transact is reported too', () => {
    const error = refusalOf(() => new Transact({ baseUrl }));
    expect(error.issues).toMatchObject([{ path: 'securityKey' }]);
    expect(error.message).toContain('PAYMENTS_SECURITY_KEY');
  });

  it('never repeats a secret, even if options were mixed up', () => {
    const error = refusalOf(() => new PaymentsClient({ baseUrl: secretKey, secretKey: `${secretKey} ` }));
    expect(error.message).not.toContain(secretKey);
  });
});

describe('the base URL', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://127.9.9.9:1',
    'http://[::1]:80',
    'https://a.test',
  ])('may be %s', (url) => {
    expect(() => new PaymentsClient({ baseUrl: url, secretKey })).not.toThrow();
  });

  it.each(['http://localhost.evil.test', 'http://127.0.0.1.evil.test', 'http://10.0.0.1'])(
    'may not be %s',
    (url) => {
      expect(() => new PaymentsClient({ baseUrl: url, secretKey })).toThrow(ConfigurationError);
      expect(() => new PaymentsClient({ baseUrl: url, secretKey, allowInsecure: true })).not.toThrow();
    },
  );

  it('may have a path, which precedes each route', async () => {
    service.answers(json(paymentIntent));
    await createClient({ baseUrl: `${baseUrl}/gateway/` }).paymentIntents.retrieve('pi_1');
    expect(service.arrivals[0]?.url.href).toBe(`${baseUrl}/gateway/v1/payment_intents/pi_1`);
  });
});

describe('an almost valid base URL', () => {
  const messageOf = (given: string) =>
    refusalOf(() => new PaymentsClient({ baseUrl: given, secretKey })).message;

  it.each([
    'https://payments.example.com/v1',
    'https://payments.example.com/v1/',
    'https://shop.example/gateway/v1',
    'https://shop.example/api/transact.php',
  ])('has a path that the SDK adds: %s', (given) => {
    expect(messageOf(given)).toContain(
      `baseUrl: expected a URL without /v1 or /api/transact.php, which the SDK adds itself, got ${new URL(given).origin}.`,
    );
  });

  it.each([
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P',
    'sk_v1_test_51secret',
    `https://payments.example.com/${secretKey}/v1`,
  ])('is not repeated if it may be a key: %s', (given) => {
    expect(messageOf(given)).not.toMatch(/eyJ|51secret|unit0001/);
  });
});

describe('a key of another kind', () => {
  const tail = 'Qm9ya2Vu0042';

  it.each([
    ['secretKey', 'pk_'],
    ['secretKey', 'whsec_'],
    ['secretKey', 'rk_'],
    ['secretKey', 'AKIA'],
    ['secretKey', 'sk_test_'],
    ['securityKey', 'sk_v1_'],
    ['securityKey', 'whsec_'],
  ])('is refused as %s: %s', (option, beginning) => {
    const keys = { secretKey, securityKey: 'form-key', [option]: beginning + tail };
    const { issues, message } = refusalOf(() => new PaymentsClient({ baseUrl, ...keys }));
    expect(issues).toMatchObject([
      {
        path: option,
        received: `${beginning}…, another kind of key; if the service gave it to you, pass it as a function`,
      },
    ]);
    expect(message).not.toContain(tail);
  });

  it.each(['sk_v1_live_1', 'sk_live_1', 'sk_v2_1', 'a-key', () => 'sk_test_1'])(
    'may have an unknown form: %s',
    (key) => {
      expect(() => new PaymentsClient({ baseUrl, secretKey: key })).not.toThrow();
    },
  );
});

describe('an argument that is no options object', () => {
  const given = 'sk_v1_test_51secret';

  it.each([
    ['new PaymentsClient({ baseUrl, secretKey })', () => new PaymentsClient(anything(given))],
    ['new Transact({ baseUrl, securityKey })', () => new Transact(anything(given))],
    ['new Webhooks({ secret })', () => new Webhooks(anything(given))],
  ])('leads to an error with the right form: %s', (form, create) => {
    expect(refusalOf(create).message).toBe(
      `options: expected an object, got a string of 19 characters. Write ${form}.`,
    );
  });
});

describe('two unknown options', () => {
  it('list all known options only once', () => {
    const options: object = { baseUrl, secretKey, retries: 1, apiVersion: 2 };
    const { message } = refusalOf(() => new PaymentsClient(options));
    expect(message.match(/maxRetries/g)).toHaveLength(1);
    expect(message).toContain('apiVersion: expected the same as above, got an unknown option');
  });
});

describe('the environment', () => {
  it('provides missing options', async () => {
    vi.stubEnv('PAYMENTS_BASE_URL', baseUrl);
    vi.stubEnv('PAYMENTS_SECRET_KEY', 'sk_v1_test_from_env');
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'form-key-from-env');
    service.answers(json(paymentIntent), new Response('response=1'));
    const payments = new PaymentsClient();
    await payments.paymentIntents.retrieve('pi_1');
    await payments.transact.sale(saleParams);
    expect(service.arrivals[0]?.headers.get('authorization')).toBe('Bearer sk_v1_test_from_env');
    expect(service.arrivals[1]?.body).toContain('security_key=form-key-from-env');
  });

  it('is ignored if a variable is empty', () => {
    vi.stubEnv('PAYMENTS_BASE_URL', '');
    expect(refusalOf(() => new PaymentsClient({ secretKey })).issues).toMatchObject([{ path: 'baseUrl' }]);
  });
});

describe('an environment that must not be read', () => {
  it('counts as empty', () => {
    const spy = vi.spyOn(process, 'env', 'get').mockImplementation(() => {
      throw new Error('NotCapable');
    });
    onTestFinished(() => spy.mockRestore());
    const { issues } = refusalOf(() => new PaymentsClient());
    expect(issues).toMatchObject([{ path: 'baseUrl' }, { path: 'secretKey' }]);
  });
});

const route = (override: unknown) => ({ routes: { 'refunds.retrieve': override } });

function issuesOf(options: object): string {
  try {
    new PaymentsClient(anything({ baseUrl, secretKey, ...options }));
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.issues
        .map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`)
        .join('; ');
    }
  }
  return 'accepted';
}

it.each<[options: object, issue: string]>([
  [{ baseUrl: '' }, 'baseUrl: an absolute URL such as https://payments.example.com, got an empty string'],
  [
    { baseUrl: undefined },
    'baseUrl: the URL of the service, got nothing (pass it, or set PAYMENTS_BASE_URL)',
  ],
  [{ baseUrl: 5 }, 'baseUrl: an absolute URL such as https://payments.example.com, got a number'],
  [
    { baseUrl: 'shop' },
    'baseUrl: an absolute URL such as https://payments.example.com, got text without https://',
  ],
  [
    { baseUrl: 'ftp://payments.test' },
    'baseUrl: an https URL (http is for loopback hosts, or with allowInsecure: true), got another scheme',
  ],
  [
    { baseUrl: 'sk_v1_test_1:x' },
    'baseUrl: an absolute URL such as https://payments.example.com, got text without https://',
  ],
  [
    { baseUrl: 'verylong://payments.test' },
    'baseUrl: an https URL (http is for loopback hosts, or with allowInsecure: true), got another scheme',
  ],
  [
    { baseUrl: 'a1://payments.test' },
    'baseUrl: an https URL (http is for loopback hosts, or with allowInsecure: true), got another scheme',
  ],
  [
    { baseUrl: 'http://payments.test' },
    'baseUrl: an https URL (http is for loopback hosts, or with allowInsecure: true), got http://payments.test',
  ],
  [
    { baseUrl: 'https://ada@payments.test' },
    'baseUrl: a URL without a user name or password, got https://payments.test',
  ],
  [
    { baseUrl: 'https://:secret@payments.test' },
    'baseUrl: a URL without a user name or password, got https://payments.test',
  ],
  [
    { baseUrl: 'https://payments.test/?a=1' },
    'baseUrl: a URL without a query or fragment, got https://payments.test',
  ],
  [
    { baseUrl: 'https://payments.test/#a' },
    'baseUrl: a URL without a query or fragment, got https://payments.test',
  ],
  [{ headers: 5 }, 'headers: an object of header names to strings, got a number'],
  [{ headers: null }, 'headers: an object of header names to strings, got null'],
  [{ headers: { 'x-a': 5 } }, "headers['x-a']: a string, got a number"],
  [
    { headers: { 'x a': '1' } },
    "headers['x a']: a header name and a value without line breaks, got a name or value that HTTP does not allow (1 character)",
  ],
  [{ headers: { Host: '1' } }, "headers['Host']: the baseUrl option, got a header that the SDK sets itself"],
  [{ routes: 5 }, 'routes: an object, got the number 5'],
  [
    { routes: { 'refunds.nothing': 'GET /v1' } },
    "routes['refunds.nothing']: a method's name such as 'refunds.retrieve', got an unknown one",
  ],
  [
    route(5),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got the number 5",
  ],
  [
    route(''),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got an empty string",
  ],
  [route('GET'), "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got 'GET'"],
  [route('GET /v1/refunds'), "routes['refunds.retrieve']: a path with {id}, got a path with none"],
  [
    route('GET /v1/refunds/{id}/{other}'),
    "routes['refunds.retrieve']: a path with {id}, got a path with {id} {other}",
  ],
  [
    route('GET //elsewhere/{id}'),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got a string of 20 characters",
  ],
  [
    { secretKey: '' },
    'secretKey: a secret key of the service, such as sk_v1_test_…, or a function that returns it, got an empty string',
  ],
  [
    { secretKey: undefined },
    'secretKey: a secret key of the service, such as sk_v1_test_…, got nothing (pass it, or set PAYMENTS_SECRET_KEY)',
  ],
  [
    { secretKey: 5 },
    'secretKey: a secret key of the service, such as sk_v1_test_…, or a function that returns it, got a number',
  ],
  [{ secretKey: '"sk_v1"' }, 'secretKey: the key alone, got a string in quotes; remove them'],
  [
    { secretKey: 'sk v1' },
    'secretKey: printable ASCII without blanks or line breaks, got a string of 5 characters with others; was it copied whole?',
  ],
])('%j', (options, issue) => {
  expect(issuesOf(options)).toBe(issue);
});

describe('a web page', () => {
  /** Runs a function with the globals of a page. */
  function inPage<Result>(run: () => Result): Result {
    for (const [name, value] of Object.entries({ window: {}, document: {}, process: undefined })) {
      vi.stubGlobal(name, value);
    }
    try {
      return run();
    } finally {
      vi.unstubAllGlobals();
    }
  }

  it.each([
    ['secretKey', (more: PaymentsClientOptions) => new PaymentsClient({ baseUrl, secretKey, ...more })],
    [
      'securityKey',
      (more: PaymentsClientOptions) => new Transact({ baseUrl, securityKey: 'form-key', ...more }),
    ],
  ] as const)('refuses a %s, unless the options allow it', (path, create) => {
    const error = inPage(() => refusalOf(() => create({})));
    expect(error.issues).toMatchObject([
      { path, received: 'a web page, where every visitor can read the key' },
    ]);
    expect(error.message).toBe(
      `${path}: expected a program on your server, got a web page, where every visitor can read the key. Call the service from your ` +
        'server, and use payments-client/browser in the page. In a page that nobody else can open, such as a test, give dangerouslyAllowBrowser: true.',
    );
    expect(String(error.stack)).not.toContain(secretKey);
    expect(() => inPage(() => create({ dangerouslyAllowBrowser: true }))).not.toThrow();
  });
});
