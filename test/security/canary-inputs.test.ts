/**
 * Passes every canary in every argument of every method. The SDK does not repeat a misplaced or malformed argument, whether it
 * refuses it or sends it and fails later.
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
import { bySize, everyNth, size } from '../support/size.ts';
import { allowances } from './canary/allowed.ts';
import { type Canary, cardNumber, everyCanary, secretKey, securityKey } from './canary/canaries.ts';
import { OutputCollector } from './canary/output-collector.ts';
import { clientWith, type Planting } from './canary/planting.ts';

const baseUrl = 'https://payments.test';
const by: MoneyOptions = { operationId: 'order-1042' };

const refusing = async () => Response.json({ error: { code: 'bad' } }, { status: 400 });
const breaking = async () => {
  throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
};

function clientOf(collector: OutputCollector, options: PaymentsClientOptions = {}): PaymentsClient {
  return new PaymentsClient({
    ...collector.options,
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

/** Every position within the arguments, and the form of the canary there. */
const places: Readonly<Record<string, (canary: string) => Planting>> = {
  'an id': (canary) => ({ id: () => canary }),
  'an id with a prefix': (canary) => ({ id: (id) => `${id.split('_')[0]}_${canary}` }),
  'an id with an invalid character': (canary) => ({ id: () => `${canary}\ud800` }),
  'an array as id': (canary) => ({ id: () => [canary] }),
  'the parameters': (canary) => ({ params: () => new String(canary) }),
  'every field': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, canary])),
  }),
  'every field, as an array': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, [canary, { canary }]])),
  }),
  'every field, as a number': (canary) => ({
    params: (params) => Object.fromEntries(Object.keys(params).map((name) => [name, Number(canary)])),
  }),
  'an unknown field': (canary) => ({ params: (params) => ({ ...params, card: canary, note: [canary] }) }),
  metadata: (canary) => ({ params: (params) => ({ ...params, metadata: { note: canary } }) }),
  'metadata of a wrong type': (canary) => ({
    params: (params) => ({ ...params, metadata: { note: [canary] } }),
  }),
  'what JSON cannot hold': (canary) => ({ params: (params) => ({ ...params, note: [canary, 1n] }) }),
  'the cursor and the limit': (canary) => ({
    params: (params) => ({ ...params, starting_after: canary, limit: canary, offset: canary }),
  }),
};

/** A card number or a key may also be passed as a name. */
const names: typeof places = {
  'a field name': (canary) => ({ params: (params) => ({ ...params, [canary]: { [canary]: 1n } }) }),
  'a name in metadata': (canary) => ({
    params: (params) => ({ ...params, metadata: { [canary]: 7 } }),
  }),
  'the parameter name of a list': (canary) => ({ params: (params) => ({ ...params, [canary]: [7] }) }),
};

/** Canaries that are recognized anywhere: the client's keys, card numbers, and secrets with a prefix of the service. */
const recognizable = everyCanary.filter(
  ({ name, kind }) => kind === 'card number' || /Key$|webhooks/.test(name),
);
const ofRequests = everyCanary.filter(({ name }) => !/header|proxy/.test(name));
const unmistakable = recognizable.filter(({ name }) => name !== 'securityKey');

const routeNames = Object.keys(everyMethod) as RouteName[];

/**
 * Collects the leaks of every canary, each with a share of the methods (a small one in the short form, all of them in the long
 * form).
 */
async function leaksOfAll(
  canaries: readonly Canary[],
  plant: (canary: string) => Planting,
): Promise<string[]> {
  const found: string[] = [];
  for (const [turn, canary] of canaries.entries()) {
    const share = canaries.length * bySize({ short: 90, all: 1 });
    const names = routeNames.filter((_, index) => size === 'long' || index % share === turn);
    found.push(...(await leaksOf(canary, plant(canary.text), names)));
  }
  return found;
}

async function leaksOf(canary: Canary, planting: Planting, methods: readonly RouteName[]): Promise<string[]> {
  const collector = new OutputCollector();
  for (const name of methods) {
    const client = clientWith(clientOf(collector), planting, by);
    const error = await failureOf(() => {
      const promise = everyMethod[name](client, by);
      collector.add('promise', promise);
      return promise;
    });
    expect(error).toBeInstanceOf(PaymentsError);
    collector.add('error', error);
  }
  return collector.leaks(allowances.shortValues).map((leak) => `${canary.name}: ${leak}`);
}

describe('the arguments of a method are not output', () => {
  it.each(everyNth(Object.entries(places), 3))('as %s', async (place, plant) => {
    const canaries = place.startsWith('an id') ? recognizable : ofRequests;
    expect(await leaksOfAll(canaries, plant)).toEqual([]);
  });

  it.each(Object.entries(names))('as %s', async (_place, plant) => {
    expect(await leaksOfAll(unmistakable, plant)).toEqual([]);
  });
});

/** Runs a call that fails, and collects the output. Returns the error. */
async function collectFailure(collector: OutputCollector, run: () => PromiseLike<unknown>): Promise<unknown> {
  const error = await failureOf(run);
  collector.add('error', error);
  return error;
}

describe('the arguments of `request` are not output', () => {
  it.each(everyNth(recognizable, 2))('$name', async ({ text }) => {
    skipBackOff();
    const collector = new OutputCollector();
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
        const error = await collectFailure(collector, () => clientOf(collector, { fetch }).request(request));
        expect(error).toBeInstanceOf(PaymentsError);
      }
    }
    const reading = clientOf(collector, { fetch: async () => Response.json({}) });
    const parse = () => {
      throw new Error(`cannot read ${text}`);
    };
    const unread = await collectFailure(collector, () =>
      reading.request({ method: 'GET', path: '/v1', parse }),
    );
    expect(unread).toBeInstanceOf(PaymentsError);
    expect(collector.leaks()).toEqual([]);
  });

  it('except its idempotency key, which contains the path', async () => {
    const paths: unknown[] = [];
    for (const path of [`/v1/${cardNumber}`, `/v1/${secretKey}`]) {
      const payments = clientOf(new OutputCollector());
      const error = await failureOf(() => payments.request({ method: 'POST', path, body: {} }, by));
      paths.push(error instanceof ApiError && error.idempotencyKey);
    }
    expect(paths).toEqual(
      [cardNumber, secretKey].map((text) => deriveIdempotencyKey(`POST /v1/${text}`, 'order-1042')),
    );
  });
});

type Bad = Record<string, unknown>;

/** Every option of a client and of a call, with a canary in each position. */
const badOptions: Readonly<Record<string, (canary: string) => Bad>> = {
  secretKey: (canary) => ({ secretKey: [canary] }),
  'secretKey with a space': (canary) => ({ secretKey: ` ${canary}` }),
  'secretKey from a function that throws': (canary) => ({
    secretKey: () => Promise.reject(new Error(canary)),
  }),
  'secretKey from a function that returns another type': (canary) => ({ secretKey: () => ({ canary }) }),
  securityKey: (canary) => ({ securityKey: { canary } }),
  'securityKey with a line break': (canary) => ({ securityKey: `${canary}\n` }),
  baseUrl: (canary) => ({ baseUrl: canary }),
  'the scheme of baseUrl': (canary) => ({ baseUrl: `${canary.replace(/[^a-z\d]/gi, '')}://payments.test` }),
  'the user name of baseUrl': (canary) => ({
    baseUrl: `https://${encodeURIComponent(canary)}@payments.test`,
  }),
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
  'an array as headers': (canary) => ({ headers: { 'x-api-key': [canary] } }),
  'a number as a header': (canary) => ({ headers: { 'x-api-key': Number(canary) } }),
  'a header name': (canary) => ({ headers: { [`${canary} `]: 'x' } }),
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
  'a route name': (canary) => ({ routes: { [canary]: 'GET /v1' } }),
  'a route': (canary) => ({ routes: { 'refunds.retrieve': `GET ${canary} {id}` } }),
  'the placeholders of a route': (canary) => ({
    routes: { 'refunds.retrieve': `GET /v1/{id}/{${canary.replace(/\W/g, '')}}` },
  }),
  'an unknown option': (canary) => ({ [canary]: canary }),
  signal: (canary) => ({ signal: canary }),
  operationId: (canary) => ({ operationId: [canary] }),
  idempotencyKey: (canary) => ({ operationId: undefined, idempotencyKey: ` ${canary}` }),
  'operationId and idempotencyKey': (canary) => ({ operationId: canary, idempotencyKey: canary }),
};

describe('the value of an option is not output:', () => {
  it.each(everyNth(Object.keys(badOptions), 2))('%s', async (name) => {
    skipBackOff();
    const found: string[] = [];
    let refusals = 0;
    for (const canary of everyNth(unmistakable, 3, Object.keys(badOptions).indexOf(name))) {
      const collector = new OutputCollector().withProcess();
      const options = badOptions[name]?.(canary.text) ?? {};
      const runs: (() => PromiseLike<unknown>)[] = [
        () => clientOf(collector, options).refunds.create({ charge_id: 'ch_1' }, by),
        () =>
          new Transact({ ...collector.options, baseUrl, fetch: refusing, securityKey, ...options }).sale({
            amount: '1.00',
            payment_token: 'tok_unit',
          }),
        () => clientOf(collector).refunds.create({ charge_id: 'ch_1' }, { ...by, ...options }),
        () => clientOf(collector).refunds.list({}, options),
        () => clientOf(collector).transact.sale({ amount: '1.00', payment_token: 'tok_unit' }, options),
      ];
      for (const run of runs) {
        const error = await collectFailure(collector, run);
        if (error instanceof ConfigurationError || error instanceof InvalidRequestError) refusals += 1;
      }
      found.push(...collector.leaks().map((leak) => `${canary.name}: ${leak}`));
    }
    expect(found).toEqual([]);
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('a failing hook does not output secrets', () => {
  it('that it read from its event', async () => {
    for (const { text } of everyNth(recognizable, 3)) {
      const collector = new OutputCollector();
      const fail = () => Promise.reject(new Error(text));
      await failureOf(() =>
        clientOf(collector, { hooks: { request: fail, response: fail, error: fail } }).refunds.list(),
      );
      await vi.waitFor(() => expect(collector.outputOf('log.warn')).toHaveLength(3));
      expect(collector.leaks()).toEqual([]);
    }
  });
});
