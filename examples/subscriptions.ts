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

/** An invoice contains the id of its customer, not of its subscription. */
function subscriptionsOf({ customer }: Invoice): Subscription[] {
  return [...subscriptions.values()].filter((subscription) => subscription.customer === customer);
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
      for (const { id } of subscriptionsOf(data.object)) {
        await payments.subscriptions.cancel(id, { operationId: `${operationId}-${id}` });
      }
    },
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
