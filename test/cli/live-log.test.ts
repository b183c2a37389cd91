/** The live log of the sandbox, for people: one line per request, event and delivery. */

import { stripVTControlCharacters } from 'node:util';
import { NotFoundError, PaymentsClient } from 'payments-client';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { serve } from '../support/serve.ts';
import { endAll, launch, run } from './support.ts';

afterEach(endAll);

const secretKey = 'sk_v1_test_mine';

/** A sandbox whose log is for people. */
async function startForPeople(...args: readonly string[]) {
  const sandbox = launch(['sandbox', '--port', '0', '--secret-key', secretKey, ...args]);
  const [url = ''] = /http:\/\/[\d.:]*\d/.exec(await sandbox.line()) ?? [];
  const payments = new PaymentsClient({ baseUrl: url, secretKey, maxRetries: 0 });
  /** Returns the next line with this text, without its colours and its time. */
  const logged = async (part: string) => {
    const line = stripVTControlCharacters(await sandbox.line((text) => text.includes(part)));
    expect(line).toMatch(/^\d\d:\d\d:\d\d /);
    return line
      .slice('00:00:00 '.length)
      .replaceAll(/ +/g, ' ')
      .replace(/\d+ ms/, '1 ms')
      .trimEnd();
  };
  return { url, payments, logged, call: (...more: string[]) => run([...more, '--url', url]) };
}

test('a request is logged with its result, key and faults; a long key is shortened', async () => {
  const { payments, logged, call } = await startForPeople();
  const { paymentIntents } = payments;
  const params = { amount: 1200, currency: 'usd' };
  await paymentIntents.create(params, { idempotencyKey: 'order-1' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-1');
  await paymentIntents.create(params, { idempotencyKey: 'order-1' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-1 replayed');
  await paymentIntents.create(params, { idempotencyKey: 'order-number-1042' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-…er-1042');
  await failureOf(paymentIntents.retrieve('pi_none'), NotFoundError);
  expect(await logged('GET')).toBe('GET /v1/payment_intents/pi_none 404 1 ms');
  await call('faults', 'add', 'unavailable');
  await expect(paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ status: 503 });
  expect(await logged('GET')).toBe('GET /v1/payment_intents/pi_none 503 1 ms');
  await call('faults', 'add', 'drop_request');
  await expect(paymentIntents.retrieve('pi_none')).rejects.toMatchObject({ name: 'ConnectionError' });
  expect(await logged('GET')).toBe('GET /v1/payment_intents/pi_none --- 1 ms dropped');
});

test('an event and each delivery are logged, with the address and the result', async () => {
  const shop = await serve((_request, response) => response.writeHead(204).end());
  onTestFinished(() => shop.close());
  const gone = await serve(() => {});
  gone.close();
  const { logged, call } = await startForPeople('--forward-to', shop.url, '--forward-to', gone.url);
  await call('trigger', 'customer.created');
  expect(await logged('event ')).toMatch(/^event customer\.created evt_\w+$/);
  const told = [await logged('sent '), await logged('sent ')].toSorted();
  const refused = `fetch failed: connect ECONNREFUSED ${gone.url.replace('http://', '')}`;
  expect(told).toEqual([
    `sent customer.created 204 ${shop.url}`,
    `sent customer.created ${refused} ${gone.url}`,
  ]);
});

test('a refused delivery is logged with the start of the response, and its next attempt with a number', async () => {
  const statuses = [400, 204];
  const shop = await serve((_request, response) => {
    const status = statuses.shift() ?? 500;
    response.writeHead(status).end(status === 400 ? 'wrong secret\n\u001b[31mmore' : '');
  });
  onTestFinished(() => shop.close());
  const { logged, call } = await startForPeople('--forward-to', shop.url);
  await call('trigger', 'customer.created');
  expect(await logged('sent ')).toBe(`sent customer.created 400 ${shop.url} wrong secret`);
  await call('clock', 'advance', '1 day');
  expect(await logged('sent ')).toBe(`sent customer.created 204 ${shop.url} attempt 2`);
});

test('the live log is also the output of `events --follow`', async () => {
  const { url, call } = await startForPeople();
  const following = launch(['events', '--follow', '--url', url]);
  await following.message('Following.');
  await call('trigger', 'customer.created');
  const shown = await following.line((line) => line.includes('customer.created'));
  expect(shown).toMatch(/^\d\d:\d\d:\d\d event {2}customer\.created +evt_\w+$/);
  expect((await call('events')).stdout.trimEnd()).toBe(shown);
});
