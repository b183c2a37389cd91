/** Loading a script of the service: from where, how often, and with which options. */

import * as browser from 'payments-client/browser';
import * as react from 'payments-client/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf, type Loading, openFakePage } from './fake-page.ts';

const { BrowserError, loadCardFields, loadGateway } = browser;

afterEach(() => void vi.useRealTimers());

const script = 'https://payments.example/js/Gateway.js';
const options = { baseUrl: 'https://payments.example', apiKey: 'pk_1', environment: 'sandbox' };
const works: Loading = () => ({ Gateway: { create: () => ({}) }, CollectJS: { configure: () => {} } });
const load = (changes = {}) => failureOf(() => loadGateway(anything({ ...options, ...changes })));

describe('a script', () => {
  it('is loaded once for any number of calls', async () => {
    const { requested, scripts } = openFakePage(() => works);
    await Promise.all([loadGateway(options), loadGateway({ ...options, baseUrl: `${options.baseUrl}/` })]);
    await loadGateway(options);
    expect(requested).toEqual([script]);
    expect(scripts).toHaveLength(1);
  });

  it('is loaded once per URL, each with its own global', async () => {
    const created: string[] = [];
    const { requested } = openFakePage((url) => () => ({ Gateway: { create: () => created.push(url) } }));
    const other = 'https://other.example/js/Gateway.js';
    for (const baseUrl of ['https://payments.example', 'https://other.example', 'https://payments.example'])
      await loadGateway({ ...options, baseUrl });
    expect(requested).toEqual([script, other]);
    expect(created).toEqual([script, other, script]);
  });

  it.each([
    ['https://payments.example/pay//', 'https://payments.example/pay/js/Gateway.js'],
    ['http://localhost:4242', 'http://localhost:4242/js/Gateway.js'],
    ['http://127.0.0.1', 'http://127.0.0.1/js/Gateway.js'],
  ])('of the base URL %s is %s', async (baseUrl, url) => {
    const { requested } = openFakePage(() => works);
    await loadGateway({ ...options, baseUrl });
    expect(requested).toEqual([url]);
  });

  it.each([
    [undefined, 2],
    [0, 1],
    [2, 3],
  ])(
    'that fails is requested again with maxRetries %s, %i times in all, and leaves nothing behind',
    async (maxRetries, count) => {
      let loading: Loading = 'fails';
      const { requested, scripts } = openFakePage(() => loading);
      expect(await load({ maxRetries })).toMatchObject({
        code: 'load_failed',
        message: expect.stringContaining(script),
      });
      expect([requested.length, scripts]).toEqual([count, []]);
      loading = works;
      expect((await load()).code).toBe('none');
    },
  );

  it('is loaded by its retry', async () => {
    const { requested } = openFakePage((_, count) => (count === 1 ? 'fails' : works));
    await loadGateway(options);
    expect(requested).toEqual([script, script]);
  });

  it.each([
    [undefined, 10_000],
    [30, 30],
  ])('times out with the timeout %s after %i ms for each attempt', async (timeout, ms) => {
    vi.useFakeTimers();
    const { scripts } = openFakePage(() => 'hangs');
    let failed: unknown;
    const outcome = load({ timeout, maxRetries: 1 }).then((failure) => {
      failed = failure;
    });
    await vi.advanceTimersByTimeAsync(2 * ms - 1);
    expect(failed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(failed).toMatchObject({ code: 'timeout', message: expect.stringContaining(`${ms} ms`) });
    expect(scripts).toEqual([]);
  });

  it('fails if it defines no global', async () => {
    openFakePage(() => () => ({ Gateway: {} }));
    expect(await load()).toMatchObject({
      code: 'load_failed',
      message: expect.stringContaining('to define Gateway.create'),
    });
  });

  it('has the nonce, the hash and the data attributes of the options', async () => {
    const { scripts } = openFakePage(() => works);
    const attributes = { 'data-tokenization-key': 'pk_1' } as const;
    await loadCardFields({ src: '/fields.js', attributes, nonce: 'abc', integrity: 'sha384-x' });
    await loadGateway(options);
    expect(scripts).toMatchObject([
      {
        src: 'https://shop.example/fields.js',
        attributes,
        nonce: 'abc',
        integrity: 'sha384-x',
        crossOrigin: 'anonymous',
      },
      { src: script, attributes: {}, nonce: '', integrity: '', crossOrigin: null },
    ]);
  });
});

describe('a wrong option', () => {
  const src = (value: unknown) => () => loadCardFields(anything({ src: value }));
  const gateway = (name: string, value: unknown) => () =>
    loadGateway(anything({ ...options, [name]: value }));
  const address = 'an https URL (http is for loopback hosts)';

  it.each<[path: string, call: () => Promise<unknown>, expected: string, got: string]>([
    ['loadGateway.timeout', gateway('timeout', 0), 'an integer from 1', 'a value of type number'],
    ['loadGateway.timeout', gateway('timeout', 1.5), 'an integer from 1', 'a value of type number'],
    ['loadGateway.timeout', gateway('timeout', 2 ** 31), 'an integer from 1', 'a value of type number'],
    ['loadGateway.timeout', gateway('timeout', null), 'an integer from 1', 'a value of type object'],
    ['loadGateway.maxRetries', gateway('maxRetries', -1), 'an integer from 0', 'a value of type number'],
    ['loadGateway.maxRetries', gateway('maxRetries', '1'), 'an integer from 0', 'a value of type string'],
    ['loadGateway.nonce', gateway('nonce', 7), 'a string', 'a value of type number'],
    ['loadGateway.integrity', gateway('integrity', null), 'a string', 'a value of type object'],
    ['loadGateway.apiKey', gateway('apiKey', ''), 'the public key', 'an empty string'],
    ['loadGateway.apiKey', gateway('apiKey', null), 'the public key', 'a value of type object'],
    [
      'loadGateway.environment',
      gateway('environment', ''),
      "an environment such as 'sandbox'",
      'an empty string',
    ],
    ['loadGateway.baseUrl', gateway('baseUrl', 7), address, 'a value of type number'],
    ['loadGateway.baseUrl', gateway('baseUrl', 'pk'), address, 'a value of type string'],
    [
      'loadGateway.apikey',
      gateway('apikey', 'pk_1'),
      'one of baseUrl, apiKey, environment, nonce',
      'another name',
    ],
    [
      'loadCardFields.nope',
      () => loadCardFields(anything({ src: '/x.js', nope: 1 })),
      'one of src, attributes',
      'another name',
    ],
    ['loadCardFields.src', src(''), address, 'an empty string'],
    ['loadCardFields.src', src('http://payments.example/fields.js'), address, 'a value of type string'],
    ['loadCardFields.src', src('javascript:alert(1)'), address, 'a value of type string'],
    ['loadCardFields.src', src('data:text/javascript,'), address, 'a value of type string'],
    ['loadCardFields.src', src('http://'), address, 'a value of type string'],
    [
      'loadCardFields.attributes',
      () => loadCardFields(anything({ src: '/x.js', attributes: { onload: 'alert(1)' } })),
      "names that start with 'data-'",
      'another name',
    ],
  ])('is refused before anything is loaded, and not quoted: %s (%#)', async (path, call, expected, got) => {
    const { requested } = openFakePage(() => works);
    const { name, code, message } = await failureOf(call);
    expect([name, code, requested]).toEqual(['BrowserError', 'invalid_option', []]);
    expect(message.startsWith(`${path}: expected ${expected}`)).toBe(true);
    expect(message.endsWith(`, got ${got}. Correct it: nothing was loaded or sent.`)).toBe(true);
  });

  it('is tested for each function of the entries', () => {
    expect(Object.keys(browser).toSorted()).toEqual(['BrowserError', 'loadCardFields', 'loadGateway']);
    const names = ['CardFields', 'PaymentsProvider', 'useCardFields', 'useGateway'];
    expect(Object.keys(react).toSorted()).toEqual(names);
  });
});

describe('a secret key', () => {
  const secret = 'sk_v1_test_51Habcdef';
  const secrets = [
    secret,
    `Bearer ${secret}`,
    `${secret}\n`,
    secret.toUpperCase(),
    'sk_live_1',
    'whsec_MfKQ9r8G',
  ];
  const order = { amount: '1', currency: 'USD', billingAddress: {} };

  /** A use of every parameter that accepts a text. */
  const places: Readonly<Record<string, (text: string) => unknown>> = {
    'loadGateway apiKey': (apiKey) => loadGateway({ ...options, apiKey }),
    'loadGateway environment': (environment) => loadGateway({ ...options, environment }),
    'loadGateway baseUrl': (text) => loadGateway({ ...options, baseUrl: `${options.baseUrl}/${text}` }),
    'loadGateway nonce': (nonce) => loadGateway({ ...options, nonce }),
    'loadGateway integrity': (integrity) => loadGateway({ ...options, integrity }),
    'loadCardFields src': (text) => loadCardFields({ src: `/fields.js?key=${text}` }),
    'loadCardFields attributes': (text) =>
      loadCardFields({ src: '/fields.js', attributes: { 'data-key': text } }),
    'collectToken config': async (text) =>
      (await loadCardFields({ src: '/fields.js' })).collectToken({ config: { deep: [{ key: text }] } }),
    'configure amount': async (amount) =>
      (await loadGateway(options)).threeDSecure.configure(anything({ ...order, amount })),
    'configure address': async (city) =>
      (await loadGateway(options)).threeDSecure.configure(anything({ ...order, billingAddress: { city } })),
    'authenticate token': async (token) => (await loadGateway(options)).threeDSecure.authenticate(token),
  };

  it.each(Object.entries(places))(
    'is refused in %s, before it is given to a script, and not quoted',
    async (_, use) => {
      for (const text of secrets) {
        const given: unknown[] = [];
        const keep = (...values: unknown[]) => void given.push(values);
        const service = { configure: keep, authenticate: keep };
        const scripts = {
          CollectJS: { configure: keep },
          Gateway: { create: () => ({ get3DSecure: () => service }) },
        };
        openFakePage(() => () => scripts);
        const { code, all } = await failureOf(() => use(text));
        expect([code, given]).toEqual(['secret_key', []]);
        expect(all).not.toContain(text.trim());
        expect(all).toContain('public');
      }
    },
  );

  it.each(['pk_v1_test_1', 'task_1', 'desk_sk', '7sk_', 'tok_sk1'])(
    'is not suspected in %s',
    async (apiKey) => {
      openFakePage(() => works);
      expect((await load({ apiKey })).code).toBe('none');
    },
  );
});

describe('a BrowserError', () => {
  it('can be made as its type says', () => {
    const cause = new Error('mine');
    const error = new BrowserError('closed', { code: 'aborted', cause });
    expect(error).toBeInstanceOf(BrowserError);
    expect(error).toMatchObject({ name: 'BrowserError', message: 'closed', code: 'aborted', cause });
    expect(new BrowserError('odd')).toMatchObject({ code: 'script_failed' });
    expect(new Error('x')).not.toBeInstanceOf(BrowserError);
  });

  it('says on a server that there is no page', async () => {
    for (const call of [() => loadGateway(options), () => loadCardFields({ src: '/fields.js' })])
      expect(await failureOf(call)).toMatchObject({
        code: 'not_in_browser',
        message: expect.stringContaining('expected a browser'),
      });
  });
});
