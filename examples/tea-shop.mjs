/**
 * Start here: a whole shop in one file. It sells tea by hosted checkout, ships each order once, and gives money back.
 * Copy it into an empty folder, and run `npm install payments-client payments-client-sandbox` there. Then:
 *
 * 1. `npx payments-client sandbox --forward-to localhost:3000/webhooks` simulates the payment service.
 * 2. In another shell, `npx payments-client env > .env` saves its address and keys, and `node --env-file=.env tea-shop.mjs`
 *    starts the shop.
 * 3. Open http://localhost:3000, buy, and pay with the card 4242 4242 4242 4242. To pay from a shell instead, take the
 *    session's id from the end of the payment page's address: `npx payments-client pay cs_…`
 * 4. Give a part back: `curl -X POST 'http://localhost:3000/orders/<id>/refund?amount=5.00'`, and another part with `&return=2`.
 *
 * For the real service, put its address, your keys, the address of its payment page (PAYMENTS_CHECKOUT_PAGE), the signing secret of
 * your endpoint (PAYMENTS_WEBHOOK_SECRET) and the public address of your shop (SHOP_URL) into `.env`.
 */

import { createServer } from 'node:http';
import {
  ConfigurationError,
  formatAmount,
  PaymentsClient,
  PaymentsError,
  toMinorUnits,
} from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const { PAYMENTS_WEBHOOK_SECRET, PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const needed = [
  'PAYMENTS_BASE_URL',
  'PAYMENTS_SECRET_KEY',
  'PAYMENTS_CHECKOUT_PAGE',
  'PAYMENTS_WEBHOOK_SECRET',
];
const missing = needed.filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')} in .env, and start with: node --env-file=.env tea-shop.mjs`);
  process.exit(1);
}

const payments = new PaymentsClient(); // reads its settings from PAYMENTS_…
const tea = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }; // cents; the browser never sets a price
const price = formatAmount(tea.amount, tea.currency, 'en');
const orders = new Map(); // use your database: a restart empties this one

/** Returns the order of a session. An order stores the ids of its sessions before its buyer can pay them. */
const orderOf = (session) => [...orders.values()].find((order) => order.sessions.includes(session.id));

/** Ships the order of a paid session. The webhook and the order's page both call this, but it ships once. */
async function markPaid(order, { id, payment_intent_id, amount_total: amount }) {
  // The webhook is then answered with 500, and kept.
  if (!order) throw new Error(`Paid, but no order has this session: ${id}`);
  if (!order.paidBy) {
    order.paidBy = id; // in a database: UPDATE … WHERE paid_by IS NULL, and ship in the same transaction if it changed a row
    order.intent = payment_intent_id; // a refund needs it
    console.log(`Ship order ${order.id}`); // ship here
  } else if (order.paidBy !== id) {
    // A second payment: that nobody can pay an expired session is not documented.
    await payments.refunds.create({ payment_intent_id, amount }, { operationId: `${id}/second-payment` });
  }
}

/** Asks the service for the newest session of an order, because only the service knows whether it is paid. */
async function checkSession(order) {
  if (order.sessions.length === 0) return;
  const session = await payments.checkoutSessions.retrieve(order.sessions.at(-1));
  if (session.payment_status === 'paid') await markPaid(order, session);
  return session;
}

/** Returns the session that the buyer can pay, unless the order is paid. An order gets a new one only after the last one has expired. */
async function openSession(order) {
  if (order.paidBy) return;
  const attempt = order.sessions.length; // read first: two requests at once then make the same attempt
  const last = await checkSession(order);
  if (last && last.status !== 'expired') return last;
  const page = `${SHOP_URL}/orders/${order.id}`;
  const session = await payments.checkoutSessions.create(
    { mode: 'payment', line_items: [tea], success_url: page, cancel_url: page },
    { operationId: `${order.id}/${attempt}` }, // a repeated call returns the same session
  );
  order.sessions[attempt] = session.id; // before the redirect: the webhook finds the order by it
  return session;
}

const receiver = new Webhooks({ secret: PAYMENTS_WEBHOOK_SECRET }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    'checkout.session.completed': ({ data }) => markPaid(orderOf(data.object), data.object),
    'checkout.session.expired': ({ data }) => console.log('Expired:', data.object.id),
    'refund.failed': ({ data }) =>
      console.error('Refund failed:', data.object.id, data.object.failure_message),
  },
  onError: console.error,
});

const encode = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
// The form has the id of the order, so that a second click does not create a second order.
const form = (id, label) => `<form method="post" action="/orders?id=${id}"><button>${label}</button></form>`;

function show(response, status, html) {
  // Without no-store, the browser's Back could show an order as it was.
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`<!doctype html><html lang="en"><title>Tea shop</title><h1>Tea shop</h1>${html}</html>`);
}

async function buy(response, id) {
  if (!/^[\da-f-]{36}$/.test(id)) return show(response, 400, 'No order: <a href="/">buy tea</a>');
  const order = orders.get(id) ?? { id, sessions: [], returns: new Map() };
  orders.set(id, order); // stored before the call: after a crash, a repeat opens the same session
  const session = await openSession(order);
  const location = order.paidBy ? `/orders/${id}` : payments.checkoutSessions.pageUrl(session);
  response.writeHead(303, { location }).end();
}

async function showOrder(response, order) {
  if (!order.paidBy) await checkSession(order); // coming back proves nothing: anyone can open this page
  const isRefunded = [...order.returns.values()].some((stored) => stored.refund !== undefined);
  const next = isRefunded ? 'A refund is on its way.' : 'The tea is on its way.';
  if (order.paidBy) show(response, 200, `Thank you: order ${order.id} is paid. ${next}`);
  else show(response, 200, `Order ${order.id} is not paid. ${form(order.id, 'Pay now')}`);
}

/** Gives back what is left, or ?amount=5.00. The id of the return makes a repeated request the same refund. */
async function refund(response, order, query) {
  const id = query.get('return') ?? '1';
  const amount = query.has('amount') ? amountOf(query.get('amount')) : undefined;
  if (Number.isNaN(amount)) return show(response, 409, 'Expected an amount such as 5.00');
  const stored = order.returns.get(id) ?? { amount };
  if (!order.paidBy || stored.amount !== amount)
    return show(response, 409, 'Expected a paid order, and another ?return= for another refund');
  order.returns.set(id, stored); // before the call, so that a repeat is the same operation
  const params = { payment_intent_id: order.intent, ...(amount === undefined ? {} : { amount }) };
  try {
    stored.refund ??= (await payments.refunds.create(params, { operationId: `${order.id}/return/${id}` })).id;
  } catch (error) {
    // It speaks of this process alone, and so do the orders. With a database, use a journal.
    const isRefused = error instanceof PaymentsError && error.outcome === 'not_executed' && !error.retryable;
    if (!isRefused) throw error;
    return show(response, 409, 'Refused, and no money moved: try another amount, with another ?return=');
  }
  const now = await payments.refunds.retrieve(stored.refund);
  const text = `${formatAmount(now.amount, now.currency, 'en')}, ${encode(now.status)}`;
  show(response, 200, `Return ${encode(id)}: ${text}`);
}

/** Returns an amount in cents, or NaN. */
function amountOf(text) {
  try {
    return toMinorUnits(text, tea.currency);
  } catch (error) {
    if (error instanceof ConfigurationError) return Number.NaN;
    throw error;
  }
}

const server = createServer(async (request, response) => {
  try {
    const { pathname, searchParams: query } = new URL(`http://localhost${request.url}`);
    const route = `${request.method} ${pathname}`;
    const order = orders.get(pathname.split('/')[2]);
    if (route === 'GET /') show(response, 200, `A box of tea: ${price} ${form(crypto.randomUUID(), 'Buy')}`);
    else if (route === 'POST /orders') await buy(response, query.get('id') ?? '');
    else if (route === 'POST /webhooks') await receiver.node(request, response);
    else if (order && route === `GET /orders/${order.id}`) await showOrder(response, order);
    else if (order && route === `POST /orders/${order.id}/refund`)
      await refund(response, order, query); // protect this route: only your staff may use it
    else show(response, 404, `There is no page ${encode(pathname)}`);
  } catch (error) {
    console.error(error);
    show(response, 503, 'That did not work. You may try again: nothing is charged or refunded twice.');
  }
});
server.listen(PORT, () => console.log(`The shop is at http://localhost:${server.address().port}`));
