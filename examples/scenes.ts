/** What the sandbox simulates for each example: earlier data of the merchant, its buyers, and the passing of time. */

import { randomUUID } from 'node:crypto';
import { PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';

/** The setup of one example. */
export interface Scene {
  /** Creates data before the example starts, and returns its arguments. */
  readonly prepare?: (sandbox: Sandbox) => readonly string[];
  /** Runs once the example listens. */
  readonly afterStart?: (sandbox: Sandbox) => unknown;
}

const order = { prepare: () => ['order-1042', '1200', 'usd', 'pm_card'] };

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

/** Creates a payment of 24.00, for a refund of 5.00. */
function preparePayment(sandbox: Sandbox): readonly string[] {
  const { id } = sandbox.add('payment_intent', { amount: 2400 });
  sandbox.pay(id);
  return [id, 'return-77', '500'];
}

/** Creates the payments of a month, and settles a batch. */
function prepareMonth(sandbox: Sandbox): readonly string[] {
  sandbox.seed({ customers: 50, intents: 500, months: 1 });
  for (const amount of [1200, 2400, 999]) sandbox.trigger('payment_intent.succeeded', { amount });
  sandbox.trigger('refund.succeeded', { amount: 500 });
  sandbox.settle();
  return [];
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
  'safe-retry/sqlite': order,
  'safe-retry/outbox': { prepare: (sandbox) => ['return-77', preparePayment(sandbox)[0] ?? '', '500'] },
  'safe-retry/four-workers': {},
  // A new order each time, since DBOS keeps the result of an earlier one.
  'durable/dbos': {
    prepare: () => [`order-${randomUUID()}`, '2100', 'usd', 'pm_card_declined', 'pm_card'],
  },
  refunds: { prepare: preparePayment },
  reconciliation: { prepare: prepareMonth },
  'export-list': customers,
  'resume-list': customers,
  subscriptions: { afterStart: startSubscription },
  'fraud-review': { prepare: () => ['charge', 'order-1042', '12.00', 'tok_1', 'risk10@example.com'] },
};
