/** The live log of the sandbox on a terminal: one line per request, event and delivery. */

import { stripVTControlCharacters } from 'node:util';
import { NotFoundError, PaymentsClient } from 'payments-client';
import { afterEach, expect, test, vi } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { serve } from '../support/serve.ts';
import { endAll, launch, run } from './support.ts';

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(endAll);

const secretKey = 'sk_v1_test_mine';

/** The sandbox as people see it: its address, and its log without colours and times. */
async function startForPeople(...args: readonly string[]) {
  const options = ['--port', '0', '--secret-key', secretKey, ...args];
  const sandbox = launch(['sandbox', ...options]);
  const [url = ''] = /http:\/\/[\d.:]*\d/.exec(await sandbox.line()) ?? [];
  const logged = async (part: string) => {
    const line = stripVTControlCharacters(await sandbox.line((text) => text.includes(part)));
    expect(line).toMatch(/^\d\d:\d\d:\d\d /);
    return line
      .slice('00:00:00 '.length)
      .replaceAll(/ +/g, ' ')
      .replace(/\d+ ms/, '1 ms');
  };
  return { url, payments: new PaymentsClient({ baseUrl: url, secretKey }), logged };
}

test('a request is logged with its result and its key; a long key is shortened', async () => {
  const { payments, logged } = await startForPeople();
  const params = { amount: 1200, currency: 'usd' };
  await payments.paymentIntents.create(params, { idempotencyKey: 'order-1' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-1');
  await payments.paymentIntents.create(params, { idempotencyKey: 'order-1' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-1 replayed');
  await payments.paymentIntents.create(params, { idempotencyKey: 'order-number-1042' });
  expect(await logged('POST')).toBe('POST /v1/payment_intents 200 1 ms key order-…er-1042');
  await failureOf(payments.paymentIntents.retrieve('pi_none'), NotFoundError);
  expect(await logged('GET')).toBe('GET /v1/payment_intents/pi_none 404 1 ms');
});

test('a delivery is logged with its result', async () => {
  const shop = await serve((_request, response) => response.writeHead(204).end());
  const gone = await serve(() => {});
  gone.close();
  const endpoints = [shop, gone].flatMap(({ url }) => ['--forward-to', url]);
  const { url, logged } = await startForPeople(...endpoints);
  await run(['trigger', 'customer.created', '--url', url, '--secret-key', secretKey]);
  expect(await logged('event ')).toMatch(/^event customer\.created evt_\w+$/);
  const told = [await logged('sent '), await logged('sent ')].toSorted();
  const refused = `fetch failed: connect ECONNREFUSED ${gone.url.replace('http://', '')}`;
  expect(told).toEqual([
    `sent customer.created 204 ${shop.url}`,
    `sent customer.created ${refused} ${gone.url}`,
  ]);
  shop.close();
});

test('a refused delivery is logged with the start of the response', async () => {
  const shop = await serve((_request, response) =>
    response.writeHead(400).end('wrong secret\n\u001b[31mmore'),
  );
  const { url, logged } = await startForPeople('--forward-to', shop.url);
  await run(['trigger', 'customer.created', '--url', url, '--secret-key', secretKey]);
  expect(await logged('sent ')).toBe(`sent customer.created 400 ${shop.url} wrong secret`);
  shop.close();
});
