/**
 * A function gives another key for each call. The key that it has rotated away and the one that it has rotated to are both hidden, for
 * as long as something can show them. No key here has a prefix, so they are known by value alone.
 */

import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { startTelemetry } from '../../support/telemetry.ts';
import { baseUrl, errorOf } from './calls.ts';
import { headerKey, proxyPassword, securityKey } from './canaries.ts';
import { encodings } from './encodings.ts';
import { addTelemetry } from './loggers.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, type Place, placesOf } from './places.ts';
import { answers } from './responses.ts';

const keys = [securityKey, headerKey, proxyPassword];

/** An option that takes such a function, and a call that asks it. */
interface Source {
  readonly options: (key: () => string) => PaymentsClientOptions;
  readonly call: (payments: PaymentsClient, operationId: string) => PromiseLike<unknown>;
}

const retrieve: Source['call'] = (p, id) => p.refunds.retrieve(id);
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
  Object.values(answers).map((answer) => (text: string) => answer(encode(text))),
);

/** Makes a call with each key. The service, `fetch`, hooks and later calls without this key repeat all those used so far. */
function rotate({ options, call }: Source): Place<(text: string) => Response> {
  return async (answer, out) => {
    const used: string[] = [];
    const key = () => keys[used.push(keys[used.length] ?? '') - 1] ?? '';
    const text = () => used.join(' and ');
    const telemetry = startTelemetry();
    const fail = () => Promise.reject(new Error(text()));
    for (const hooks of [{ ...out.options.hooks, request: fail, error: fail }, telemetry.hooks]) {
      used.length = 0;
      const { logger } = out.options;
      const fetch = async () => answer(text());
      const payments = new PaymentsClient({ logger, baseUrl, maxRetries: 0, fetch, hooks, ...options(key) });
      for (const one of keys) await errorOf(out, () => call(payments, `order_${one.length}`));
      expect(used).toEqual(keys);
      // A call that needs no such key may still show them.
      if (call === sell) await errorOf(out, () => retrieve(payments, ''));
      out.add('client', payments);
    }
    await addTelemetry(out, telemetry);
  };
}

describe('a function rotates', () => {
  const from = ['error', 'log.warn', 'log.error', 'client', 'span'];
  noSecretComesOutOf(placesOf(sources, rotate), { given: echoes, nth: 145, from });
});

/** A promise and its end. */
function latch() {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { open, isOpen };
}

it('a call that is under way hides the key that it was sent with, and the keys of later calls', async () => {
  const out = new Outputs();
  const remaining = keys.values();
  const { open, isOpen } = latch();
  const payments = new PaymentsClient({
    ...out.options,
    baseUrl,
    maxRetries: 0,
    secretKey: () => remaining.next().value ?? '',
    // The first call has shown something before it learns of the other keys.
    hooks: { request: () => Promise.reject(new Error('broken hook')) },
    fetch: async ({ url }) => {
      if (!url.endsWith('rf_1')) return new Response('', { status: 401 });
      await isOpen;
      return Response.json({ message: `no ${keys.join(' or ')}` }, { status: 401 });
    },
  });
  const first = errorOf(out, () => retrieve(payments, 'rf_1'));
  for (const id of ['rf_2', 'rf_3']) await errorOf(out, () => retrieve(payments, id));
  open();
  expect(await first).toMatchObject({
    message: expect.stringContaining('no [redacted] or [redacted] or [redacted]'),
  });
  expect(out.of('error')).toHaveLength(3);
  expect(out.leaks()).toEqual([]);
});

/** More keys than the SDK remembers, each of a character of its own. */
const many = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn'].map((letter) => letter.repeat(20));

it('each of more calls at once than the SDK remembers keys hides its own', async () => {
  const out = new Outputs();
  const remaining = many.values();
  const { open, isOpen } = latch();
  const payments = new PaymentsClient({
    ...out.options,
    baseUrl,
    secretKey,
    securityKey: () => remaining.next().value ?? '',
    fetch: async (request) => {
      const key = new URLSearchParams(await request.text()).get('security_key');
      if (key === many.at(-1)) open();
      await isOpen;
      return new Response(`no such key: ${key}`, { status: 401 });
    },
  });
  await Promise.all(many.map((operationId) => errorOf(out, () => sell(payments, operationId))));
  const shown = JSON.stringify([out.of('error').map(String), out.of('log.error')]);
  expect(shown.match(/no such key: \[redacted\]/g)?.length).toBeGreaterThanOrEqual(many.length);
  expect(shown).not.toMatch(/([A-Za-n])\1{9}/);
});

/** Makes a call with each of these keys, then one with the last of them for each text that the service repeats. */
async function messagesAfter(secretKeys: readonly string[], told: readonly string[]): Promise<string[]> {
  const used = secretKeys.values();
  let message = '';
  const payments = new PaymentsClient({
    baseUrl,
    securityKey,
    maxRetries: 0,
    secretKey: () => used.next().value ?? secretKeys.at(-1) ?? '',
    fetch: async () => Response.json({ message: `<${message}>` }, { status: 400 }),
  });
  const shown = async () => {
    const error: unknown = await Promise.resolve(retrieve(payments, 'rf_1')).catch(
      (reason: unknown) => reason,
    );
    return /<(.*)>/.exec(String(error))?.[1] ?? '';
  };
  for (const _ of secretKeys) await shown();
  const messages: string[] = [];
  for (message of told) messages.push(await shown());
  return messages;
}

it('the secret of an option is hidden however often another key is rotated', async () => {
  expect(await messagesAfter(many, [securityKey])).toEqual(['[redacted]']);
});

it('a key that comes back again and again is hidden however many others there are, and so are the latest of these', async () => {
  const [first = '', ...others] = many;
  const turns = others.flatMap((key) => [first, key]);
  const latest = others.slice(-31);
  const [forgotten = ''] = others.slice(-32);
  const messages = await messagesAfter(turns, [first, ...latest, forgotten]);
  expect(messages).toEqual([first, ...latest].map(() => '[redacted]').concat(forgotten));
});
