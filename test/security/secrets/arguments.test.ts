/** A secret is passed at a wrong position of the arguments of a method, or in a wrong form. */

import {
  ApiError,
  CardholderAuthenticationError,
  deriveIdempotencyKey,
  InvalidRequestError,
  PaymentsClient,
  PaymentsError,
  type RawReadRequest,
  RequestAbortedError,
  type RouteName,
  Transact,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { everyMethod } from '../../support/every-method.ts';
import { failureOf } from '../../support/failure.ts';
import { allowances } from './allowed.ts';
import { baseUrl, by, card, errorOf, optionsFor } from './calls.ts';
import {
  type Canary,
  cardNumber,
  cardNumbers,
  everyCanary,
  expiry,
  proxyPassword,
  secretKey,
  securityCode,
  securityKey,
} from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place, placesOf } from './places.ts';
import { clientWith, type Planting } from './planting.ts';

const refusing = async () => Response.json({ error: { code: 'bad' } }, { status: 400 });
const breaking = async () => {
  throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
};
const clientFor = (out: Outputs, fetch: () => Promise<Response> = refusing) =>
  new PaymentsClient(optionsFor(out, { fetch }));

/** Secrets that are recognized anywhere, even as a name: the client's keys, card numbers, and keys with a prefix. */
const recognizable = everyCanary.filter(
  ({ name, kind }) => kind === 'card number' || /Key$|webhooks/.test(name),
);
const ofRequests = everyCanary.filter(({ name }) => !/header|proxy/.test(name));

type Position = (canary: string) => Planting;

const eachField =
  (wrap: (canary: string) => unknown): Position =>
  (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, wrap(canary)])),
  });
const oneMore =
  (fieldsOf: (canary: string) => object): Position =>
  (canary) => ({ params: (params) => ({ ...params, ...fieldsOf(canary) }) });

const ids: Readonly<Record<string, Position>> = {
  'an id': (canary) => ({ id: () => canary }),
  'an id with a prefix': (canary) => ({ id: (id) => `${id.split('_')[0]}_${canary}` }),
  'an id with an invalid character': (canary) => ({ id: () => `${canary}\ud800` }),
};

const names: typeof ids = {
  'a field name': oneMore((canary) => ({ [canary]: { [canary]: 1n } })),
  'a name in metadata': oneMore((canary) => ({ metadata: { [canary]: 7 } })),
  'the parameter name of a list': oneMore((canary) => ({ [canary]: [7] })),
};

const values: typeof ids = {
  'an array as id': (canary) => ({ id: () => [canary] }),
  'the parameters': (canary) => ({ params: () => new String(canary) }),
  'every field': eachField((canary) => canary),
  'every field, as an array': eachField((canary) => [canary, { canary }]),
  'every field, as a number': eachField(Number),
  'an unknown field': oneMore((canary) => ({ card: canary, note: [canary] })),
  metadata: oneMore((canary) => ({ metadata: { note: canary } })),
  'metadata of a wrong type': oneMore((canary) => ({ metadata: { note: [canary] } })),
  'a value that JSON cannot hold': oneMore((canary) => ({ note: [canary, 1n] })),
  'the cursor and the limit': oneMore((canary) => ({
    starting_after: canary,
    limit: canary,
    offset: canary,
  })),
};

interface Planted {
  readonly canary: Canary;
  readonly method: RouteName;
}

/** Calls a method with a secret at a position. */
function callWith(position: Position): Place<Planted> {
  return async ({ canary, method }, out) => {
    const client = clientWith(clientFor(out), position(canary.text), by);
    expect(await errorOf(out, () => everyMethod[method](client, by))).toBeInstanceOf(PaymentsError);
  };
}

/** Each method with the next secret. */
function eachWith(canaries: readonly Canary[]): Planted[] {
  const methods = Object.keys(everyMethod) as RouteName[];
  return methods.flatMap((method, index) =>
    canaries.filter((_, turn) => turn === index % canaries.length).map((canary) => ({ canary, method })),
  );
}

describe('a method is called with a secret as', () => {
  const trial = { nth: 28, from: ['error'], allowed: [allowances.shortValues] };
  // A client without a transaction does not know its own securityKey in a name.
  const unmistakable = recognizable.filter(({ name }) => name !== 'securityKey');
  noSecretComesOutOf(placesOf(ids, callWith), { ...trial, given: eachWith(recognizable) });
  noSecretComesOutOf(placesOf(names, callWith), { ...trial, given: eachWith(unmistakable) });
  noSecretComesOutOf(placesOf(values, callWith), { ...trial, given: eachWith(ofRequests) });
});

it.each(['throw', 'warn'] as const)(
  'the own key of a client as a name, which nothing shows to be one (validation: %s)',
  async (validation) => {
    const out = new Outputs();
    const options = optionsFor(out, { fetch: refusing, secretKey: securityKey, validation });
    const params = { [securityKey]: 7, metadata: { [securityKey]: 7 } };
    await errorOf(out, () => new PaymentsClient(options).customers.create(params as never, by));
    expect(out.sources).toContain(validation === 'warn' ? 'log.warn' : 'error');
    expect(out.leaks()).toEqual([]);
  },
);

it('the own key of a `Transact` as a name of a field', async () => {
  const out = new Outputs();
  const transact = new Transact({ ...out.options, baseUrl, securityKey: proxyPassword, fetch: refusing });
  await errorOf(out, () => transact.submit({ type: 'sale', [proxyPassword]: 'x' }));
  expect(out.sources).toContain('error');
  expect(out.leaks()).toEqual([]);
});

describe('`request` is called with a secret as', () => {
  type Build = (text: string) => RawReadRequest<unknown>;
  const requests: Readonly<Record<string, Build>> = {
    'a segment of the path': (text) => ({ method: 'GET', path: `/v1/cards/${encodeURIComponent(text)}` }),
    'a segment before a query': (text) => ({ method: 'GET', path: `/v1/${encodeURIComponent(text)}?x` }),
    'an invalid path': (text) => ({ method: 'GET', path: `v1/${text}` }),
    'a query': (text) => ({ method: 'GET', path: '/v1/cards', query: { number: text } }),
    'the reason of `parse`': (text) => ({
      method: 'GET',
      path: '/v1',
      parse: () => {
        throw new Error(`cannot read ${text}`);
      },
    }),
  };
  const place =
    (build: Build): Place<Canary> =>
    async ({ text }, out) => {
      for (const fetch of [refusing, breaking, async () => Response.json({})])
        await errorOf(out, () => clientFor(out, fetch).request(build(text)));
    };
  noSecretComesOutOf(placesOf(requests, place), { given: recognizable, from: ['error', 'log.error'] });
});

describe('a transaction is sent with a secret in the field', () => {
  const kinds: readonly ((transact: Transact, fields: never) => PromiseLike<unknown>)[] = [
    (transact, fields) => transact.sale(Object.assign({ amount: '12.00' }, fields)),
    (transact, fields) => transact.auth(Object.assign({ amount: '12.00' }, fields)),
    (transact, fields) => transact.credit(Object.assign({ amount: '12.00' }, fields)),
    (transact, fields) => transact.validate(fields),
    (transact, fields) => transact.capture(Object.assign({ transactionid: '316', amount: '5.00' }, fields)),
    (transact, fields) => transact.void(Object.assign({ transactionid: '316' }, fields)),
    (transact, fields) => transact.refund(Object.assign({ transactionid: '316', amount: '5.00' }, fields)),
    (transact, fields) => transact.submit(Object.assign({ type: 'sale' }, fields)),
  ];

  /** A secret unchanged, malformed, of another type, or nested. */
  const wrappings: readonly ((text: string) => unknown)[] = [
    (text) => text,
    (text) => ` ${text}`,
    (text) => `${text}x`,
    (text) => `${text}0`,
    (text) => text.replace(/(....)(?=.)/g, '$1 '),
    (text) => text.replace(/(....)(?=.)/g, '$1.'),
    (text) => (Number.isNaN(Number(text)) ? [text] : Number(text)),
    (text) => (/^\d+$/.test(text) ? BigInt(text) : { text }),
    (text) => ({ value: text, [text]: { deeper: [text] } }),
    (text) => new String(text),
    (text) => Object.assign(() => text, { text }),
    (text) => ({ authenticated: true, cavv: text, xid: [text], eci: {} }),
    (text) => ({ authenticated: false, cavv: text }),
    (text) => text.padEnd(4097, text),
  ];
  /** Each form of each secret, with the next kind of transaction. */
  const given = [...cardNumbers, securityCode, securityKey]
    .flatMap((text) => wrappings.map((wrap) => wrap(text)))
    .map((value, index) => ({ value, call: kinds[index % kinds.length] ?? expect.fail() }));

  // The last one is not in the interface.
  const fieldNames =
    'type amount transactionid payment_token ccnumber ccexp cvv security_key ipaddress email phone address1 city ' +
    'state zip risk_session_id cardholder_auth cavv xid eci threeDSecure orderid';

  const approving = async () => new Response('response=1&responsetext=SUCCESS&transactionid=316');
  const place =
    (field: string): Place<(typeof given)[number]> =>
    async ({ value, call }, out) => {
      const transact = new Transact({ ...out.options, baseUrl, securityKey, fetch: approving });
      const payer = field === 'payment_token' ? {} : { ccnumber: cardNumber, ccexp: expiry };
      const fields = { ...payer, [field]: value };
      const error = await errorOf(out, () => call(transact, fields as never));
      const isRefusal =
        error instanceof InvalidRequestError || error instanceof CardholderAuthenticationError;
      expect(error === undefined || isRefusal).toBe(true);
      out.add('transact', transact);
    };
  const places = fieldNames.split(' ').map((field) => [field, place(field)]);
  noSecretComesOutOf(Object.fromEntries(places), {
    given,
    nth: 24,
    from: ['transact', 'error'],
  });
});

describe('a transaction has a secret in place of', () => {
  const place =
    (call: (transact: Transact, value: never) => PromiseLike<unknown>): Place<unknown> =>
    (value, out) =>
      errorOf(out, () =>
        call(new Transact({ ...out.options, baseUrl, securityKey, fetch: refusing }), value as never),
      );
  const sale = { amount: '12.00', ...card };
  noSecretComesOutOf(
    {
      'its parameters': place((transact, value) => transact.sale(value)),
      'its parameters, of `void`': place((transact, value) => transact.void(value)),
      'its options': place((transact, value) => transact.sale(sale, value)),
    },
    {
      given: [...cardNumbers, securityCode, securityKey, [cardNumber], Number(cardNumber)],
      from: ['error'],
    },
  );
});

describe('a value that the caller names', () => {
  it('is the cause of an abort, but is in no message or log', async () => {
    for (const { text } of everyCanary) {
      const out = new Outputs();
      const signal = AbortSignal.abort(new Error(text));
      const error = await failureOf(clientFor(out).refunds.list({}, { signal }), RequestAbortedError);
      expect(error.cause).toBe(signal.reason);
      const shown = new Outputs();
      shown.add('log', out.of('log.error'));
      shown.add('texts', [error.message, String(error), JSON.stringify(error)]);
      expect(shown.leaks()).toEqual([]);
      expect(out.sources).toContain('log.error');
    }
  });

  it('is the unchanged idempotency key of its call, which is needed to repeat it', async () => {
    const out = new Outputs();
    const call = clientFor(out).refunds.create({ charge_id: 'ch_1' }, { operationId: cardNumber });
    const error = await failureOf(call, ApiError);
    expect(error.idempotencyKey).toBe(deriveIdempotencyKey('refunds.create', cardNumber));
    out.add('error', error);
    expect(out.leaks(allowances.ownIds)).toEqual([]);
  });

  it('is the path in the idempotency key of `request`', async () => {
    for (const text of [cardNumber, secretKey]) {
      const request = { method: 'POST', path: `/v1/${text}`, body: {} } as const;
      const error = await failureOf(clientFor(new Outputs()).request(request, by), ApiError);
      expect(error.idempotencyKey).toBe(deriveIdempotencyKey(`POST /v1/${text}`, by.operationId));
    }
  });
});
