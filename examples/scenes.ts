/** What the sandbox simulates for each example: earlier data of the merchant, its buyers, and the passing of time. */

import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PaymentsClient } from 'payments-client';
import { createOrders } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import type { Sandbox } from 'payments-client-sandbox';

/** The setup of one example. */
export interface Scene {
  /** Creates data before the example starts, and returns its arguments. */
  readonly prepare?: (sandbox: Sandbox) => readonly string[] | Promise<readonly string[]>;
  /** Runs once the example listens. */
  readonly afterStart?: (sandbox: Sandbox) => unknown;
}

const customers: Scene = {
  prepare: (sandbox) => {
    sandbox.seed({ customers: 950, intents: 0 });
    return [];
  },
};

const deliveries: Scene = {
  afterStart: (sandbox) => {
    sandbox.trigger('checkout.session.completed');
    sandbox.trigger('refund.failed');
  },
};

/** Creates a customer and a price, for a subscription. */
function prepareSignup(sandbox: Sandbox): readonly string[] {
  const { id: customer } = sandbox.add('customer', {
    payment_settings: { default_payment_method: 'pm_card' },
  });
  const { id: price } = sandbox.add('price', { unit_amount: 900, currency: 'usd' });
  return ['signup-7', customer, price];
}

/** Creates an order that its buyer pays, refunds a part, and settles a batch. Returns the database of the shop. */
async function prepareShop(sandbox: Sandbox): Promise<readonly string[]> {
  const { url: baseUrl, secretKey, fetch, checkoutPage } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch, checkoutPage });
  const file = join(await mkdtemp(join(tmpdir(), 'shop-')), 'shop.sqlite');
  const database = new DatabaseSync(file);
  const lines = [{ name: 'Tea', amount: 1200, quantity: 2 }];
  const row = { createdAt: Date.now(), currency: 'usd', lines };
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, row TEXT) STRICT');
  database.prepare('INSERT INTO orders VALUES (?, ?)').run('order-1042', JSON.stringify(row));
  const shop = { account: 'tea-shop', page: () => 'https://shop.example/', onPaid: () => undefined };
  const orders = createOrders({ ...shop, payments, store: sqliteStore(database), order: () => row });
  const checkout = await orders.checkout('order-1042');
  if (checkout.state === 'open') sandbox.pay(checkout.session);
  await orders.refresh('order-1042');
  await orders.refund('order-1042', { id: 'return-77', amount: 500, currency: 'usd' });
  sandbox.settle();
  database.close();
  return [file];
}

/** Creates a subscription whose card fails on renewal, and advances the clock until its invoice is uncollectible. */
async function startSubscription(sandbox: Sandbox): Promise<void> {
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch });
  const payment_settings = { default_payment_method: 'pm_card_fails_on_renewal' };
  const { id: customer } = sandbox.add('customer', { payment_settings });
  sandbox.add('price', { id: 'price_tea', unit_amount: 900, currency: 'usd' });
  const items = [{ price: 'price_tea' }];
  await payments.subscriptions.create(
    { customer, items, collection_method: 'charge_automatically' },
    { operationId: 'subscription-7' },
  );
  await sandbox.clock.advance('30 days');
  await sandbox.clock.advance('17 days');
}

/** The examples that run with a sandbox, by name. */
export const scenes: Readonly<Record<string, Scene>> = {
  'quick-start': {},
  'checkout-express': {},
  'webhooks/express': deliveries,
  'webhooks/fastify': deliveries,
  'webhooks/hono': deliveries,
  'webhooks/bullmq': deliveries,
  'webhooks/graphile-worker': deliveries,
  'webhooks/pg-boss': deliveries,
  'safe-retry': { prepare: prepareSignup },
  // A new order each time, since DBOS keeps the result of an earlier one.
  'durable/dbos': {
    prepare: () => [`order-${randomUUID()}`, 'pm_card_declined', 'pm_card'],
  },
  reconciliation: { prepare: prepareShop },
  'export-list': customers,
  'resume-list': customers,
  subscriptions: { afterStart: startSubscription },
  'fraud-review': { prepare: () => ['charge', 'order-1042', '12.00', 'tok_1', 'risk10@example.com'] },
};
