/**
 * A function gives another key for each call. The key that it has rotated away and the one that it has rotated to are both hidden, for
 * as long as something can show them. No key here has a prefix, so they are known by value alone.
 */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { startTelemetry } from '../../support/telemetry.ts';
import { baseUrl, by, errorOf } from './calls.ts';
import { headerKey, proxyPassword, securityKey } from './canaries.ts';
import { encodings } from './encodings.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place, placesOf } from './places.ts';
import { answers } from './responses.ts';
import { addTelemetry } from './telemetry.ts';

const keys = [securityKey, headerKey, proxyPassword];

/** An option that takes such a function, and a call that asks it. */
interface Source {
  readonly options: (key: () => string) => PaymentsClientOptions;
  readonly call: (payments: PaymentsClient, operationId: string) => PromiseLike<unknown>;
}

const retrieve: Source['call'] = (p) => p.refunds.retrieve('rf_1');
const create: Source['call'] = (p, operationId) => p.refunds.create({ charge_id: 'ch_1' }, { operationId });
const sell: Source['call'] = (p) => p.transact.sale({ amount: '1.00', payment_token: 'tok_unit' });
const secretKey = 'sk_v1_test_unit0001';

const sources: Readonly<Record<string, Source>> = {
  'secretKey, of a read': { options: (key) => ({ secretKey: key }), call: retrieve },
  'secretKey, of a write': { options: (key) => ({ secretKey: async () => key() }), call: create },
  securityKey: { options: (key) => ({ secretKey, securityKey: key }), call: sell },
};

/** Every response of a service, and every form of what it repeats. */
const echoes = Object.values(encodings).flatMap((encode) =>
  answers.map(
    ({ answer }) =>
      (text: string) =>
        answer(encode(text)),
  ),
);

/** Makes a call with each key. The service, `fetch`, hooks and later calls without this key repeat all those used so far. */
function rotate({ options, call }: Source): Place<(text: string) => Response> {
  return async (answer, out) => {
    const used: string[] = [];
    const key = () => keys[used.push(keys[used.length] ?? '') - 1] ?? '';
    const text = () => used.join(' and ');
    const telemetry = startTelemetry();
    const failing = {
      ...out.options.hooks,
      request: () => Promise.reject(new Error(text())),
      error: () => Promise.reject(new Error(text())),
    };
    for (const hooks of [failing, telemetry.hooks]) {
      used.length = 0;
      const fetch = async () => answer(text());
      const { logger } = out.options;
      const given = { logger, baseUrl, maxRetries: 0, fetch, hooks, ...options(key) };
      const payments = new PaymentsClient(given);
      for (const one of keys) await errorOf(out, () => call(payments, `order of ${one.length}`));
      expect(used).toEqual(keys);
      // A call that needs no such key may still show them.
      if (call === sell) await errorOf(out, () => retrieve(payments, ''));
      out.add('client', payments);
    }
    await addTelemetry(out, telemetry);
  };
}

describe('a function rotates', () => {
  noSecretComesOutOf(placesOf(sources, rotate), {
    given: echoes,
    nth: 97,
    from: ['error', 'log.warn', 'log.error', 'client', 'span'],
  });
});

it('a call that is under way while its key is rotated away hides it', async () => {
  const out = new Outputs();
  const remaining = keys.values();
  let replace = () => {};
  const isReplaced = new Promise<void>((resolve) => (replace = resolve));
  const payments = new PaymentsClient({
    ...out.options,
    baseUrl,
    maxRetries: 0,
    secretKey: () => remaining.next().value ?? '',
    fetch: async ({ url }) => {
      if (url.endsWith('rf_1')) await isReplaced;
      return Response.json({ message: `no ${securityKey}` }, { status: 401 });
    },
  });
  const first = errorOf(out, () => payments.refunds.retrieve('rf_1'));
  for (const id of ['rf_2', 'rf_3']) await errorOf(out, () => payments.refunds.retrieve(id));
  replace();
  await first;
  await errorOf(out, () => payments.refunds.create({ charge_id: 'ch_1' }, by));
  expect(out.of('error')).toHaveLength(4);
  expect(out.leaks()).toEqual([]);
});

it('each of more calls at once than the SDK remembers keys hides its own', async () => {
  const count = 40;
  const keyOf = (call: number) => String.fromCharCode(65 + call).repeat(20);
  const out = new Outputs();
  let calls = 0;
  let start = () => {};
  const areAllSent = new Promise<void>((resolve) => (start = resolve));
  const fetch: PaymentsClientOptions['fetch'] = async (request) => {
    const key = new URLSearchParams(await request.text()).get('security_key');
    if (key === keyOf(count - 1)) start();
    await areAllSent;
    return new Response(`no such key: ${key}`, { status: 401 });
  };
  const payments = new PaymentsClient({
    ...out.options,
    baseUrl,
    secretKey,
    fetch,
    securityKey: () => keyOf(calls++),
  });
  await Promise.all(
    Array.from({ length: count }, (_, call) => errorOf(out, () => sell(payments, `${call}`))),
  );
  const shown = JSON.stringify([out.of('error').map(String), out.of('log.error')]);
  expect(shown.match(/no such key: \[redacted\]/g)?.length).toBeGreaterThanOrEqual(count);
  expect(shown).not.toMatch(/([A-h])\1{9}/);
});

/** More keys than the SDK remembers. */
const many = Array.from(
  { length: 40 },
  (_, number) => `${String.fromCharCode(65 + number).repeat(10)}-rotated-key`,
);

/** Makes a call with each of these secret keys, and returns the message of the last one. The service repeats `told`. */
async function lastMessage(secretKeys: readonly string[], told: string): Promise<string> {
  const next = secretKeys.values();
  const payments = new PaymentsClient({
    baseUrl,
    securityKey,
    maxRetries: 0,
    secretKey: () => next.next().value ?? '',
    fetch: async () => Response.json({ message: `no ${told}` }, { status: 400 }),
  });
  let message = '';
  for (const _ of secretKeys) {
    await payments.refunds.retrieve('rf_1').catch((error: Error) => (message = error.message));
  }
  return message;
}

it('the secret of an option is hidden however often another key is rotated', async () => {
  expect(await lastMessage(many, securityKey)).toContain('no [redacted]');
});

it('a key that comes back again and again is hidden however many others there are, and so are many of these', async () => {
  const [first = '', ...others] = many;
  const turns = others.flatMap((key) => [first, key]);
  expect(await lastMessage(turns, first)).toContain('no [redacted]');
  for (const other of others.slice(-30)) expect(await lastMessage(turns, other)).toContain('no [redacted]');
});

it('a call that is under way hides a key that a later call was given', async () => {
  const [former = '', later = ''] = many;
  const next = [former, later].values();
  let answer = () => {};
  const isLater = new Promise<void>((resolve) => (answer = resolve));
  const payments = new PaymentsClient({
    baseUrl,
    maxRetries: 0,
    secretKey: () => next.next().value ?? '',
    // The first call has shown something before it learns of the other key.
    hooks: { request: () => Promise.reject(new Error('broken hook')) },
    fetch: async ({ url }) => {
      if (url.endsWith('rf_1')) await isLater;
      return Response.json({ message: `use ${later}` }, { status: 400 });
    },
  });
  const first = payments.refunds.retrieve('rf_1').catch((error: Error) => error.message);
  await payments.refunds.retrieve('rf_2').catch(() => {});
  answer();
  expect(await first).toContain('use [redacted]');
});
