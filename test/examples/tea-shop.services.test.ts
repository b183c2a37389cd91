/** The shop for beginners: it ships each order once when it is paid in full, and what the buyer reads is true in every state. */

import type { Sandbox, SandboxOptions } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';
import { clientOf, pageOf } from '../support/sandbox.ts';
import { openDatabase } from './shop-database.ts';
import { program, secret, startMerchant } from './support.ts';

/** Where the shop's own address leads the buyer. */
const shopUrl = 'https://shop.example';

interface ShopOptions extends SandboxOptions {
  /** Whether deliveries of the sandbox reach the shop. Default: true. */
  readonly delivers?: boolean;
  /** A module that Node loads first. */
  readonly preload?: URL;
}

/** Starts the shop, with an order that its buyer has not confirmed yet. */
async function startShop({ delivers = true, preload, ...options }: ShopOptions = {}) {
  const environment = {
    SHOP_URL: shopUrl,
    ...(preload !== undefined && {
      NODE_OPTIONS: `--import ${preload.href}`,
    }),
  };
  const { sandbox, launch, folder } = await startMerchant(environment, options);
  const start = async () => {
    const running = launch('tea-shop.mjs');
    const line = await running.line((one) => one.startsWith('The shop is at'));
    const [url = ''] = /http:\S+/.exec(line) ?? [];
    return { running, url };
  };
  let { running, url } = await start();
  const deliver = () => sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  if (delivers) deliver();
  const send = async (method: string, path: string) => {
    const response = await fetch(`${url}${path}`, { method, redirect: 'manual' });
    const location = response.headers.get('location');
    return { status: response.status, location, text: await response.text() };
  };
  const home = await send('GET', '/');
  const [, order = ''] = /action="(\/orders\/[^"]*)\/pay"/.exec(home.text) ?? [];
  const { change, shipments } = openDatabase(folder, 'tea-shop.sqlite');
  return {
    sandbox,
    send,
    home,
    order,
    id: order.replace('/orders/', ''),
    change,
    shipments,
    buy: () => send('POST', `${order}/pay`),
    show: async () => (await send('GET', order)).text,
    post: (path: string) => send('POST', `${order}/${path}`),
    /** Ends the program, and returns its messages. */
    stop: async () => (await running.stop()).stderr,
    kill: () => running.stop('SIGKILL'),
    ended: () => running.ended,
    restart: async () => {
      ({ running, url } = await start());
    },
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

async function payNewest({ sandbox }: Shop): Promise<void> {
  sandbox.pay(await newestSession(sandbox));
  await sandbox.settled();
}

/** Buys, pays, and waits for the webhook. */
async function buyAndPay(shop: Shop): Promise<void> {
  await shop.buy();
  await payNewest(shop);
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
    expect(session?.success_url).toBe(`${shopUrl}/orders/${id}`);
    expect(session?.cancel_url).toBe(`${shopUrl}/orders/${id}`);
    expect(bought).toMatchObject({ status: 303, location: pageOf(sandbox, session?.id ?? '') });
    expect(await (await fetch(bought.location ?? '')).text()).toContain('$12.00');
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    sandbox.pay(session?.id ?? '');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries().map(({ status }) => status)).not.toContain('failed');
    expect(shop.shipments()).toEqual([id]);
    expect(await shop.show()).toContain(`Order ${id} is paid. Paid: $12.00.`);
    expect(await shop.buy()).toMatchObject({ status: 303, location: shop.order });
    expect(shop.shipments()).toEqual([id]);
  },
);

it('says that an order is paid only if the service says so, also before the webhook', async () => {
  const shop = await startShop({ delivers: false });
  await shop.buy();
  expect(await shop.show()).toContain('is unpaid. Paid: $0.00.');
  shop.sandbox.pay(await newestSession(shop.sandbox));
  expect(await shop.show()).toContain('is paid. Paid: $12.00.');
  expect(await shop.show()).not.toContain('<button');
  expect(shop.shipments()).toEqual([shop.id]);
});

it('ships after a webhook that arrives before the order has its session', async () => {
  const shop = await startShop();
  const { sandbox, id } = shop;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'checkoutSessions.create', times: 3 });
  await shop.buy();
  await payNewest(shop);
  const statuses = () => sandbox.webhooks.deliveries().flatMap(({ attempts }) => attempts.at(-1)?.status);
  expect(statuses()).toContain(500);
  await shop.buy();
  await sandbox.clock.advance('5 s');
  expect(statuses()).not.toContain(500);
  expect(shop.shipments()).toEqual([id]);
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
  shop.sandbox.pay(await newestSession(shop.sandbox), { payment_method: 'pm_card_declined' });
  await shop.sandbox.settled();
  expect(await shop.show()).toContain('is unpaid');
  expect(await shop.show()).toContain(`action="${shop.order}/pay"`);
  expect((await shop.buy()).location).toBe(location);
  await payNewest(shop);
  expect(await shop.show()).toContain('is paid');
});

it('opens one new session after the last one expired, whatever the order of two clicks', async () => {
  const shop = await startShop();
  const { sandbox } = shop;
  await shop.buy();
  const first = await newestSession(sandbox);
  await clientOf(sandbox).checkoutSessions.expire(first);
  await sandbox.settled();
  expect(await shop.show()).toContain('is unpaid');
  const clicks = await Promise.all([shop.buy(), shop.buy()]);
  expect(clicks[0]?.location).toBe(clicks[1]?.location);
  expect(await sessionsOf(sandbox)).toHaveLength(2);
  expect(() => sandbox.pay(first)).toThrow();
  await payNewest(shop);
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
  await payNewest(shop);
  expect(await refundsOf(sandbox)).toEqual([1200]);
  expect(await shop.show()).toContain('is paid. Paid: $24.00. Going back: $12.00.');
  expect(await shop.buy()).toMatchObject({ status: 303, location: shop.order });
  expect(shop.shipments()).toEqual([id]);
});

it('asks for the rest when a box is added, and ships when all is paid', async () => {
  const shop = await startShop();
  await shop.buy();
  const late = await newestSession(shop.sandbox);
  expect(await shop.post('more')).toMatchObject({ status: 303, location: shop.order });
  shop.sandbox.pay(late);
  await shop.sandbox.settled();
  expect(await shop.show()).toContain(
    'is part paid. Paid: $12.00. Going back: $0.00. Given back: $0.00. To pay: $12.00.',
  );
  expect(shop.shipments()).toEqual([]);
  await buyAndPay(shop);
  expect(await shop.show()).toContain('is paid. Paid: $24.00.');
  await shop.post('more');
  expect(await shop.show()).toContain('To pay: $0.00.');
  expect(shop.shipments()).toEqual([shop.id]);
});

it('gives back what comes in for a canceled order, and cancels no paid one', async () => {
  const shop = await startShop({ expiredSessions: 'payable' });
  await shop.buy();
  await shop.post('cancel');
  expect(await shop.show()).toContain('is canceled. Paid: $0.00.');
  await payNewest(shop);
  expect(await shop.show()).toContain('is canceled. Paid: $12.00. Going back: $12.00.');
  expect(await shop.show()).not.toContain('<button');
  expect(await shop.buy()).toMatchObject({ status: 303, location: shop.order });
  expect(shop.shipments()).toEqual([]);

  const other = await startShop();
  await buyAndPay(other);
  await other.post('cancel');
  expect(await other.show()).toContain('is paid. Paid: $12.00. Going back: $0.00.');
});

it('refunds each return once, and shows its current status', async () => {
  const shop = await startShop();
  expect((await shop.post('refund/1/500')).status).toBe(404);
  await shop.buy();
  expect((await shop.post('refund/1/500')).status).toBe(409);
  await payNewest(shop);
  shop.sandbox.faults.inject({ kind: 'drop_reply', operation: 'refunds.create', times: 3 });
  await shop.post('refund/1/500'); // The event of the refund may come before this fails.
  for (const { status } of await Promise.all([shop.post('refund/1/500'), shop.post('refund/1/500')]))
    expect(status).toBe(303);
  expect(await shop.show()).toContain('is paid. Paid: $12.00. Going back: $5.00. Given back: $0.00.');
  expect(await refundsOf(shop.sandbox)).toEqual([500]);
  await shop.sandbox.clock.advance('2 min');
  expect(await shop.show()).toContain('Going back: $0.00. Given back: $5.00.');
  expect((await shop.post('refund/2/700')).status).toBe(303);
  expect(await shop.show()).toContain('Going back: $7.00. Given back: $5.00.');
  expect(await refundsOf(shop.sandbox)).toEqual([500, 700]);
});

it('refuses what is no refund: another amount of a return, too much, or no amount', async () => {
  const shop = await startShop();
  await buyAndPay(shop);
  expect((await shop.post('refund/1/500')).status).toBe(303);
  for (const path of ['refund/1/600', 'refund/2/701']) expect((await shop.post(path)).status).toBe(409);
  for (const path of ['refund', 'refund/2', 'refund/2/0', 'refund/2/-5', 'refund/2/5.5', 'refund/2/all'])
    expect((await shop.post(path)).status).toBe(400);
  expect(await refundsOf(shop.sandbox)).toEqual([500]);
});

it('makes an order of no id but its own, and returns nothing that the browser sent', async () => {
  const shop = await startShop();
  await buyAndPay(shop);
  const script = encodeURIComponent('<script>alert("1")</script>');
  const answers = [
    await shop.send('POST', `/orders/${script}/pay`),
    await shop.send('GET', `/orders/${script}`),
    await shop.send('GET', '/orders/undefined'),
    await shop.send('GET', '/orders'),
    await shop.post(`refund/${script}/500`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200, 303]);
  for (const { text } of [...answers, await shop.send('GET', '//%'), await shop.send('GET', shop.order)])
    expect(text).not.toMatch(/script/i);
});

it('refuses a forged webhook', async () => {
  const shop = await startShop();
  await shop.buy();
  expect((await shop.send('POST', '/webhooks')).status).toBe(400);
  expect(await shop.show()).toContain('is unpaid');
  const stderr = await shop.stop();
  expect(stderr).toContain('missing_header');
  expect(stderr).not.toContain(secret);
});

it('ships once after a restart, if it is killed while it ships', async () => {
  const shop = await startShop({ preload: new URL('killed-while-shipping.ts', import.meta.url) });
  await shop.buy();
  shop.sandbox.pay(await newestSession(shop.sandbox));
  await shop.ended();
  expect(shop.shipments()).toEqual([]);
  await shop.restart();
  expect(await shop.show()).toContain('is paid');
  expect(shop.shipments()).toEqual([shop.id]);
});

it('opens the same session after a restart, if it is killed while the service creates it', async () => {
  const shop = await startShop();
  const creating = shop.sandbox.faults.inject({ kind: 'hold', operation: 'checkoutSessions.create' });
  const lost = shop.buy().catch(() => undefined);
  await creating.reached;
  await shop.kill();
  await lost;
  creating.release();
  await shop.restart();
  expect((await shop.buy()).location).toBe(pageOf(shop.sandbox, await newestSession(shop.sandbox)));
  expect(await sessionsOf(shop.sandbox)).toHaveLength(1);
});

it('names the missing variables', async () => {
  const { folder } = await startMerchant();
  const { code, stdout, stderr } = await runProgram(program('tea-shop.mjs', folder), [], {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('PAYMENTS_BASE_URL');
  expect(stderr).toContain('PAYMENTS_SECRET_KEY');
});
