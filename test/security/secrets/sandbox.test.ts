/** Secrets in requests to the sandbox, valid and invalid. Searches all that it shows, records and stores. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentsClient } from 'payments-client';
import { openSandbox, type Sandbox, testCards } from 'payments-client-sandbox';
import { describe, expect, onTestFinished } from 'vitest';
import { resourceSchemas } from '../../../src/resources/schemas.ts';
import { sessionParams } from '../../support/fixtures.ts';
import { pageOf } from '../../support/sandbox.ts';
import { allowances } from './allowed.ts';
import { by, card } from './calls.ts';
import {
  cardNumber,
  cardNumbers,
  cavv,
  expiry,
  headerKey,
  paymentToken,
  person,
  secretKey,
  securityCode,
  securityKey,
  track1,
  track2,
  webhookSecret,
} from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, once, type Place } from './places.ts';

const publicKey = 'pk_v1_test_shown_to_everyone';
const amount = '12.00';
const wrongNumber = `${cardNumber.slice(0, -1)}0`;

function form(fields: Readonly<Record<string, string>>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' };
}

async function startWithStorage(): Promise<{ sandbox: Sandbox; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  // Real time would make signatures that hold digits of a canary by chance.
  const settings = {
    secretKey,
    securityKey,
    publicKey,
    startsAt: Date.UTC(2026, 0, 1),
    signedAt: 'clock',
  } as const;
  const sandbox = await openSandbox(join(folder, 'sandbox.data'), { ...settings, velocityRules: 'typical' });
  onTestFinished(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  return { sandbox, folder };
}

/** Sends a request without a socket, which is cheaper and arrives at the same code. */
function request(sandbox: Sandbox, path: string, init?: RequestInit): Promise<Response> {
  return sandbox.fetch(new Request(new URL(path, sandbox.url), init));
}

/** Reads everything that the control API shows. */
async function readControl(sandbox: Sandbox, out: Outputs): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const read = async (path: string) => {
    const text = await (await request(sandbox, `/_sandbox/${path}`, { headers })).text();
    out.add(`control: ${path.split(/[?/]/, 1)}`, text);
    return text;
  };
  const lists = ['events', 'requests', 'deliveries', 'entries'].map((list) => `${list}?limit=500`);
  for (const path of ['state', 'faults', 'endpoints', ...lists]) await read(path);
  for (const { id } of sandbox.events) await read(`events/${id}`);
  const kinds = [...Object.keys(resourceSchemas), 'transaction', 'payment_token', 'reply'];
  for (const kind of kinds) await read(`objects?kind=${kind}&limit=100`);
  const { data }: { data: readonly { id: string }[] } = JSON.parse(await read('stories?limit=500'));
  for (const { id } of data) {
    await read(`stories/${encodeURIComponent(id)}`);
    await read(`stories/${encodeURIComponent(id)}/test`);
  }
}

/** Adds what a subscriber of the event stream receives meanwhile. */
async function follow(sandbox: Sandbox, out: Outputs, happen: () => Promise<void>): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const { body } = await request(sandbox, '/_sandbox/events?follow', { headers });
  if (body === null) throw new Error('expected a stream');
  const reader = body.getReader();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
  })();
  await happen();
  await reader.cancel();
  out.add('stream', await reading);
}

/** Returns the texts in a database, each once: its log repeats whole pages. */
function textsIn(bytes: Buffer): string {
  return [...new Set(bytes.toString().split(/\p{Cc}+/u))].join('\n');
}

/** Adds what the program that embeds a sandbox sees, and what it stores. */
async function readStored(sandbox: Sandbox, folder: string, out: Outputs): Promise<void> {
  const { events, transactions, webhooks } = sandbox;
  out.add('lists', { events, transactions, deliveries: webhooks.deliveries() });
  out.add('snapshot', sandbox.snapshot());
  out.add('sandbox', [sandbox, sandbox.fork()]);
  const files = await readdir(folder);
  expect(files).toContain('sandbox.data');
  for (const file of files) out.add(file, textsIn(await readFile(join(folder, file))));
}

type Use = (sandbox: Sandbox, out: Outputs) => Promise<void>;

/**
 * Uses a sandbox in each of these ways, while its webhooks and faults are in use too, and adds everything that it shows.
 *
 * @param stores Whether an object may hold the secret, as with the service. Then only what is shown is searched.
 */
function sandboxWith(uses: readonly Use[], stores = false): Place<undefined> {
  return async (_, out) => {
    const stored = new Outputs();
    const { sandbox, folder } = await startWithStorage();
    sandbox.watch((activity) => stored.add('activity', activity));
    // The record of a delivery keeps the signed body byte for byte, as its doc comment says.
    if (!stores) {
      const echo = async (request: { text(): Promise<string> }) => new Response(await request.text());
      sandbox.webhooks.deliverTo(echo, { secret: webhookSecret });
    }
    sandbox.faults.inject({ kind: 'latency', ms: 0, times: 1000 });
    await follow(sandbox, out, async () => {
      for (const use of uses) await use(sandbox, out);
      await sandbox.settled();
    });
    out.add('lists', [sandbox.requests, sandbox.faults.history()]);
    await readControl(sandbox, out);
    if (stores) return;
    await readStored(sandbox, folder, stored);
    // Its own keys are stored, since they are valid nowhere else.
    expect(stored.leaks(allowances.ownPeople, allowances.ownKeys)).toEqual([]);
  };
}

/** Sends valid cards through the SDK. */
const chargeCards: Use = async ({ url: baseUrl, fetch }) => {
  const options = { baseUrl, fetch, secretKey, securityKey, maxRetries: 0 };
  const { transact } = new PaymentsClient(options);
  const payer = { ...card, email: person.email, address1: person.line1 };
  await transact.sale({ amount, ...payer, cardholder_auth: 'Y', cavv, eci: '05' });
  await transact.auth({ amount, ...payer });
  for (const ccnumber of cardNumbers) await transact.validate({ ...card, ccnumber });
  await transact.sale({ amount: '0.10', ...card });
  await transact.sale({ amount, ...card, ccexp: '0120' });
  await transact.sale({ amount, payment_token: paymentToken });
  await transact.sale({ amount, payment_token: paymentToken });
  const multipart = new PaymentsClient({ ...options, formEncoding: 'multipart' });
  await multipart.transact.credit({ amount, ...card });
};

/** Sends wrong forms, with the right and a wrong key, and some whose reply is lost. */
const sendWrongForms: Use = async (sandbox) => {
  const { faults } = sandbox;
  const send = (init: RequestInit) => request(sandbox, '/api/transact.php', init);
  const forms: readonly Readonly<Record<string, string>>[] = [
    { type: 'sale', amount, ccnumber: wrongNumber, ccexp: expiry, cvv: securityCode },
    { type: 'sale', amount, ...card, ccexp: `${expiry}x` },
    { type: 'sale', amount, ...card, cvv: `${securityCode}0` },
    { type: 'sale', amount: cardNumber, ccnumber: track2, ccexp: expiry },
    { type: 'sale', amount, ...card, track_1: track1, track_2: track2 },
    { type: 'sale', amount, ...card, track_1: securityCode, track_2: expiry },
    { type: cardNumber, amount },
    { type: 'capture', transactionid: cardNumber, amount },
    { type: 'sale', amount, payment_token: paymentToken, ccnumber: cardNumber },
  ];
  for (const fields of forms) {
    expect((await send(form({ security_key: securityKey, ...fields }))).status).toBe(200);
    await send(form({ security_key: headerKey, ...fields }));
    const body = new FormData();
    for (const [name, value] of Object.entries({ security_key: securityKey, ...fields }))
      body.set(name, value);
    await send({ method: 'POST', body });
  }
  for (const kind of ['drop_request', 'unavailable'] as const) {
    faults.clear();
    faults.inject({ kind });
    await send(form({ security_key: securityKey, type: 'sale', amount, ...card })).catch(() => {});
  }
};

type Send = (path: string, body?: string, type?: string) => Promise<void>;

/** Sends requests to the JSON API with the right and a wrong key. */
function toApi(requests: (send: Send, key: string) => Promise<void>): Use {
  return async (sandbox) => {
    for (const key of [secretKey, headerKey]) {
      await requests(async (path, body, type = 'application/json') => {
        const headers = {
          authorization: `Bearer ${key}`,
          'content-type': type,
          'x-api-key': headerKey,
          cookie: `session=${headerKey}`,
        };
        const init = body === undefined ? { headers } : { method: 'POST', headers, body };
        await (await request(sandbox, path, init)).text();
      }, key);
    }
  };
}

const inGroups = (sign: string) => cardNumber.replace(/(\d{4})(?=\d)/g, `$1${sign}`);
const misplaced = {
  card: { number: cardNumber, cvc: securityCode, expiry },
  track: track2,
  security_key: securityKey,
};

const sendRefused = toApi(async (send) => {
  const bodies: readonly (readonly [path: string, body: object])[] = [
    ['/v1/customers', { ...person, ...misplaced }],
    ['/v1/customers', { email: [cardNumber] }],
    ['/v1/payment_intents', { amount: cardNumber, currency: 'usd', ...misplaced }],
    ['/v1/payment_intents', { amount: 1200, currency: 'usd', ...misplaced }],
  ];
  for (const [path, body] of bodies) await send(path, JSON.stringify(body));
  for (const id of [cardNumber, secretKey, inGroups('-'), encodeURIComponent(inGroups(' '))])
    await send(`/v1/customers/${id}`);
  await send(`/v1/${cardNumber}`);
  await send(`/v1/customers?starting_after=${cardNumber}&key=${cardNumber}&token=${paymentToken}`);
  await send(`/v1/customers?security_key=${encodeURIComponent(securityKey)}`);
  await send('/v1/products', `not JSON: ${cardNumber}`);
  await send('/v1/products', `${cardNumber}=1&a=${cardNumber}`, 'application/x-www-form-urlencoded');
});

const sendAccepted = toApi(async (send) => {
  await send('/v1/customers', JSON.stringify({ metadata: { [cardNumber]: 'a name', note: cardNumber } }));
  await send(
    '/v1/payment_methods',
    JSON.stringify({ type: 'card', ...misplaced, track: undefined, security_key: undefined }),
  );
  const texts = [
    // As a number, as a name, and replaced by a later field of that name.
    `{"note":${cardNumber},"deep":[{"note":${cardNumber}.0}],"long":${cardNumbers[2]},"less":-${cardNumber}}`,
    `{"${cardNumber}":"name","deep":{"${inGroups('-')}":{"${cardNumber}":1}}}`,
    `{"note":"${cardNumber}","note":"replaced"}`,
    ...[' ', '/', ' - ', '\n'].map((sign) => JSON.stringify({ text: inGroups(sign), [inGroups(sign)]: 1 })),
  ];
  for (const text of texts) await send('/v1/products', text);
});

/** Names an order by a card number, and does nothing else with it. */
const nameOrder: Use = async ({ url: baseUrl, fetch }) => {
  const payments = new PaymentsClient({ baseUrl, fetch, secretKey });
  const params = { amount: 1200, currency: 'usd' } as const;
  await payments.paymentIntents.create(params, { idempotencyKey: `pay ${cardNumber}` });
};

/** Adds a page that the sandbox serves. */
async function show(sandbox: Sandbox, path: string, out: Outputs, init?: RequestInit): Promise<void> {
  const response = await request(sandbox, path, init);
  out.add('page', (await response.text()).replaceAll(/\d\d:\d\d:\d\d GMT/g, 'GMT'));
  out.add(
    'headers',
    [...response.headers].filter(([name]) => name !== 'date'),
  );
}

/** Pays on the hosted page, validly and invalidly. */
const payOnPage: Use = async (sandbox, out) => {
  const payments = new PaymentsClient({ baseUrl: sandbox.url, fetch: sandbox.fetch, secretKey });
  const buyer = { ...person, name: `${person.first_name} ${person.last_name}` };
  for (const number of [cardNumbers[1], wrongNumber, testCards.doNotHonor.number]) {
    const operationId = `order of ${number.slice(-1)}`;
    const session = await payments.checkoutSessions.create(sessionParams, { operationId });
    const path = new URL(pageOf(sandbox, session.id)).pathname;
    await show(sandbox, path, out);
    await show(sandbox, path, out, form({ ...buyer, ...card, ccnumber: number, number, expiry: '11 / 78' }));
    await show(sandbox, path, out, form({ ...card, ccnumber: number, zip: cardNumber }));
    await show(sandbox, path, out);
  }
  expect(sandbox.events.map(({ type }) => type)).toContain('checkout.session.completed');
};

/** Sends cards and tokens as the scripts of a browser do, with the right and a wrong key. */
const useScripts: Use = async (sandbox, out) => {
  const keyed = { apiKey: publicKey, token: paymentToken, ...card };
  // The code of such a card has four digits.
  const ccnumber = cardNumbers[1];
  for (const path of ['/browser/device-sessions', '/browser/authentications', '/browser/tokens']) {
    await show(sandbox, path, out, form({ ...keyed, ccnumber }));
    await show(sandbox, path, out, form(keyed));
    await show(sandbox, path, out, form({ ...keyed, ccnumber: wrongNumber, ccexp: `${expiry}x` }));
    await show(sandbox, path, out, form({ ...keyed, apiKey: secretKey }));
  }
  expect(out.of('page').join()).toMatch(/"token":\s*"tok_/);
  for (const path of ['/', '/js/Gateway.js', '/js/CollectJS.js', '/browser/card-fields'])
    await show(sandbox, path, out);
  await show(sandbox, '/browser/card-fields?origin=https://shop.example', out);
  await show(sandbox, `/browser/challenge?id=${cardNumber}`, out);
};

/** Creates an endpoint, and changes its secret. */
const changeEndpoint: Use = async (sandbox) => {
  const payments = new PaymentsClient({ baseUrl: sandbox.url, fetch: sandbox.fetch, secretKey });
  const url = 'http://127.0.0.1:1/hooks';
  const { id } = await payments.webhookEndpoints.create({ url, enabled_events: ['*'] }, by);
  sandbox.update('webhook_endpoint', id, { secret: webhookSecret });
};

describe('the sandbox is used with secrets', () => {
  noSecretComesOutOf(
    {
      'in forms, right and wrong': sandboxWith([chargeCards, sendWrongForms]),
      'at wrong positions of the JSON API, and of a webhook endpoint': sandboxWith([
        sendRefused,
        changeEndpoint,
      ]),
      'in objects, and in an idempotency key': sandboxWith([sendAccepted, nameOrder], true),
      'on its hosted page, and by the scripts of a browser': sandboxWith([payOnPage, useScripts]),
    },
    {
      given: once,
      from: ['stream', 'lists', 'control: entries', 'control: objects', 'control: stories'],
      // The sandbox stores and shows customers, as the service does.
      allowed: [allowances.ownPeople],
    },
  );
});
