/** Runs the whole shop of docs/orders.md as its buyers and its staff do. */

import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Orders } from 'payments-client/orders';
import { createSandbox } from 'payments-client-sandbox';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSnippets, writeSnippets } from './snippets.ts';

const folder = new URL('../.tmp/shop/', import.meta.url);
const sandbox = createSandbox();
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const shop = (await readSnippets()).filter(({ path }) => path.endsWith('/shop.ts'));

interface Server {
  address(): AddressInfo;
  close(): void;
}

let orders: Orders;
let server: Server;

beforeAll(async () => {
  await sandbox.listen();
  const environment = {
    PAYMENTS_BASE_URL: sandbox.url,
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
    PAYMENTS_CHECKOUT_PAGE: sandbox.checkoutPage,
    PAYMENTS_WEBHOOK_SECRET: secret,
    PORT: '0',
    SHOP_URL: 'https://shop.example',
    DATABASE: ':memory:',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  await writeSnippets(shop, folder);
  ({ orders, server } = await import(fileURLToPath(new URL(shop[0]?.path ?? '', folder))));
  vi.unstubAllEnvs();
  sandbox.webhooks.deliverTo(at('/webhooks'), { secret });
});
afterAll(async () => {
  server.close();
  await sandbox.close();
});

const at = (path: string) => `http://127.0.0.1:${server.address().port}${path}`;

/** Returns the address that a form leads to. */
async function post(path: string): Promise<string> {
  const { headers } = await fetch(at(path), { method: 'POST', redirect: 'manual' });
  return headers.get('location') ?? expect.fail(`POST ${path} leads nowhere`);
}

const textOf = async (path: string) => (await fetch(at(path))).text();

/** Orders tea. Returns the path of the order's page. */
async function order(): Promise<string> {
  return new URL(await post('/orders')).pathname;
}

/** Clicks on "Pay". Returns the session of the page that opens. */
async function pay(path: string): Promise<string> {
  return new URL(await post(`${path}/pay`)).pathname.split('/').at(-1) ?? '';
}

const idOf = (path: string) => path.split('/').at(-1) ?? '';

it('has at most sixty lines', () => {
  expect(shop.map(({ code }) => code.trim().split('\n').length <= 60)).toEqual([true]);
});

it('ships on the webhook, and tells the buyer what is true', async () => {
  const path = await order();
  expect(await textOf(path)).toContain('To pay: $12.00');
  const session = await pay(path);
  expect(await pay(path)).toBe(session);
  expect(await textOf(path)).toContain('To pay'); // Coming back proves nothing.
  sandbox.pay(session);
  await sandbox.settled();
  expect((await orders.get(idOf(path))).state).toBe('paid');
  expect(await textOf(path)).toBe('Your order is paid.');
  expect(await post(`${path}/pay`)).toBe(`https://shop.example${path}`);
});

it('ships when the buyer is faster than the webhook', async () => {
  const path = await order();
  sandbox.faults.inject({ kind: 'drop_delivery', types: ['checkout.session.completed'] });
  sandbox.pay(await pay(path));
  expect(await textOf(path)).toBe('Your order is paid.');
});

it('gives a return back once, and never more than was paid', async () => {
  const path = await order();
  sandbox.pay(await pay(path));
  await sandbox.settled();
  const refund = (back: string) => fetch(at(`${path}/refund/${back}`), { method: 'POST' });
  for (const _ of [1, 2]) expect((await refund('return-1?amount=500')).status).toBe(200);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  for (const back of ['return-1?amount=600', 'return-2?amount=701', 'return-3'])
    expect((await refund(back)).status).toBe(400);
  const { refunding, refundable } = await orders.get(idOf(path));
  expect([refunding.amount, refundable.amount]).toEqual([500, 700]);
});

it('answers for an order that it does not have', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  expect((await fetch(at('/orders/none'))).status).toBe(400);
});
