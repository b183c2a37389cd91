/** The live log of the sandbox, for people: what each request came to, and below it what it caused. */

import { stripVTControlCharacters } from 'node:util';
import { ConnectionError, NotFoundError, PaymentDeclinedError, PaymentsClient } from 'payments-client';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../../../test/support/failure.ts';
import { serve } from '../../../test/support/serve.ts';
import { closedUrl } from '../../../test/support/socket-server.ts';
import { endAll, launch, run } from './support.ts';

afterEach(endAll);

const secretKey = 'sk_v1_test_mine';
const tea = { amount: 3100, currency: 'usd' } as const;
const card = { payment_method: 'pm_card_visa' } as const;

/** A sandbox whose log is for people. */
async function startForPeople(...args: readonly string[]) {
  const sandbox = launch(['sandbox', '--port', '0', '--secret-key', secretKey, ...args]);
  const [url = ''] = /http:\/\/[\d.:]*\d/.exec(await sandbox.line()) ?? [];
  await sandbox.line((line) => line === '');
  const payments = new PaymentsClient({ baseUrl: url, secretKey, maxRetries: 0 });
  /** Returns the next line that is not the date, without its time and with short ids. */
  const next = async () => {
    const line = stripVTControlCharacters(await sandbox.line((text) => !text.endsWith(', UTC')));
    return line.replace(/^\d\d:\d\d /, '').replaceAll(/_\w{16}\b/g, '_1');
  };
  return {
    url,
    payments,
    next,
    line: sandbox.line,
    call: (...more: string[]) => run([...more, '--url', url]),
  };
}

/** An endpoint that answers with each of some statuses, and then with the last one. */
async function endpoint(...statuses: readonly number[]) {
  const left = [...statuses];
  const server = await serve((_request, response) => {
    const status = left.length > 1 ? left.shift() : left[0];
    response.writeHead(status ?? 204).end(status === 400 ? 'wrong secret\n\u001b[31mmore' : '');
  });
  onTestFinished(() => server.close());
  return { url: server.url, host: server.url.replace('http://', '') };
}

test('a request names its order, what it does, its amount and what came of it', async () => {
  const { payments, next, call } = await startForPeople();
  const { paymentIntents } = payments;
  const order = { operationId: 'order-003' };
  const { id } = await paymentIntents.create(tea, order);
  expect(await next()).toBe('order-003  create            $31.00  ✓ created');
  expect(await next()).toBe('        payment_intent.created evt_1');
  const stolen = { payment_method: 'pm_card_insufficient_funds' } as const;
  await failureOf(paymentIntents.confirm(id, stolen, { operationId: 'order-003/1' }), PaymentDeclinedError);
  expect(await next()).toBe('order-003  confirm           $31.00  ✗ declined: insufficient funds');
  expect(await next()).toBe('        payment_intent.payment_failed evt_1');
  await call('faults', 'inject', 'drop_reply', '--operation', 'paymentIntents.confirm');
  expect(await next()).toBe('faults inject drop_reply paymentIntents.confirm');
  await failureOf(paymentIntents.confirm(id, card, order), ConnectionError);
  expect(await next()).toBe('order-003  confirm           $31.00  ✗ reply lost (charged)');
  expect(await next()).toBe('        payment_intent.succeeded evt_1');
  await paymentIntents.confirm(id, card, order);
  expect(await next()).toBe('order-003  confirm           $31.00  ↻ replayed');
  // The client retrieves the object of a replay.
  expect(await next()).toBe('order-003  retrieve                  ✓ 200');
  await paymentIntents.retrieve(id);
  expect(await next()).toBe('order-003  retrieve                  ✓ 200');
  await failureOf(paymentIntents.retrieve('pi_none'), NotFoundError);
  expect(await next()).toBe('-          GET /v1/payment_intents/pi_none  ✗ 404 OBJECT_NOT_FOUND');
});

test('deliveries are below the request that caused their event, with address and result', async () => {
  const shop = await endpoint(204);
  const { payments, next } = await startForPeople('--forward-to', shop.url, '--forward-to', closedUrl);
  await payments.paymentIntents.create(tea, { operationId: 'order-1' });
  expect(await next()).toBe('order-1    create            $31.00  ✓ created');
  expect(await next()).toBe('        payment_intent.created evt_1');
  const host = closedUrl.replace('http://', '');
  expect([await next(), await next()].toSorted()).toEqual([
    `        → payment_intent.created ✓ 204 ${shop.host}`,
    `        → payment_intent.created ✗ fetch failed: connect ECONNREFUSED ${host} ${host}`,
  ]);
});

test('what happens later names its order again', async () => {
  const shop = await endpoint(400, 204);
  const { payments, next, line, call } = await startForPeople('--forward-to', shop.url);
  await payments.paymentIntents.create(tea, { operationId: 'order-1' });
  await next();
  await next();
  expect(await next()).toBe(`        → payment_intent.created ✗ 400 ${shop.host} wrong secret`);
  await call('clock', 'advance', '1 day');
  expect(await line()).toMatch(/^\d\d:\d\d clock \+1 day → \d\d? \w+ 20\d\d \d\d:\d\d$/);
  expect(await next()).toBe(`order-1    → payment_intent.created ✓ 204 attempt 2 ${shop.host}`);
});

test('actions are lines too: a payment with its result, others with what they are about', async () => {
  const { payments, next, call } = await startForPeople();
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
  const { id } = await payments.checkoutSessions.create(
    { mode: 'payment', line_items },
    { operationId: 'order-7' },
  );
  expect(await next()).toBe('order-7    session           $12.00  ✓ created');
  expect(await next()).toBe('        checkout.session.created evt_1');
  await call('pay', id, '--payment-method', 'pm_card_declined');
  expect(await next()).toBe('order-7    pay               $12.00  ✗ declined: do not honor');
  expect([await next(), await next()]).toEqual([
    '        payment_intent.created evt_1',
    '        payment_intent.payment_failed evt_1',
  ]);
  await call('pay', id);
  expect(await next()).toBe('order-7    pay               $12.00  ✓ charged');
  expect([await next(), await next()]).toEqual([
    '        payment_intent.succeeded evt_1',
    '        checkout.session.completed evt_1',
  ]);
  await call('trigger', 'customer.created');
  expect(await next()).toBe('trigger customer.created');
  expect(await next()).toBe('        customer.created evt_1');
});

test('a name cannot forge a line, and a long one is shortened', async () => {
  const { payments, next } = await startForPeople();
  await payments.paymentIntents.create(tea, { operationId: 'order-1\n\u001b[31m' });
  expect(await next()).toBe(String.raw`order-1\u000a\u001b[31m  create            $31.00  ✓ created`);
  await next();
  await payments.paymentIntents.create(tea, { operationId: 'x'.repeat(100) });
  expect(await next()).toBe(`${'x'.repeat(39)}…  create            $31.00  ✓ created`);
});

test('a line fits 80 columns, and the date is above the first line', async () => {
  const shop = await endpoint(204);
  const { payments, line } = await startForPeople('--forward-to', `${shop.url}/webhooks`);
  const order = { operationId: 'order-105-second-click' };
  const { id } = await payments.paymentIntents.create(tea, order);
  expect(await line()).toMatch(/^\d\d? \w+ 20\d\d, UTC$/);
  const created = [await line(), await line(), await line()];
  await payments.paymentIntents.confirm(id, card, order);
  const confirmed = [await line(), await line(), await line()];
  for (const text of [...created, ...confirmed]) expect(text.length, text).toBeLessThanOrEqual(80);
});

test('the live log is also the output of `events --follow`, and its requests that of `requests --follow`', async () => {
  const { url, payments, line } = await startForPeople();
  const events = launch(['events', '--follow', '--url', url]);
  const requests = launch(['requests', '--follow', '--url', url]);
  await Promise.all([events.message('Following.'), requests.message('Following.')]);
  await payments.paymentIntents.create(tea, { operationId: 'order-1' });
  const expected = [await line(), await line(), await line()];
  expect([await events.line(), await events.line(), await events.line()]).toEqual(expected);
  expect([await requests.line(), await requests.line()]).toEqual(expected.slice(0, 2));
});
