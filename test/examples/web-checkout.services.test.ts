/** The shop of `examples/web-checkout` without a browser: an order can be paid in one way only. */

import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { createSandbox, type SandboxOptions, testCards } from 'payments-client-sandbox';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createShop } from '../../examples/web-checkout/shop.ts';
import { endAll, launchProgram } from '../support/programs.ts';
import { serve } from '../support/serve.ts';
import { program } from './support.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

async function startShop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ onlyShownFields: true, ...options });
  const { url: baseUrl, secretKey, securityKey, checkoutPage, publicKey, fetch: sandboxFetch } = sandbox;
  const shop = createShop({
    payments: new PaymentsClient({ baseUrl, secretKey, securityKey, checkoutPage, fetch: sandboxFetch }),
    webhooks: new Webhooks({ secret }),
    browser: { baseUrl, publicKey },
    browserModule: '',
  });
  const server = await serve(shop);
  onTestFinished(() => server.close());
  sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret });
  const home = await fetch(server.url, { redirect: 'manual' });
  const order = new URL(home.headers.get('location') ?? '', server.url).href;
  const card = { ccnumber: testCards.frictionless.number, ccexp: '1230', cvv: '123' };
  const details = {
    email: 'ada@example.com',
    phone: '555',
    address1: '1 Tea Street',
    city: 'X',
    state: 'CA',
    zip: '90210',
  };
  const payHere = async () => {
    const payment_token = await sandbox.tokenize(card);
    const body = { payment_token, threeDSecure: sandbox.authenticate(payment_token), ...details };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${order}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
    return Object(await response.json());
  };
  const checkOut = async () => {
    const response = await fetch(`${order}/checkout`, { method: 'POST', redirect: 'manual' });
    return response.headers.get('location');
  };
  const status = async () => /data-status="(\w+)"/.exec(await (await fetch(`${order}/thanks`)).text())?.[1];
  return { sandbox, order, payHere, checkOut, status };
}

it('marks an order paid after the payment on the payment page', async () => {
  const { sandbox, checkOut, status } = await startShop();
  const page = await checkOut();
  expect(await status()).toBe('open');
  sandbox.pay(page?.split('/').at(-1) ?? '');
  await sandbox.settled();
  expect(await status()).toBe('paid');
});

it('leaves an order paid whose session was paid after it expired', async () => {
  const { sandbox, checkOut, status } = await startShop({ expiredSessions: 'payable' });
  const page = await checkOut();
  const types = ['checkout.session.expired'] as const;
  sandbox.faults.inject({ kind: 'delay_delivery', by: '2 hours', types });
  await sandbox.clock.advance('25 hours');
  sandbox.pay(page?.split('/').at(-1) ?? '');
  await sandbox.settled();
  expect(await status()).toBe('paid');
  await sandbox.clock.advance('2 hours');
  expect(sandbox.webhooks.deliveries().map(({ status: delivery }) => delivery)).not.toContain('pending');
  expect(await status()).toBe('paid');
});

it('does not forget a paid session before its order has it', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, order, checkOut, status } = await startShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  expect((await fetch(`${order}/checkout`, { method: 'POST' })).status).toBe(500);
  const [created] = sandbox.events;
  sandbox.pay(String(Reflect.get(created?.data.object ?? {}, 'id')));
  await sandbox.settled();
  expect(printed.mock.calls.join()).toContain('Expected an order with the paid session');
  await checkOut();
  await sandbox.clock.advance('5 s');
  expect(await status()).toBe('paid');
});

it('does not redirect to the payment page a buyer who has meanwhile paid on the shop’s own page', async () => {
  const { sandbox, order, payHere, checkOut } = await startShop();
  const creating = sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.create' });
  const leading = checkOut();
  await creating.reached;
  expect(await payHere()).toMatchObject({ paid: true });
  creating.release();
  expect(await leading).toBe(`${new URL(order).pathname}/thanks`);
  const [session] = sandbox.events.filter(({ type }) => type === 'checkout.session.created');
  const { status } =
    sandbox.get('checkout_session', String(Reflect.get(session?.data.object ?? {}, 'id'))) ?? {};
  expect(status).toBe('expired');
});

it('takes no second card while it is unknown whether the first one was charged', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { sandbox, payHere, status } = await startShop();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
  const unclear = { paid: false, message: expect.stringContaining('Please do not pay again') };
  expect(await payHere()).toMatchObject(unclear);
  expect(await status()).toBe('unclear');
  expect(await payHere()).toMatchObject({ paid: false });
  expect(sandbox.transactions).toHaveLength(1);
});

it('accepts no card after the redirect to the payment page', async () => {
  const { sandbox, payHere, checkOut } = await startShop();
  expect(await checkOut()).toContain('/checkout/cs_');
  expect(await payHere()).toMatchObject({ paid: false });
  expect(sandbox.transactions).toEqual([]);
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
  expect(await text(`${shop}/shop.js`)).toContain('collectToken');
  expect(await text(`${sandbox}`)).toContain('<title>Sandbox</title>');
  expect(await text(`${order.url}/checkout`, { method: 'POST' })).toContain('Pay $24.00');
});
