/**
 * Follows subscriptions by webhooks: which customers have access, which need another card, and whose invoice will never be paid,
 * so that the subscription is canceled.
 *
 * Run it: `npm run example -- subscriptions`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET, PORT.
 */

import { createServer } from 'node:http';
import { type Invoice, PaymentsClient, type Subscription } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const payments = new PaymentsClient();
const subscriptions = new Map<string, Subscription>(); // your database

/**
 * Events may arrive in any order, so this reads the current state. The interface shows `incomplete` and `canceled`; the other
 * states are inferred.
 */
async function refresh({ id }: Subscription): Promise<void> {
  const subscription = await payments.subscriptions.retrieve(id);
  subscriptions.set(id, subscription);
  const hasAccess = ['active', 'past_due'].includes(subscription.status);
  console.log(`${id} is ${subscription.status}: ${hasAccess ? 'access' : 'no access'}`);
}

/** An invoice contains the id of its customer, not of its subscription. So a paid subscription is no candidate. */
async function pastDueOf({ customer }: Invoice): Promise<Subscription[]> {
  const known = [...subscriptions.values()].filter((subscription) => subscription.customer === customer);
  const current = await Promise.all(known.map(({ id }) => payments.subscriptions.retrieve(id)));
  return current.filter(({ status }) => status === 'past_due');
}

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    'subscription.created': ({ data }) => refresh(data.object),
    'subscription.updated': ({ data }) => refresh(data.object),
    'subscription.canceled': ({ data }) => refresh(data.object),
    'invoice.paid': ({ data }) => console.log(`${data.object.id} is paid`),
    'invoice.payment_failed': ({ data }) => {
      const { id, customer, attempt_count } = data.object;
      console.log(`${id}: attempt ${attempt_count} failed, ask ${customer} for another card`);
    },
    // Final: the service does not retry the payment.
    'invoice.marked_uncollectible': async ({ data }, { operationId }) => {
      console.log(`${data.object.id} is given up`);
      const [one, ...others] = await pastDueOf(data.object);
      if (others.length > 0)
        console.log(`${data.object.customer} has several unpaid subscriptions: choose one`);
      else if (one !== undefined) await payments.subscriptions.cancel(one.id, { operationId });
    },
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
