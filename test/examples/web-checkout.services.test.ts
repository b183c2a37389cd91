/** The shop of `examples/web-checkout` without a browser: an order is paid once, on either page, and what the buyer reads is true. */

import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox, type SandboxOptions, testCards } from 'payments-client-sandbox';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openOrders } from '../../examples/web-checkout/orders.ts';
import { createShop } from '../../examples/web-checkout/shop.ts';
import { endAll, launchProgram } from '../support/programs.ts';
import { serve } from '../support/serve.ts';
import { program, secret } from './support.ts';

async function startShop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ onlyShownFields: true, ...options });
  const { url: baseUrl, secretKey, securityKey, checkoutPage, publicKey, fetch: sandboxFetch } = sandbox;
  const server = await serve((request, response) => shop(request, response));
  onTestFinished(() => server.close());
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage, fetch: sandboxFetch });
  const database = new DatabaseSync(':memory:');
  const orders = openOrders(payments, database, server.url);
  const shop = createShop({
    orders,
    webhooks: new Webhooks({ secret }),
    browser: { baseUrl, publicKey, checkoutPage },
    browserModule: '',
  });
  sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret });
  const home = await fetch(server.url, { redirect: 'manual' });
  const order = new URL(home.headers.get('location') ?? '', server.url).href;
  const id = order.split('/').at(-1) ?? '';
  const details = {
    amount: '24.00',
    email: 'ada@example.com',
    phone: '555',
    address1: '1 Tea Street',
    city: 'X',
    state: 'CA',
    zip: '90210',
  };
  const payHere = async (name: keyof typeof testCards = 'frictionless') => {
    const card = { ccnumber: testCards[name].number, ccexp: '1230', cvv: '123' };
    const payment_token = await sandbox.tokenize(card);
    const body = { payment_token, threeDSecure: sandbox.authenticate(payment_token), ...details };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${order}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
    return Object(await response.json());
  };
  const post = async (action: string) => {
    const response = await fetch(`${order}/${action}`, { method: 'POST', redirect: 'manual' });
    return response.headers.get('location') ?? '';
  };
  const show = async () => (await fetch(order)).text();
  const status = async () => /data-status="(\w+)"/.exec(await show())?.[1];
  const shipped = () => database.prepare('SELECT id FROM orders WHERE shipped = 1').all().length;
  return { sandbox, orders, database, order, id, payHere, post, show, status, shipped };
}

const sessionOf = (page: string) => page.split('/').at(-1) ?? '';

it('ships after the payment on the payment page', async () => {
  const { sandbox, post, status, shipped } = await startShop();
  const page = await post('checkout');
  expect(await status()).toBe('unpaid');
  sandbox.pay(sessionOf(page));
  await sandbox.settled();
  expect([await status(), shipped()]).toEqual(['paid', 1]);
});

it('ships after the payment of a card, and offers no other way to pay', async () => {
  const { sandbox, id, payHere, post, show, status, shipped } = await startShop({ onlyShownFields: false });
  expect(await payHere()).toMatchObject({ state: 'paid' });
  expect(sandbox.transactions).toMatchObject([{ type: 'sale', amount: '24.00', orderid: id }]);
  expect([await status(), shipped()]).toEqual(['paid', 1]);
  expect(await show()).not.toContain('<form');
  expect(await post('checkout')).toBe(`/orders/${id}`);
  expect(await payHere()).toMatchObject({ state: 'paid' });
  expect(sandbox.transactions).toHaveLength(1);
});

it('accepts another card after a decline, or after a failed authentication', async () => {
  const { sandbox, payHere, status, shipped } = await startShop();
  const refused = { state: 'unpaid', message: expect.stringContaining('You have not paid') };
  expect(await payHere('doNotHonor')).toEqual(refused);
  expect(await payHere('authenticationFailed')).toEqual(refused);
  expect([await status(), shipped()]).toEqual(['unpaid', 0]);
  expect(await payHere()).toMatchObject({ state: 'paid' });
  expect(sandbox.transactions.map(({ approved }) => approved)).toEqual([false, true]);
});

it('leaves an order paid whose session was paid after it expired', async () => {
  const { sandbox, post, status } = await startShop({ expiredSessions: 'payable' });
  const page = await post('checkout');
  const types = ['checkout.session.expired'] as const;
  sandbox.faults.inject({ kind: 'delay_delivery', by: '2 hours', types });
  await sandbox.clock.advance('25 hours');
  sandbox.pay(sessionOf(page));
  await sandbox.settled();
  expect(await status()).toBe('paid');
  await sandbox.clock.advance('2 hours');
  expect(sandbox.webhooks.deliveries().map(({ status: delivery }) => delivery)).not.toContain('pending');
  expect(await status()).toBe('paid');
});

it('does not forget a paid session before its order has it', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, order, post, status } = await startShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await fetch(`${order}/checkout`, { method: 'POST' })).status).toBe(503);
  const [created] = sandbox.events;
  sandbox.pay(String(Reflect.get(created?.data.object ?? {}, 'id')));
  await sandbox.settled();
  expect(JSON.stringify(printed.mock.calls)).toContain('ORDER_UNKNOWN_PAYMENT');
  await post('checkout');
  await sandbox.clock.advance('5 s');
  expect(await status()).toBe('paid');
});

it('does not redirect to the payment page a buyer who has meanwhile paid on the shop’s own page', async () => {
  const { sandbox, id, payHere, post } = await startShop();
  const creating = sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.create' });
  const leading = post('checkout');
  await creating.reached;
  expect(await payHere()).toMatchObject({ state: 'paid' });
  creating.release();
  expect(await leading).toBe(`/orders/${id}`);
  const [session] = sandbox.events.filter(({ type }) => type === 'checkout.session.created');
  const { status } =
    sandbox.get('checkout_session', String(Reflect.get(session?.data.object ?? {}, 'id'))) ?? {};
  expect(status).toBe('expired');
});

it('gives one of two payments back, if the buyer pays on both pages', async () => {
  const { sandbox, orders, id, payHere, post, show, shipped } = await startShop({
    expiredSessions: 'payable',
  });
  const session = sessionOf(await post('checkout'));
  expect(await payHere()).toMatchObject({ state: 'paid' });
  expect(sandbox.get('checkout_session', session)?.status).toBe('expired');
  sandbox.pay(session);
  await sandbox.settled();
  const { paid, refunded, refunding } = await orders.get(id);
  expect([paid.amount, refunded.amount + refunding.amount]).toEqual([4800, 2400]);
  expect(await show()).toContain('Your order is paid');
  expect(shipped()).toBe(1);
});

it('takes no second card while it is unknown whether the first one was charged', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, orders, id, payHere, post, show, status, shipped } = await startShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
  expect(await payHere()).toMatchObject({ state: 'in_progress' });
  expect(await show()).toContain('Please do not pay again');
  expect(await show()).not.toMatch(/To pay|<form/);
  expect(await payHere()).toMatchObject({ state: 'in_progress' });
  expect(await post('checkout')).toBe(`/orders/${id}`);
  expect(sandbox.transactions).toHaveLength(1);
  const [need] = (await orders.get(id)).needs;
  expect(need?.kind).toBe('payment_unknown');
  await orders.resolve(id, need?.operation ?? '', sandbox.transactions[0]?.id ?? '');
  expect([await status(), shipped()]).toEqual(['paid', 1]);
});

it('is open again after an error that charged nothing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, payHere } = await startShop();
  sandbox.faults.inject({ kind: 'respond', operation: 'transact.sale', status: 403, body: {} });
  expect(await payHere()).toEqual({ state: 'unpaid', message: expect.stringContaining('not possible') });
  expect(await payHere()).toMatchObject({ state: 'paid' });
});

it('asks for the rest of an order that was edited after its page was opened', async () => {
  const { sandbox, database, post, show, status, shipped } = await startShop();
  const session = sessionOf(await post('checkout'));
  database.exec('UPDATE orders SET pounds = 2 WHERE shipped = 0');
  sandbox.pay(session);
  await sandbox.settled();
  expect(await show()).toContain(
    'A part of it is paid. Your tea ships when all of it is. Price: $48.00. To pay: <strong>$24.00</strong>',
  );
  expect(shipped()).toBe(0);
  sandbox.pay(sessionOf(await post('checkout')));
  await sandbox.settled();
  expect([await status(), shipped()]).toEqual(['paid', 1]);
});

it('charges no other amount than the buyer saw', async () => {
  const { sandbox, database, payHere, status } = await startShop();
  database.exec('UPDATE orders SET pounds = 2');
  expect(await payHere()).toEqual({ state: 'unpaid', message: expect.stringContaining('has changed') });
  expect([await status(), sandbox.transactions.length]).toEqual(['unpaid', 0]);
});

it('gives back what comes in for a canceled order', async () => {
  const { sandbox, post, payHere, show, status, shipped } = await startShop({ expiredSessions: 'payable' });
  const session = sessionOf(await post('checkout'));
  await post('cancel');
  sandbox.pay(session);
  await sandbox.settled();
  expect(sandbox.events.map(({ type }) => type)).toContain('refund.created');
  expect(await show()).toContain('is canceled. What you have paid goes back.');
  expect(await payHere()).toMatchObject({ state: 'canceled' });
  expect([await status(), shipped()]).toEqual(['canceled', 0]);
});

it('has no page for an unknown order, and takes no body that is no payment', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, order } = await startShop();
  expect((await fetch(order.replace('/order-', '/none-'))).status).toBe(404);
  expect((await fetch(`${order}/pay`, { method: 'POST' })).status).toBe(400);
  expect(sandbox.requests).toEqual([]);
});

it('starts with a sandbox by the documented command', async () => {
  onTestFinished(endAll);
  const running = launchProgram(program('web-checkout/server'), [], { PORT: '0' });
  const addressIn = (line: string) => /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
  const shop = addressIn(await running.line());
  const sandbox = addressIn(await running.line());
  const order = await fetch(`${shop}`);
  expect(order.url).toMatch(/\/orders\/order-/);
  const text = async (address: string, options?: RequestInit) => (await fetch(address, options)).text();
  expect(await order.text()).toContain('Pay here');
  expect(await text(`${shop}/payments-client/browser.js`)).toContain('loadGateway');
  expect(await text(`${shop}/card.js`)).toContain('loadCardFields');
  expect(await text(`${sandbox}`)).toContain('<title>Sandbox</title>');
  expect(await text(`${order.url}/checkout`, { method: 'POST' })).toContain('Pay $24.00');
});
