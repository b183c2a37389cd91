/**
 * Sends cards, codes, tokens and keys to every endpoint of the sandbox, valid and invalid. Then searches everything that it
 * outputs or stores: lists, snapshot, data file, control API, event stream, pages.
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentsClient } from 'payments-client';
import { openSandbox, type Sandbox, testCards } from 'payments-client/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resourceSchemas } from '../../src/resources/schemas.ts';
import { sessionParams } from '../support/fixtures.ts';
import { pageOf } from '../support/sandbox.ts';
import { everyNth } from '../support/size.ts';
import { type Allowance, allowances } from './canary/allowed.ts';
import {
  cardNumber,
  cardNumbers,
  expiry,
  headerKey,
  paymentToken,
  person,
  secretKey,
  securityCode,
  securityKey,
  track2,
  webhookSecret,
} from './canary/canaries.ts';
import { OutputCollector } from './canary/output-collector.ts';

const card = { ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const publicKey = 'pk_v1_test_shown_to_everyone';

async function startWithStorage(): Promise<{ sandbox: Sandbox; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'canary-'));
  const settings = { secretKey, securityKey, publicKey, startsAt: Date.UTC(2026, 0, 1) };
  const sandbox = await openSandbox(join(folder, 'sandbox.data'), { ...settings, velocityRules: 'typical' });
  await sandbox.listen();
  onTestFinished(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  return { sandbox, folder };
}

function form(fields: Readonly<Record<string, string>>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' };
}

/** Charges valid and invalid cards through the form endpoint. */
async function charge({ url: baseUrl }: Sandbox): Promise<void> {
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, maxRetries: 0 });
  const { transact } = payments;
  const amount = '12.00';
  for (const ccnumber of everyNth(cardNumbers, 3)) {
    await transact.sale({ amount, ...card, ccnumber, email: person.email, address1: person.line1 });
    await transact.auth({ amount, ...card, ccnumber });
    await transact.validate({ ...card, ccnumber });
  }
  await transact.sale({ amount: '0.10', ...card });
  await transact.sale({ amount, ...card, ccexp: '0120' });
  await transact.sale({ amount, payment_token: paymentToken });
  await transact.sale({ amount, payment_token: paymentToken });
  const multipart = new PaymentsClient({ baseUrl, secretKey, securityKey, formEncoding: 'multipart' });
  await multipart.transact.credit({ amount, ...card });
  const wrong = `${cardNumber.slice(0, -1)}0`;
  const bad: Readonly<Record<string, string>>[] = [
    { type: 'sale', amount, ccnumber: wrong, ccexp: expiry, cvv: securityCode },
    { type: 'sale', amount, ccnumber: cardNumber, ccexp: `${expiry}x`, cvv: `${securityCode}0` },
    { type: 'sale', amount: cardNumber, ccnumber: track2, ccexp: expiry },
    { type: cardNumber, amount },
    { type: 'capture', transactionid: cardNumber, amount },
    { type: 'sale', amount, payment_token: paymentToken, ccnumber: cardNumber },
  ];
  for (const fields of bad) {
    const body = { security_key: securityKey, ...fields };
    expect((await fetch(`${baseUrl}/api/transact.php`, form(body))).status).toBe(200);
    await fetch(`${baseUrl}/api/transact.php`, form({ ...body, security_key: `${securityKey}x` }));
  }
}

/** Sends misplaced secrets to the JSON API, with valid and invalid keys. */
async function ask({ url }: Sandbox): Promise<void> {
  const send = async (path: string, body: object | undefined, key: string, idempotencyKey?: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-api-key': headerKey,
      cookie: `session=${headerKey}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    await (await fetch(`${url}${path}`, init)).text();
  };
  const sendMisplacedSecrets = {
    card: { number: cardNumber, cvc: securityCode, expiry },
    track: track2,
    key: securityKey,
  };
  for (const key of [secretKey, `${secretKey}x`, securityKey]) {
    await send('/v1/customers', { ...person, ...sendMisplacedSecrets }, key, `customer-${key.length}`);
    await send('/v1/customers', { email: [cardNumber] }, key);
    await send(
      '/v1/payment_intents',
      { amount: cardNumber, currency: 'usd', ...sendMisplacedSecrets },
      key,
      'intent-1',
    );
    await send(
      '/v1/payment_intents',
      { amount: 1200, currency: 'usd', ...sendMisplacedSecrets },
      key,
      'intent-2',
    );
    await send(`/v1/customers/${cardNumber}`, undefined, key);
    await send(`/v1/customers/${secretKey}`, undefined, key);
    await send(`/v1/${cardNumber}`, undefined, key);
    await send(`/v1/customers?starting_after=${cardNumber}&key=${securityKey}`, undefined, key);
  }
}

/** Pays in a browser, validly and invalidly. Returns the response pages. */
async function payInBrowser(sandbox: Sandbox): Promise<string[]> {
  const { url: baseUrl } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey });
  const pages: string[] = [];
  const see = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, baseUrl), init);
    pages.push(await response.text(), JSON.stringify([...response.headers]));
  };
  const buyer = { ...person, name: `${person.first_name} ${person.last_name}` };
  for (const number of [cardNumber, `${cardNumber.slice(0, -1)}0`, testCards.doNotHonor.number]) {
    const session = await payments.checkoutSessions.create(sessionParams, {
      operationId: `order-${pages.length}`,
    });
    const path = new URL(pageOf(sandbox, session.id)).pathname;
    await see(path);
    await see(path, form({ ...buyer, ...card, ccnumber: number, number, expiry: '11 / 78' }));
    await see(path, form({ ...card, ccnumber: number, zip: cardNumber }));
    await see(path);
  }
  const keyed = { apiKey: publicKey, token: paymentToken, ...card };
  for (const path of ['/browser/device-sessions', '/browser/authentications', '/browser/tokens']) {
    await see(path, form(keyed));
    await see(path, form({ ...keyed, apiKey: secretKey }));
  }
  const paths = [
    '/',
    '/js/Gateway.js',
    '/js/CollectJS.js',
    '/browser/card-fields',
    `/browser/challenge?id=${cardNumber}`,
  ];
  for (const path of paths) await see(path);
  return pages;
}

/** Reads everything from the control API, including each kind of object. */
async function control({ url, events }: Sandbox): Promise<string[]> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const read = async (path: string) => (await fetch(`${url}/_sandbox/${path}`, { headers })).text();
  const kinds = [...Object.keys(resourceSchemas), 'transaction', 'payment_token', 'reply'];
  const paths = [
    'state',
    'faults',
    ...['events', 'requests', 'deliveries'].map((list) => `${list}?limit=1000`),
    ...events.map(({ id }) => `events/${id}`),
    ...kinds.map((kind) => `objects?kind=${kind}&limit=100`),
  ];
  const readControlApi: string[] = [];
  for (const path of paths) readControlApi.push(await read(path));
  expect(readControlApi.filter((text) => text.includes('"data"')).length).toBeGreaterThan(20);
  return readControlApi;
}

/** Returns what a subscriber of the event stream receives meanwhile. */
async function follow({ url }: Sandbox, happen: () => Promise<void>): Promise<string> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${secretKey}` };
  const stream = await fetch(`${url}/_sandbox/events?follow`, { headers, signal: stop.signal });
  const chunks: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of stream.body ?? new ReadableStream<Uint8Array>()) chunks.push(chunk);
  })().catch(() => undefined);
  await happen();
  stop.abort();
  await reading;
  return Buffer.concat(chunks).toString();
}

/** Cards and tokens must not appear. Personal data may: the sandbox stores customers, as a service does. */
function leaksOf(collector: OutputCollector, ...more: readonly Allowance[]): string[] {
  return collector.leaks(allowances.ownPeople, ...more);
}

describe('the sandbox', () => {
  it('neither outputs nor stores cards, tokens and keys', async () => {
    const collector = new OutputCollector().withProcess();
    const { sandbox, folder } = await startWithStorage();
    sandbox.watch((activity) => collector.add('collector', activity));
    sandbox.webhooks.deliverTo(async (request) => new Response(await request.text()), {
      secret: webhookSecret,
    });
    sandbox.faults.inject({ kind: 'latency', ms: 0, times: 1000 });
    const stream = await follow(sandbox, async () => {
      await charge(sandbox);
      await ask(sandbox);
      for (const page of await payInBrowser(sandbox))
        collector.add('page', page.replaceAll(/\d\d:\d\d:\d\d GMT/g, 'GMT'));
      await sandbox.settled();
    });
    collector.add('stream', stream);
    for (const text of await control(sandbox)) collector.add('control', text);
    const { requests, events, transactions, faults } = sandbox;
    collector.add('lists', { requests, events, transactions, history: faults.history() });
    collector.add('deliveries', sandbox.webhooks.deliveries());
    expect([requests, events, transactions, faults.history()].every((list) => list.length > 2)).toBe(true);
    expect(stream).toContain('event: request');
    expect(leaksOf(collector, allowances.endpointSecret)).toEqual([]);

    const kept = new OutputCollector();
    kept.add('snapshot', sandbox.snapshot());
    for (const file of await readdir(folder))
      kept.add(`file ${file}`, await readFile(join(folder, file), 'utf8'));
    kept.add('sandbox', sandbox);
    kept.add('fork', sandbox.fork());
    expect(kept.places.length).toBeGreaterThan(4);
    expect(leaksOf(kept, allowances.ownKeys)).toEqual([]);
  });
});
