/** The shop for beginners: one payable session for an order, one shipment, one refund for a return, and no trust in the browser. */

import type { Sandbox, SandboxOptions } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';
import { clientOf, pageOf } from '../support/sandbox.ts';
import { program, secret, startMerchant } from './support.ts';

/** Starts the shop, with deliveries of the sandbox unless they are lost. */
async function startShop({ delivers = true, ...options }: SandboxOptions & { delivers?: boolean } = {}) {
  const environment = { SHOP_URL: 'https://shop.example' };
  const { sandbox, launch } = await startMerchant(environment, options);
  const running = launch('tea-shop.mjs');
  const [url = ''] = /http:\S+/.exec(await running.line((line) => line.startsWith('The shop is at'))) ?? [];
  if (delivers) sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  const send = async (method: string, path: string) => {
    const response = await fetch(`${url}${path}`, { method, redirect: 'manual' });
    const location = response.headers.get('location');
    return { status: response.status, location, text: await response.text() };
  };
  const home = await send('GET', '/');
  const [, buyPath = '', id = ''] = /action="(\/orders\?id=([^"]*))"/.exec(home.text) ?? [];
  const order = `/orders/${id}`;
  return {
    sandbox,
    running,
    send,
    id,
    order,
    home,
    buy: () => send('POST', buyPath),
    show: async () => (await send('GET', order)).text,
    refund: (query = '') => send('POST', `${order}/refund${query}`),
  };
}

type Shop = Awaited<ReturnType<typeof startShop>>;

/** Returns the sessions, newest first. */
const sessionsOf = (sandbox: Sandbox) => clientOf(sandbox).checkoutSessions.list().toArray({ max: 9 });

/** Returns the amounts of the refunds, oldest first. */
async function refundsOf(sandbox: Sandbox): Promise<readonly number[]> {
  const refunds = await clientOf(sandbox).refunds.list().toArray({ max: 9 });
  return refunds.map(({ amount }) => amount).toReversed();
}

async function newestSession(sandbox: Sandbox): Promise<string> {
  const [session] = await sessionsOf(sandbox);
  return session?.id ?? '';
}

/** Buys, pays, and waits for the webhook. */
async function buyAndPay({ sandbox, buy }: Shop): Promise<void> {
  await buy();
  sandbox.pay(await newestSession(sandbox));
  await sandbox.settled();
}

/** Returns what the shop has shipped, after it has stopped. */
async function shippedBy({ running }: Shop): Promise<readonly string[]> {
  const { stdout } = await running.stop();
  return stdout.split('\n').filter((line) => line.startsWith('Ship'));
}

it.each([true, false])(
  'redirects to the payment page, and ships once after the webhook, with onlyShownFields %s',
  async (onlyShownFields) => {
    const shop = await startShop({ onlyShownFields });
    const { sandbox, id } = shop;
    expect(shop.home.text).toContain('$12.00');
    const bought = await shop.buy();
    const [session] = await sessionsOf(sandbox);
    expect(session).toMatchObject({ amount_total: 1200, status: 'open' });
    expect(session?.success_url).toBe(`https://shop.example/orders/${id}`);
    expect(session?.cancel_url).toBe(`https://shop.example/orders/${id}`);
    expect(bought).toMatchObject({ status: 303, location: pageOf(sandbox, session?.id ?? '') });
    expect(await (await fetch(bought.location ?? '')).text()).toContain('$12.00');
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    sandbox.pay(session?.id ?? '');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries().map(({ status }) => status)).not.toContain('failed');
    await shop.running.line((line) => line === `Ship order ${id}`);
    expect(await shop.show()).toContain(`order ${id} is paid`);
    expect(await shop.buy()).toMatchObject({ status: 303, location: shop.order });
    expect(await shippedBy(shop)).toEqual([`Ship order ${id}`]);
  },
);

it('says that an order is paid only if the service says so, also before the webhook', async () => {
  const shop = await startShop({ delivers: false });
  await shop.buy();
  expect(await shop.show()).toContain('is not paid');
  shop.sandbox.pay(await newestSession(shop.sandbox));
  expect(await shop.show()).toContain('is paid');
  expect(await shop.show()).toContain('is paid');
  expect(await shippedBy(shop)).toEqual([`Ship order ${shop.id}`]);
});

it('ships after a webhook that arrives before the order has its session', async () => {
  const shop = await startShop();
  const { sandbox, id } = shop;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  await shop.buy();
  sandbox.pay(await newestSession(sandbox));
  await sandbox.settled();
  const statuses = () => sandbox.webhooks.deliveries().flatMap(({ attempts }) => attempts.at(-1)?.status);
  expect(statuses()).toContain(500);
  await shop.buy();
  await sandbox.clock.advance('5 s');
  expect(statuses()).not.toContain(500);
  expect(await shippedBy(shop)).toEqual([`Ship order ${id}`]);
});

it('opens one session for two clicks at once, and after a lost response', async () => {
  const shop = await startShop();
  const operation = 'checkoutSessions.create';
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation, times: 3 });
  expect((await shop.buy()).status).toBe(503);
  const clicks = await Promise.all([shop.buy(), shop.buy()]);
  const location = pageOf(shop.sandbox, await newestSession(shop.sandbox));
  expect(clicks.map((click) => click.location)).toEqual([location, location]);
  expect(await sessionsOf(shop.sandbox)).toHaveLength(1);
});

it('leaves an order unpaid and payable after a declined card', async () => {
  const shop = await startShop();
  const { location } = await shop.buy();
  const session = await newestSession(shop.sandbox);
  shop.sandbox.pay(session, { payment_method: 'pm_card_declined' });
  await shop.sandbox.settled();
  expect(await shop.show()).toContain('is not paid');
  expect(await shop.show()).toContain(`action="/orders?id=${shop.id}"`);
  expect((await shop.buy()).location).toBe(location);
  shop.sandbox.pay(session);
  await shop.sandbox.settled();
  expect(await shop.show()).toContain('is paid');
});

it('opens one new session after the last one expired, whatever the order of two clicks', async () => {
  const shop = await startShop();
  const { sandbox } = shop;
  await shop.buy();
  const first = await newestSession(sandbox);
  await clientOf(sandbox).checkoutSessions.expire(first);
  await sandbox.settled();
  expect(await shop.show()).toContain('is not paid');
  // The first click stops after it has seen the expired session; the second one opens the new session meanwhile.
  const asking = sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.retrieve' });
  const early = shop.buy();
  await asking.reached;
  const late = await shop.buy();
  asking.release();
  expect((await early).location).toBe(late.location);
  expect(await sessionsOf(sandbox)).toHaveLength(2);
  expect(() => sandbox.pay(first)).toThrow();
  sandbox.pay(await newestSession(sandbox));
  await sandbox.settled();
  expect(await shop.show()).toContain('is paid');
});

it('ships once and gives the second payment back, if an expired session takes one', async () => {
  const shop = await startShop({ expiredSessions: 'payable' });
  const { sandbox, id } = shop;
  await shop.buy();
  const first = await newestSession(sandbox);
  await clientOf(sandbox).checkoutSessions.expire(first);
  await shop.buy();
  sandbox.pay(first);
  sandbox.pay(await newestSession(sandbox));
  await sandbox.settled();
  expect(await refundsOf(sandbox)).toEqual([1200]);
  expect(await shop.buy()).toMatchObject({ status: 303, location: shop.order });
  expect(await shippedBy(shop)).toEqual([`Ship order ${id}`]);
});

it('refunds each return once, and shows its current status', async () => {
  const shop = await startShop();
  expect((await shop.refund()).status).toBe(404);
  await shop.buy();
  expect((await shop.refund()).status).toBe(409);
  shop.sandbox.pay(await newestSession(shop.sandbox));
  await shop.sandbox.settled();
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'refunds.create', times: 3 });
  expect((await shop.refund('?amount=5.00')).status).toBe(503);
  const repeated = await Promise.all([shop.refund('?amount=5.00'), shop.refund('?amount=5.00')]);
  expect(repeated.map(({ text }) => /Return .*pending/.exec(text)?.[0])).toEqual([
    'Return 1: $5.00, pending',
    'Return 1: $5.00, pending',
  ]);
  expect(await refundsOf(shop.sandbox)).toEqual([500]);
  await shop.sandbox.clock.advance('2 min');
  expect((await shop.refund('?amount=5.00')).text).toContain('Return 1: $5.00, succeeded');
  expect((await shop.refund('?return=2')).text).toContain('Return 2: $7.00, pending');
  expect(await shop.show()).toContain('A refund is on its way.');
  expect(await refundsOf(shop.sandbox)).toEqual([500, 700]);
});

it.each(['', '0', '-5', '5.555', 'all', 'NaN'])('refuses to refund the amount %j', async (amount) => {
  const shop = await startShop();
  await buyAndPay(shop);
  expect((await shop.refund(`?amount=${amount}`)).status).toBe(409);
  expect(await refundsOf(shop.sandbox)).toEqual([]);
});

it('refuses another amount for a return that it knows', async () => {
  const shop = await startShop();
  await buyAndPay(shop);
  expect((await shop.refund('?amount=5.00')).status).toBe(200);
  expect((await shop.refund('?amount=6.00')).status).toBe(409);
  expect((await shop.refund()).status).toBe(409);
  expect(await refundsOf(shop.sandbox)).toEqual([500]);
});

it('says that a refund of too much is refused, and refunds another amount under another id', async () => {
  const shop = await startShop();
  await buyAndPay(shop);
  const refused = await shop.refund('?amount=1200.00');
  expect([refused.status, refused.text.includes('no money moved')]).toEqual([409, true]);
  expect((await shop.refund('?amount=5.00&return=2')).status).toBe(200);
  expect(await refundsOf(shop.sandbox)).toEqual([500]);
});

it('escapes what the browser sends', async () => {
  const shop = await startShop();
  await buyAndPay(shop);
  const script = `<script>alert("1")</script>&'`;
  const query = `amount=5.00&return=${encodeURIComponent(script)}`;
  const pages = [
    await shop.refund(`?${query}`),
    await shop.send('GET', `/orders/<script>&'"`),
    await shop.send('POST', `/orders?id=${encodeURIComponent(script)}`),
    await shop.send('GET', '/orders/undefined'),
    await shop.send('GET', '//%'),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 400, 404, 404]);
  expect(pages[0]?.text).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;');
  for (const { text } of pages) expect(text).not.toMatch(/<script|&'/);
  expect(await shop.show()).toContain('is paid');
});

it('refuses a forged webhook', async () => {
  const shop = await startShop();
  await shop.buy();
  expect((await shop.send('POST', '/webhooks')).status).toBe(400);
  expect(await shop.show()).toContain('is not paid');
  const { stderr } = await shop.running.stop();
  expect(stderr).toContain('missing_header');
  expect(stderr).not.toContain(secret);
});

it('names the missing variables and what to do', async () => {
  const { code, stdout, stderr } = await runProgram(program('tea-shop.mjs'), [], {
    PAYMENTS_CHECKOUT_PAGE: 'x',
  });
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Set PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET in .env, and start with: node --env-file=.env tea-shop.mjs\n',
  });
});
