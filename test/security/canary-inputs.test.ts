/**
 * Every method × every place of its arguments × every canary in it: what is given in the wrong place, or badly written, is
 * not repeated by the SDK, whether it refuses it or sends it and fails later.
 */

import {
  ApiError,
  ConfigurationError,
  deriveIdempotencyKey,
  InvalidRequestError,
  type MoneyOptions,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  type RawReadRequest,
  type RouteName,
  Transact,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { everyMethod } from '../support/every-method.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { bySize, size } from '../support/size.ts';
import { allowances } from './canary/allowed.ts';
import { type Canary, cardNumber, everyCanary, secretKey, securityKey } from './canary/canaries.ts';
import { clientWith, type Planting } from './canary/planting.ts';
import { Watch } from './canary/watch.ts';

const baseUrl = 'https://payments.test';
const by: MoneyOptions = { operationId: 'order-1042' };

const refusing = async () => Response.json({ error: { code: 'bad' } }, { status: 400 });
const breaking = async () => {
  throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
};

function clientOf(watch: Watch, options: PaymentsClientOptions = {}): PaymentsClient {
  return new PaymentsClient({
    ...watch.options,
    baseUrl,
    secretKey,
    securityKey,
    maxRetries: 1,
    fetch: refusing,
    ...options,
  });
}

async function failureOf(run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Every place of an argument, and how a canary stands in it. */
const places: Readonly<Record<string, (canary: string) => Planting>> = {
  'an id': (canary) => ({ id: () => canary }),
  'an id, after a prefix': (canary) => ({ id: (id) => `${id.split('_')[0]}_${canary}` }),
  'an id, with a stray character': (canary) => ({ id: () => `${canary}\ud800` }),
  'an id, as a list': (canary) => ({ id: () => [canary] }),
  'the parameters themselves': (canary) => ({ params: () => new String(canary) }),
  'every field': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, canary])),
  }),
  'every field, as a list': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, [canary, { canary }]])),
  }),
  'every field, as a number': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, Number(canary)])),
  }),
  'a field of its own': (canary) => ({ params: (params) => ({ ...params, card: canary, note: [canary] }) }),
  metadata: (canary) => ({ params: (params) => ({ ...params, metadata: { note: canary } }) }),
  'metadata of a wrong type': (canary) => ({
    params: (params) => ({ ...params, metadata: { note: [canary] } }),
  }),
  'what JSON cannot hold': (canary) => ({ params: (params) => ({ ...params, note: [canary, 1n] }) }),
  'the cursor and the limit': (canary) => ({
    params: (params) => ({ ...params, starting_after: canary, limit: canary, offset: canary }),
  }),
};

/** A number of a card, or a key, may also stand where a name is expected. */
const names: typeof places = {
  'the name of a field': (canary) => ({ params: (params) => ({ ...params, [canary]: { [canary]: 1n } }) }),
  'the name of an entry of metadata': (canary) => ({
    params: (params) => ({ ...params, metadata: { [canary]: 7 } }),
  }),
  'the name of a parameter of a list': (canary) => ({ params: (params) => ({ ...params, [canary]: [7] }) }),
};

/** What is known wherever it stands: the keys of the client, card numbers, and secrets with a prefix of the service. */
const recognisable = everyCanary.filter(
  ({ name, kind }) => kind === 'card number' || /Key$|webhooks/.test(name),
);
const ofRequests = everyCanary.filter(({ name }) => !/header|proxy/.test(name));
const unmistakable = recognisable.filter(({ name }) => name !== 'securityKey');

const routeNames = Object.keys(everyMethod) as RouteName[];

/** What every canary of some leaves shown, each with a share of the methods, small in the short form; in the long form each with all of them. */
async function leaksOfAll(
  canaries: readonly Canary[],
  plant: (canary: string) => Planting,
): Promise<string[]> {
  const found: string[] = [];
  for (const [turn, canary] of canaries.entries()) {
    const share = canaries.length * bySize({ short: 5, all: 1 });
    const names = routeNames.filter((_, index) => size === 'long' || index % share === turn);
    found.push(...(await leaksOf(canary, plant(canary.text), names)));
  }
  return found;
}

async function leaksOf(canary: Canary, planting: Planting, methods: readonly RouteName[]): Promise<string[]> {
  const watch = new Watch();
  for (const name of methods) {
    const client = clientWith(clientOf(watch), planting, by);
    const error = await failureOf(() => {
      const promise = everyMethod[name](client, by);
      watch.see('promise', promise);
      return promise;
    });
    expect(error).toBeInstanceOf(PaymentsError);
    watch.see('error', error);
  }
  return watch.leaks(allowances.shortValues).map((leak) => `${canary.name}: ${leak}`);
}

describe('what is given to a method is not shown', () => {
  it.each(Object.entries(places))('as %s', { timeout: 600_000 }, async (place, plant) => {
    const canaries = place.startsWith('an id') ? recognisable : ofRequests;
    expect(await leaksOfAll(canaries, plant)).toEqual([]);
  });

  it.each(Object.entries(names))('as %s', { timeout: 600_000 }, async (_place, plant) => {
    expect(await leaksOfAll(unmistakable, plant)).toEqual([]);
  });
});

/** Runs a call that fails, and sees what is shown; answers with the error. */
async function watchFailure(watch: Watch, run: () => PromiseLike<unknown>): Promise<unknown> {
  const error = await failureOf(run);
  watch.see('error', error);
  return error;
}

describe('what is given to a request of one\u2019s own is not shown', () => {
  it.each(recognisable)('$name', async ({ text }) => {
    skipBackOff();
    const watch = new Watch();
    const segment = encodeURIComponent(text);
    const requests: RawReadRequest<unknown>[] = [
      { method: 'GET', path: `/v1/cards/${segment}` },
      { method: 'GET', path: `/v1/cards/${segment}?x` },
      { method: 'GET', path: `v1/${text}` },
      { method: 'GET', path: '/v1/cards', query: { number: text } },
      { method: 'DELETE', path: `/v1/cards/${segment}`, parse: () => Promise.reject(text) },
    ];
    for (const request of requests) {
      for (const fetch of [refusing, breaking]) {
        const error = await watchFailure(watch, () => clientOf(watch, { fetch }).request(request));
        expect(error).toBeInstanceOf(PaymentsError);
      }
    }
    const reading = clientOf(watch, { fetch: async () => Response.json({}) });
    const parse = () => {
      throw new Error(`cannot read ${text}`);
    };
    const unread = await watchFailure(watch, () => reading.request({ method: 'GET', path: '/v1', parse }));
    expect(unread).toBeInstanceOf(PaymentsError);
    expect(watch.leaks()).toEqual([]);
  });

  it('but for its key, which is made from the path as it is', async () => {
    const paths: unknown[] = [];
    for (const path of [`/v1/${cardNumber}`, `/v1/${secretKey}`]) {
      const payments = clientOf(new Watch());
      const error = await failureOf(() => payments.request({ method: 'POST', path, body: {} }, by));
      paths.push(error instanceof ApiError && error.idempotencyKey);
    }
    expect(paths).toEqual(
      [cardNumber, secretKey].map((text) => deriveIdempotencyKey(`POST /v1/${text}`, 'order-1042')),
    );
  });
});

type Bad = Record<string, unknown>;

/** Every option of a client and of a call, given a canary in every form that it could have there. */
const badOptions: Readonly<Record<string, (canary: string) => Bad>> = {
  secretKey: (canary) => ({ secretKey: [canary] }),
  'secretKey with a blank': (canary) => ({ secretKey: ` ${canary}` }),
  'secretKey by a function that throws': (canary) => ({ secretKey: () => Promise.reject(new Error(canary)) }),
  'secretKey by a function that gives something else': (canary) => ({ secretKey: () => ({ canary }) }),
  securityKey: (canary) => ({ securityKey: { canary } }),
  'securityKey with a line break': (canary) => ({ securityKey: `${canary}\n` }),
  baseUrl: (canary) => ({ baseUrl: canary }),
  'the scheme of baseUrl': (canary) => ({ baseUrl: `${canary.replace(/[^a-z\d]/gi, '')}://payments.test` }),
  'the user of baseUrl': (canary) => ({ baseUrl: `https://${encodeURIComponent(canary)}@payments.test` }),
  'the password of baseUrl': (canary) => ({
    baseUrl: `https://u:${encodeURIComponent(canary)}@payments.test`,
  }),
  'the query of baseUrl': (canary) => ({
    baseUrl: `https://payments.test/?key=${encodeURIComponent(canary)}`,
  }),
  'the fragment of baseUrl': (canary) => ({
    baseUrl: `https://payments.test/#${encodeURIComponent(canary)}`,
  }),
  headers: (canary) => ({ headers: canary }),
  'the authorization of headers': (canary) => ({ headers: { authorization: `Basic ${canary}` } }),
  'a cookie of headers': (canary) => ({ headers: { cookie: `session=${canary}\nx` } }),
  'a list for headers': (canary) => ({ headers: { 'x-api-key': [canary] } }),
  'a number for a header': (canary) => ({ headers: { 'x-api-key': Number(canary) } }),
  'the name of a header': (canary) => ({ headers: { [`${canary} `]: 'x' } }),
  timeout: (canary) => ({ timeout: canary }),
  'a number for timeout': (canary) => ({ timeout: Number(canary) }),
  totalTimeout: (canary) => ({ totalTimeout: [canary] }),
  maxRetries: (canary) => ({ maxRetries: { canary } }),
  logger: (canary) => ({ logger: { debug: canary } }),
  hooks: (canary) => ({ hooks: { request: canary } }),
  fetch: (canary) => ({ fetch: canary }),
  validation: (canary) => ({ validation: canary }),
  allowInsecure: (canary) => ({ allowInsecure: canary }),
  itemsField: (canary) => ({ itemsField: [canary] }),
  formEncoding: (canary) => ({ formEncoding: canary }),
  throwOnDecline: (canary) => ({ throwOnDecline: canary }),
  routes: (canary) => ({ routes: canary }),
  'the name of a route': (canary) => ({ routes: { [canary]: 'GET /v1' } }),
  'a route': (canary) => ({ routes: { 'refunds.retrieve': `GET ${canary} {id}` } }),
  'placeholders of a route': (canary) => ({
    routes: { 'refunds.retrieve': `GET /v1/{id}/{${canary.replace(/\W/g, '')}}` },
  }),
  'an option that there is not': (canary) => ({ [canary]: canary }),
  signal: (canary) => ({ signal: canary }),
  operationId: (canary) => ({ operationId: [canary] }),
  idempotencyKey: (canary) => ({ operationId: undefined, idempotencyKey: ` ${canary}` }),
  'operationId and idempotencyKey': (canary) => ({ operationId: canary, idempotencyKey: canary }),
  checkIds: (canary) => ({ checkIds: canary }),
  prefetch: (canary) => ({ prefetch: canary }),
};

describe('what is given as an option is not shown', () => {
  it.each(Object.keys(badOptions))('%s', async (name) => {
    skipBackOff();
    const found: string[] = [];
    let refusals = 0;
    for (const canary of unmistakable) {
      const watch = new Watch().processToo();
      const options = badOptions[name]?.(canary.text) ?? {};
      const runs: (() => PromiseLike<unknown>)[] = [
        () => clientOf(watch, options).refunds.create({ charge_id: 'ch_1' }, by),
        () =>
          new Transact({ ...watch.options, baseUrl, fetch: refusing, securityKey, ...options }).sale({
            amount: '1.00',
            payment_token: 'tok_unit',
          }),
        () => clientOf(watch).refunds.create({ charge_id: 'ch_1' }, { ...by, ...options }),
        () => clientOf(watch).refunds.list({}, options),
        () => clientOf(watch).transact.sale({ amount: '1.00', payment_token: 'tok_unit' }, options),
      ];
      for (const run of runs) {
        const error = await watchFailure(watch, run);
        if (error instanceof ConfigurationError || error instanceof InvalidRequestError) refusals += 1;
      }
      found.push(...watch.leaks().map((leak) => `${canary.name}: ${leak}`));
    }
    expect(found).toEqual([]);
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('what only watches is not told what it is not to know', () => {
  it('where a hook fails with what it saw elsewhere', async () => {
    for (const { text } of recognisable) {
      const watch = new Watch();
      const fail = () => Promise.reject(new Error(text));
      await failureOf(() =>
        clientOf(watch, { hooks: { request: fail, response: fail, error: fail } }).refunds.list(),
      );
      await vi.waitFor(() => expect(watch.shown('log.warn')).toHaveLength(3));
      expect(watch.leaks()).toEqual([]);
    }
  });
});
