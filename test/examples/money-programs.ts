/** Each program of `examples/` that moves money, with what its users do: they follow what it says. */

import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { type Fault, type Sandbox, testCards } from 'payments-client-sandbox';
import { onTestFinished, vi } from 'vitest';
import { payOrder, type Steps, stepsOf } from '../../examples/durable/order.ts';
import { openOrders } from '../../examples/web-checkout/orders.ts';
import { createShop } from '../../examples/web-checkout/shop.ts';
import { startAnew } from '../support/new-process.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { serve } from '../support/serve.ts';
import { ordersOf } from './crash.ts';
import type { ExampleDatabase } from './database.ts';
import { type Merchant, secret, startMerchant } from './support.ts';

/** A program that runs. */
interface Started {
  readonly sandbox: Sandbox;
  /** Does the next thing that the program allows, and returns what it says. */
  act(): Promise<string>;
}

export type Operation = Extract<Fault, { readonly kind: 'drop_reply' }>['operation'];

export interface Program {
  readonly name: string;
  /** The call whose reply is lost. */
  readonly loses: Operation;
  /** The ledger after the loss, and from then on. */
  readonly ledger: readonly string[];
  /** What it says once the service is well again. */
  readonly ends: RegExp;
  readonly start: () => Promise<Started>;
}

/** The lines that deny what happened, unless they name the earlier call or run. */
export function denialsIn(text: string): readonly string[] {
  const denial =
    /no money moved|nothing was|not_executed|not paid|declined|(?:choose|use|try) another|: failed|requires_payment_method|^(?:open|canceled)$/i;
  return text.split('\n').filter((line) => denial.test(line) && !/\bearlier\b/i.test(line));
}

async function runAndRead({ run }: Merchant, name: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(name, ...args);
  return stdout + stderr;
}

const card = { ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' };

const order = { id: 'order-1042', cards: ['pm_card', 'pm_card_visa'] };

/** A review queue with a payment of 12.00, which one of its commands advances. */
function fraudReview(email: string, command: string) {
  return async (): Promise<Started> => {
    const merchant = await startMerchant();
    const { sandbox } = merchant;
    const charge = async () => {
      const token = await sandbox.tokenize(card); // a new one for each attempt
      return runAndRead(merchant, 'fraud-review', 'charge', order.id, '12.00', token, email);
    };
    if (command === 'charge') return { sandbox, act: charge };
    await charge();
    return { sandbox, act: () => runAndRead(merchant, 'fraud-review', command, order.id) };
  };
}

async function teaShop(): Promise<Started> {
  const { sandbox, launch } = await startMerchant({ SHOP_URL: 'https://shop.example' });
  const listens = await launch('tea-shop.mjs').line((line) => line.startsWith('The shop is at'));
  const [url = ''] = /http:\S+/.exec(listens) ?? [];
  const send = async (method: string, path: string) =>
    (await fetch(`${url}${path}`, { method, redirect: 'manual' })).text();
  const [, order = ''] = /action="(\/orders\/[^"]*)\/pay"/.exec(await send('GET', '/')) ?? [];
  await send('POST', `${order}/pay`);
  const [session] = await clientOf(sandbox).checkoutSessions.list().toArray({ max: 1 });
  sandbox.pay(session?.id ?? '');
  await send('GET', order);
  let returns = 1;
  const act = async () => {
    const said = await send('POST', `${order}/refund/return-${returns}/500`);
    if (denialsIn(said).length > 0) returns += 1;
    return said + (await send('GET', order));
  };
  return { sandbox, act };
}

/** A shop whose buyer pays two sessions of one order. */
async function checkoutExpress(): Promise<Started> {
  const { sandbox, serve: serveExample } = await startMerchant({}, { expiredSessions: 'payable' });
  const { url } = await serveExample('checkout-express');
  const { id } = Object(await (await fetch(`${url}/orders`, { method: 'POST' })).json());
  for (const wait of ['25 hours', '1 s'] as const) {
    await fetch(`${url}/orders/${id}/checkout`, { method: 'POST', redirect: 'manual' });
    await sandbox.clock.advance(wait);
  }
  sandbox.webhooks.deliverTo(`${url}/webhooks`, { secret });
  const unpaid = (await clientOf(sandbox).checkoutSessions.list().toArray({ max: 2 })).toReversed();
  const act = async () => {
    for (const session of unpaid.splice(0)) sandbox.pay(session.id);
    await sandbox.clock.advance('1 hour'); // the sandbox repeats failed deliveries
    await sandbox.settled();
    const { state } = Object(await (await fetch(`${url}/orders/${id}`)).json());
    const isHandled = sandbox.webhooks.deliveries().every(({ status }) => status === 'delivered');
    return `${state}${isHandled ? ', all events handled' : ''}`;
  };
  return { sandbox, act };
}

/** A shop whose buyer pays on the shop's own page, with another card each time. */
async function webCheckout(): Promise<Started> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const sandbox = await startSandbox({ onlyShownFields: true });
  const { url: baseUrl, publicKey } = sandbox;
  const payments = clientOf(sandbox);
  const server = await serve((request, response) => shop(request, response));
  onTestFinished(() => server.close());
  const shop = createShop({
    orders: openOrders(payments, new DatabaseSync(':memory:'), server.url),
    webhooks: new Webhooks({ secret }),
    browser: { baseUrl, publicKey, checkoutPage: sandbox.checkoutPage },
    browserModule: '',
  });
  const home = await fetch(server.url, { redirect: 'manual' });
  const page = new URL(home.headers.get('location') ?? '', server.url).href;
  const contact = { amount: '24.00', email: 'ada@example.com', phone: '555' };
  const address = { address1: '1 Tea Street', city: 'X', state: 'CA', zip: '90210' };
  const act = async () => {
    const payment_token = await sandbox.tokenize({ ...card, ccnumber: testCards.frictionless.number });
    const threeDSecure = sandbox.authenticate(payment_token);
    const body = JSON.stringify({ payment_token, threeDSecure, ...contact, ...address });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${page}/pay`, { method: 'POST', headers, body });
    return `${await answer.text()}\n${await (await fetch(page)).text()}`;
  };
  return { sandbox, act };
}

/** A workflow in a durable engine, which stores what each step returned. Each run is a new process. */
export async function durableOrder(): Promise<Started> {
  const sandbox = await startSandbox({ onlyShownFields: true });
  const { url: baseUrl } = sandbox;
  const store = memoryStore();
  const charged = new Map<string, Awaited<ReturnType<Steps['charge']>>>();
  const durable = ({ charge }: Steps): Steps => ({
    charge: async (id, card) => {
      const state = charged.get(card) ?? (await charge(id, card));
      charged.set(card, state);
      return state;
    },
  });
  const act = () => {
    startAnew();
    const steps = durable(stepsOf(ordersOf(clientOf(sandbox, { baseUrl }), store)));
    return payOrder(steps, order).catch((error: Error) => `${error.name}: the engine tries again`);
  };
  return { sandbox, act };
}

/** The programs that need nothing else. */
export const programs: readonly Program[] = [
  {
    name: 'safe-retry',
    loses: 'subscriptions.create',
    ledger: ['charge 900'],
    ends: /^signup-7: sub_\w+ active$/,
    start: async () => {
      const merchant = await startMerchant();
      const { sandbox } = merchant;
      const payment_settings = { default_payment_method: 'pm_card' };
      const { id: customer } = sandbox.add('customer', { payment_settings });
      const { id: price } = sandbox.add('price', { unit_amount: 900, currency: 'usd' });
      return { ...merchant, act: () => runAndRead(merchant, 'safe-retry', 'signup-7', customer, price) };
    },
  },
  {
    name: 'card-sale.cjs',
    loses: 'transact.sale',
    ledger: ['sale pending 12.00'],
    ends: /^order-1042: in_progress$/,
    start: async () => {
      const merchant = await startMerchant();
      let tokens = 1;
      const act = async () => {
        const said = await runAndRead(merchant, 'card-sale.cjs', 'sell', order.id, '1200', `tok_${tokens}`);
        if (denialsIn(said).length > 0) tokens += 1;
        return said;
      };
      return { ...merchant, act };
    },
  },
  {
    name: 'fraud-review charge',
    loses: 'transact.auth',
    ledger: ['auth authorized 0.00'],
    ends: /order-1042 is not new/,
    start: fraudReview('risk10@example.com', 'charge'),
  },
  {
    name: 'fraud-review approve',
    loses: 'transact.capture',
    ledger: ['auth pending 12.00'],
    ends: /order-1042 is not review/,
    start: fraudReview('risk50@example.com', 'approve'),
  },
  {
    name: 'tea-shop.mjs',
    loses: 'refunds.create',
    ledger: ['charge 1200', 'refund 500'],
    ends: /is paid\. Paid: \$12\.00\. Going back: \$5\.00\./,
    start: teaShop,
  },
  {
    name: 'checkout-express',
    loses: 'refunds.create',
    ledger: ['charge 2400', 'charge 2400', 'refund 2400'],
    ends: /^paid, all events handled$/,
    start: checkoutExpress,
  },
  {
    name: 'durable/order',
    loses: 'paymentIntents.confirm',
    ledger: ['charge 1200'],
    ends: /^paid$/,
    start: durableOrder,
  },
  {
    name: 'web-checkout',
    loses: 'transact.sale',
    ledger: ['sale pending 24.00'],
    ends: /^\{"state":"in_progress"/,
    start: webCheckout,
  },
];

/** The programs that need PostgreSQL. */
export const programsOn = (database: ExampleDatabase): readonly Program[] => [
  {
    name: 'durable/dbos',
    loses: 'paymentIntents.confirm',
    ledger: ['charge 1200'],
    ends: /: paid$/,
    start: async () => {
      const merchant = await startMerchant({ DATABASE_URL: database.url });
      const args = [randomUUID(), ...order.cards];
      return { ...merchant, act: () => runAndRead(merchant, 'durable/dbos', ...args) };
    },
  },
];
