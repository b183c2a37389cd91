/** A secret is the value of a wrong option, or in a part of one. */

import { ConfigurationError, InvalidRequestError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { baseUrl, by, errorOf, optionsFor } from './calls.ts';
import { type Canary, cardNumber, everyCanary, securityKey } from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place, placesOf } from './places.ts';

const refusing = async () => Response.json({ error: { code: 'bad' } }, { status: 400 });
const urlPart = encodeURIComponent;

/** Options of a client or a call that take no text, or another one. */
const whole =
  'timeout logger hooks fetch validation allowInsecure formEncoding throwOnDecline routes signal baseUrl headers';

/** Every option of a client and of a call. */
const values: Readonly<Record<string, (text: string) => object>> = {
  ...Object.fromEntries(whole.split(' ').map((name) => [name, (text: string) => ({ [name]: text })])),
  secretKey: (text) => ({ secretKey: [text] }),
  'secretKey with a space': (text) => ({ secretKey: ` ${text}` }),
  'secretKey from a function that throws': (text) => ({ secretKey: () => Promise.reject(new Error(text)) }),
  'secretKey from a function that returns another type': (text) => ({ secretKey: () => ({ text }) }),
  securityKey: (text) => ({ securityKey: { text } }),
  'securityKey with a line break': (text) => ({ securityKey: `${text}\n` }),
  'securityKey from a function, with a space': (text) => ({ securityKey: () => ` ${text}` }),
  'securityKey from a function that throws': (text) => ({
    securityKey: () => Promise.reject(new Error(text)),
  }),
  'the scheme of baseUrl': (text) => ({ baseUrl: `${text.replace(/[^a-z\d]/gi, '')}://payments.test` }),
  'the user name of baseUrl': (text) => ({ baseUrl: `https://${urlPart(text)}@payments.test` }),
  'the password of baseUrl': (text) => ({ baseUrl: `https://u:${urlPart(text)}@payments.test` }),
  'the query of baseUrl': (text) => ({ baseUrl: `https://payments.test/?key=${urlPart(text)}` }),
  'the fragment of baseUrl': (text) => ({ baseUrl: `https://payments.test/#${urlPart(text)}` }),
  'the authorization of headers': (text) => ({ headers: { authorization: `Basic ${text}` } }),
  'a cookie of headers': (text) => ({ headers: { cookie: `session=${text}\nx` } }),
  'a header with a harmless name': (text) => ({ headers: { 'x-trace': `t ${text}\n` } }),
  'an array as a header': (text) => ({ headers: { 'x-api-key': [text] } }),
  'a number as a header': (text) => ({ headers: { 'x-api-key': Number(text) } }),
  'a number for timeout': (text) => ({ timeout: Number(text) }),
  totalTimeout: (text) => ({ totalTimeout: [text] }),
  maxRetries: (text) => ({ maxRetries: { text } }),
  logger: (text) => ({ logger: { debug: text } }),
  hooks: (text) => ({ hooks: { request: text } }),
  itemsField: (text) => ({ itemsField: [text] }),
  'a route': (text) => ({ routes: { 'refunds.retrieve': `GET ${text} {id}` } }),
  operationId: (text) => ({ operationId: [text] }),
  idempotencyKey: (text) => ({ operationId: undefined, idempotencyKey: ` ${text}` }),
  'operationId and idempotencyKey': (text) => ({ operationId: text, idempotencyKey: text }),
};

/** The names in options. A key that nothing shows to be one is named in the error. */
const names: typeof values = {
  'a header name': (text) => ({ headers: { [`${text} `]: 'x' } }),
  'a route name': (text) => ({ routes: { [text]: 'GET /v1' } }),
  'the placeholders of a route': (text) => ({
    routes: { 'refunds.retrieve': `GET /v1/{id}/{${text.replace(/\W/g, '')}}` },
  }),
  'an unknown option': (text) => ({ [text]: text }),
};

const keysAndCards = everyCanary.filter(
  ({ name, kind }) => kind === 'card number' || /Key$|header|webhooks/.test(name),
);
/** Card numbers, and keys with a prefix of the service. */
const recognizable = keysAndCards.filter(({ name }) => !/securityKey|header/.test(name));

describe('an option is a secret:', () => {
  const payer = { amount: '1.00', payment_token: 'tok_unit' };
  const place =
    (optionsWith: (text: string) => object): Place<Canary> =>
    async ({ text }, out) => {
      const wrong = optionsWith(text);
      const right = optionsFor(out, { fetch: refusing });
      const runs: (() => PromiseLike<unknown>)[] = [
        () => new PaymentsClient({ ...right, ...wrong }).refunds.create({ charge_id: 'ch_1' }, by),
        () => new Transact({ ...out.options, baseUrl, fetch: refusing, securityKey, ...wrong }).sale(payer),
        () => new PaymentsClient(right).refunds.create({ charge_id: 'ch_1' }, { ...by, ...wrong }),
        () => new PaymentsClient(right).refunds.list({}, wrong),
        () => new PaymentsClient(right).transact.sale(payer, wrong),
      ];
      const errors: unknown[] = [];
      for (const run of runs) errors.push(await errorOf(out, run));
      const isRefusal = (error: unknown) =>
        error instanceof ConfigurationError || error instanceof InvalidRequestError;
      expect(errors.some(isRefusal)).toBe(true);
    };
  noSecretComesOutOf(placesOf(values, place), { given: keysAndCards, nth: 6, from: ['error'] });
  noSecretComesOutOf(placesOf(names, place), { given: recognizable, nth: 4, from: ['error'] });
});

describe('a hook fails with a secret that it read from its event', () => {
  it.each(recognizable)('$name', async ({ text }) => {
    const out = new Outputs();
    const fail = () => Promise.reject(new Error(text));
    const hooks = { request: fail, response: fail, error: fail };
    const { refunds } = new PaymentsClient({ ...optionsFor(out, { fetch: refusing }), hooks });
    await errorOf(out, () => refunds.list());
    await vi.waitFor(() => expect(out.of('log.warn')).toHaveLength(3), { timeout: 600_000 });
    expect(out.leaks()).toEqual([]);
  });
});

it('a key of 100,000 characters does not break a call', async () => {
  const out = new Outputs();
  const longKey = `${securityKey}+/=&%-._~!\\"<>`.repeat(2500);
  const fetch = async (request: Request) => new Response(await request.text(), { status: 400 });
  const transact = new Transact({
    ...out.options,
    baseUrl,
    securityKey: longKey,
    fetch: (sent) => fetch(sent as Request),
  });
  await errorOf(out, () => transact.sale({ amount: '1.00', ccnumber: cardNumber, ccexp: '1230' }));
  expect(out.sources).toContain('error');
  expect(out.leaks()).toEqual([]);
});
