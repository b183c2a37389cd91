/** The client of the form endpoint: its options, what it sends, and how a call ends. */

import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  isDecline,
  PaymentsClient,
  ServerError,
  Transact,
  TransactionDeclinedError,
} from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { cardNumber, methods, sale, securityKey, startEndpoint, submit, token } from './endpoint.ts';

const baseUrl = 'https://payments.test';
const secretKey = 'sk_v1_test_unit0001';

describe('the options', () => {
  it.each<[what: string, message: string | RegExp, options: object]>([
    ['no key', /securityKey: expected .+ got nothing \(pass it, or set PAYMENTS_SECURITY_KEY\)/, {}],
    [
      'a key that is not a string',
      /securityKey: expected .+, or a function .+, got a number/,
      { securityKey: 7 },
    ],
    [
      'an unknown encoding',
      "formEncoding: expected 'urlencoded' or 'multipart', got 'json'",
      { securityKey, formEncoding: 'json' },
    ],
    [
      'a switch that is not a boolean',
      "throwOnDecline: expected true or false, got 'yes'",
      { securityKey, throwOnDecline: 'yes' },
    ],
    [
      'fields for a method that takes any',
      "extraParameters['transact.submit']: expected a method's name",
      { securityKey, extraParameters: { 'transact.submit': ['wallet'] } },
    ],
  ])('are refused by both clients with %s', (_what, message, options) => {
    vi.stubEnv('PAYMENTS_SECURITY_KEY', undefined);
    expect(() => new Transact({ baseUrl, ...options })).toThrow(ConfigurationError);
    expect(() => new Transact({ baseUrl, ...options })).toThrow(message);
    expect(() => new PaymentsClient({ baseUrl, secretKey, ...options }).transact).toThrow(message);
  });

  it('of the JSON API are not those of the form endpoint', () => {
    expect(() => new Transact({ baseUrl, securityKey, ...Object({ routes: {} }) })).toThrow(
      'routes: expected',
    );
  });

  it('of payments.transact are those of its client', async () => {
    const { options, requests } = startEndpoint('response=2');
    const payments = new PaymentsClient({
      ...options,
      secretKey,
      formEncoding: 'multipart',
      throwOnDecline: true,
    });
    expect(payments.transact).toBe(payments.transact);
    await failureOf(payments.transact.sale(sale), TransactionDeclinedError);
    expect(requests[0]?.headers.get('content-type')).toMatch(/^multipart/);
  });
});

describe('the security key', () => {
  it('is read from the environment unless it is an option', async () => {
    vi.stubEnv('PAYMENTS_SECURITY_KEY', 'key-of-the-environment');
    const { options, sent } = startEndpoint();
    await new Transact({ ...options, securityKey: undefined }).sale(sale);
    await new Transact(options).sale(sale);
    expect(sent().map((fields) => fields['security_key'])).toEqual(['key-of-the-environment', securityKey]);
  });

  it('of a function is asked for before each call, and stays a secret when it was rotated away', async () => {
    const keys = ['first-key-0001', 'second-key-0002'];
    const next = keys.values();
    const { transact, sent } = startEndpoint(`response=2&responsetext=no ${keys.join(' or ')}`, {
      securityKey: async () => next.next().value ?? '',
      throwOnDecline: true,
    });
    const message = async () => (await failureOf(transact.sale(sale), TransactionDeclinedError)).message;
    expect(await message()).toContain('no [redacted] or ');
    expect(await message()).toContain('no [redacted] or [redacted]');
    expect(sent().map((fields) => fields['security_key'])).toEqual(keys);
  });

  it('of a function that returns an empty string is named, and nothing is sent', async () => {
    const { transact, bodies } = startEndpoint('response=1', { securityKey: () => '' });
    const error = await failureOf(transact.sale(sale), ConfigurationError);
    expect(error.message).toMatch(
      /^securityKey: expected a function .+ non-empty string.+ Nothing was sent\.$/,
    );
    expect(bodies).toEqual([]);
  });

  it('that is wrong is an AuthenticationError with the sandbox, not a decline', async () => {
    const { url, fetch } = createSandbox();
    const wrong = new Transact({ baseUrl: url, securityKey: 'wrong-key-1', fetch, throwOnDecline: true });
    const error = await failureOf(wrong.sale(sale), AuthenticationError);
    expect(error).toMatchObject({ status: 200, outcome: 'not_executed', retryable: false });
    expect(isDecline(error)).toBe(false);
  });
});

describe('a request', () => {
  const unusual = { city: 'São Paulo & "Süd" +1%\r\nline', state: '', address1: '🍵=tea' };
  const expected = { security_key: securityKey, type: 'sale', ...sale, ...unusual };

  it('is url-encoded by default, with the security key first', async () => {
    const { transact, requests, bodies, sent } = startEndpoint();
    await transact.sale({ ...sale, ...unusual, email: undefined });
    const [request] = requests;
    expect([request?.method, request?.url]).toEqual(['POST', `${baseUrl}/api/transact.php`]);
    expect(request?.headers.get('content-type')).toBe('application/x-www-form-urlencoded;charset=UTF-8');
    expect(request?.headers.get('accept')).toBe('*/*');
    expect(request?.headers.has('authorization')).toBe(false);
    expect(bodies[0]?.startsWith(`security_key=${securityKey}&type=sale&`)).toBe(true);
    expect(sent()).toEqual([expected]);
  });

  it('is multipart with formEncoding multipart', async () => {
    const { transact, requests, bodies } = startEndpoint('response=1', { formEncoding: 'multipart' });
    await transact.sale({ ...sale, ...unusual });
    const type = requests[0]?.headers.get('content-type') ?? '';
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(bodies[0], { headers: { 'content-type': type } }).formData();
    expect(Object.fromEntries(form)).toEqual(expected);
  });

  it('has another boundary each time, which no value can foresee', async () => {
    const { transact, requests } = startEndpoint('response=1', { formEncoding: 'multipart' });
    for (const note of ['a\rb\nc\r\nd', 'other']) await submit(transact, { note });
    const types = requests.map(({ headers }) => headers.get('content-type'));
    expect(new Set(types).size).toBe(2);
  });

  it('has \\r\\n line breaks in multipart', async () => {
    const { transact, bodies } = startEndpoint('response=1', { formEncoding: 'multipart' });
    await submit(transact, { note: 'a\rb\nc\r\nd' });
    expect(bodies[0]).toContain('name="note"\r\n\r\na\r\nb\r\nc\r\nd\r\n--');
  });

  it.each<[what: string, body: string, call: (transact: Transact) => PromiseLike<unknown>]>([
    ['sale', 'type=sale&amount=12.00&payment_token=tok_1', methods.sale],
    ['auth', 'type=auth&amount=12.00&payment_token=tok_1', methods.auth],
    ['credit', 'type=credit&amount=12.00&payment_token=tok_1', methods.credit],
    ['validate', 'type=validate&payment_token=tok_1', methods.validate],
    ['capture', 'type=capture&transactionid=7', methods.capture],
    [
      'capture of a part',
      'type=capture&transactionid=7&amount=1.50',
      (t) => methods.capture(t, { amount: '1.50' }),
    ],
    ['void', 'type=void&transactionid=7', methods.void],
    ['refund', 'type=refund&transactionid=7&amount=5.00', methods.refund],
    ['submit', 'type=void&transactionid=7&x=', (t) => t.submit({ type: 'void', transactionid: '7', x: '' })],
    [
      'sale that names its type',
      'amount=12.00&payment_token=tok_1&type=sale',
      (t) => methods.sale(t, { type: 'sale' }),
    ],
  ])('of a %s has its fields and nothing else', async (_what, body, call) => {
    const { transact, bodies } = startEndpoint();
    await call(transact);
    // The order of fields is not promised.
    const sorted = (form: string) => form.split('&').toSorted();
    expect(sorted(bodies[0] ?? '')).toEqual(sorted(`security_key=${securityKey}&${body}`));
  });

  it('has the fields that find a lost sale, and those of the buyer', async () => {
    const { transact, sent } = startEndpoint();
    const more = {
      orderid: 'order-1',
      order_description: 'Tea',
      ponumber: 'po-1',
      currency: 'USD',
      first_name: 'Ada',
      last_name: 'King',
      company: 'Tea Ltd',
      address2: '2nd floor',
      country: 'GB',
      ipaddress: '2001:db8::1',
      risk_session_id: 'r-1',
    };
    await transact.sale({ ...sale, ...more });
    expect(sent()).toEqual([{ security_key: securityKey, type: 'sale', ...sale, ...more }]);
  });
});

describe('a transaction that is not approved', () => {
  it('is a result by default', async () => {
    const { transact } = startEndpoint('response=2&responsetext=DECLINE&transactionid=7');
    const result = { approved: false, errored: false, response: '2', transactionid: '7' };
    expect(await transact.sale(sale)).toMatchObject(result);
  });

  it.each([
    [true, undefined, true],
    [false, true, true],
    [true, false, false],
    [undefined, undefined, false],
  ])(
    'throws with throwOnDecline %j of the client and %j of the call: %j',
    async (ofClient, ofCall, isThrown) => {
      const { transact } = startEndpoint('response=2&transactionid=7', { throwOnDecline: ofClient });
      const call = transact.sale(sale, { throwOnDecline: ofCall });
      if (!isThrown) expect(await call).toMatchObject({ approved: false });
      else {
        const error = await failureOf(call, TransactionDeclinedError);
        const result = { approved: false, transactionid: '7' };
        expect(error).toMatchObject({ outcome: 'not_executed', code: 'DECLINED', retryable: false, result });
        expect(isDecline(error)).toBe(true);
      }
    },
  );

  it('is no decline if it could not be processed, though it is the same error', async () => {
    const body = 'response=3&responsetext=Duplicate transaction&transactionid=8';
    const { transact } = startEndpoint(body, { throwOnDecline: true });
    const error = await failureOf(transact.sale(sale), TransactionDeclinedError);
    expect([error.result.errored, isDecline(error)]).toEqual([true, false]);
    expect(error.message).toMatch(/^Transaction not processed\. /);
  });

  it('repeats the text of the service', async () => {
    const { transact } = startEndpoint(
      [
        'response=2&responsetext=DECLINE: do not honor',
        'response=2&responsetext=',
        () => new Response('response=2', { headers: { 'x-request-id': 'req_7' } }),
      ],
      { throwOnDecline: true },
    );
    const message = async () => (await failureOf(transact.auth(sale), TransactionDeclinedError)).message;
    const start = 'Transaction declined. No money moved by this call (inferred). transact.auth: response 2';
    expect(await message()).toBe(`${start}. The service says: DECLINE: do not honor`);
    expect(await message()).toBe(`${start}.`);
    expect(await message()).toBe(`${start}, request id req_7.`);
  });

  it.each<[secret: string, validation: 'throw' | 'off', paidWith: object]>([
    [cardNumber, 'throw', { ccnumber: cardNumber, ccexp: '1230' }],
    ['4111 1111 1111 1111', 'throw', { ccnumber: cardNumber, ccexp: '1230' }],
    ['tok_of_a_card', 'throw', { payment_token: 'tok_of_a_card' }],
    [securityKey, 'throw', token],
    ['1229', 'throw', { ccnumber: cardNumber, ccexp: '12/29' }],
    ['12/29', 'off', { ccnumber: cardNumber, ccexp: '12/29' }],
    ['2029-12', 'off', { ccnumber: cardNumber, ccexp: '2029-12' }],
    ['1 2 3', 'off', { ccnumber: cardNumber, ccexp: '1229', cvv: '1 2 3' }],
  ])('repeats parameters but not the sent %s, with validation %s', async (secret, validation, paidWith) => {
    const body = `response=2&responsetext=12.00 by ${secret} of Springfield?`;
    const { transact } = startEndpoint(body, { validation, throwOnDecline: true });
    const params = anything({ amount: '12.00', city: 'Springfield', ...paidWith });
    const error = await failureOf(transact.sale(params), TransactionDeclinedError);
    expect(error.message).toMatch(/12\.00 by .+ of Springfield\?/);
    expect(error.message).not.toContain(secret);
  });
});

describe('a call whose reply was lost', () => {
  const lost = () => {
    throw new TypeError('fetch failed');
  };

  it.each(Object.entries({ ...methods, submit }))(
    'is sent once, and must be looked up: %s',
    async (name, call) => {
      const { transact, bodies } = startEndpoint(lost, { maxRetries: 3 });
      const error = await failureOf(call(transact), ConnectionError);
      expect(error).toMatchObject({
        outcome: 'unknown',
        retryable: false,
        attempts: 1,
        idempotencyKey: undefined,
      });
      expect(error.message).toContain(`transact.${name}: `);
      expect(error.message).toContain('Money may have moved: look the call up before you send it again.');
      expect(bodies).toHaveLength(1);
    },
  );

  it('or was a failure of the service names its method', async () => {
    const { transact, bodies } = startEndpoint(() => new Response('', { status: 500 }), { maxRetries: 3 });
    for (const method of ['sale', 'auth', 'credit'] as const) {
      const error = await failureOf(transact[method](sale), ServerError);
      expect(error.message).toContain(
        `look the call up before you send it again. transact.${method}: status 500`,
      );
    }
    expect(bodies).toHaveLength(3);
  });
});
