/**
 * Follows subscriptions by webhooks: `GET /access/cus_…` says who has access (keep it behind your login). A person says which subscription an
 * invoice cancels, or none: `node subscriptions.ts cus_… inv_… sub_…`.
 *
 * Run it: `npm run example -- subscriptions`. In your app: PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET, PORT.
 */

import { createServer } from 'node:http';
import { PaymentsClient } from 'payments-client';
import { createSubscriptions, type SubscriptionNeed } from 'payments-client/orders';
import { sqliteStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const store = sqliteStore('subscriptions.db'); // redisStore or postgresStore for several machines
const subscriptions = createSubscriptions({ payments: new PaymentsClient(), store, account: 'tea-test' });

function print(customer: string, needs: readonly SubscriptionNeed[]): void {
  for (const { invoice, kind, subscriptions: ids } of needs)
    console.log(`${customer} ${invoice} needs a person: ${kind} ${ids.join(' ')}`);
}

async function serve(): Promise<void> {
  const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
    store,
    on: {
      ...subscriptions.on,
      'invoice.payment_failed': ({ data: { object } }) =>
        console.log(
          `${object.id}: attempt ${object.attempt_count} failed, ask ${object.customer} for another card`,
        ),
      'invoice.marked_uncollectible': async (event) => {
        await subscriptions.on['invoice.marked_uncollectible'](event);
        const { customer } = event.data.object;
        print(customer, (await subscriptions.access(customer)).needs);
      },
    },
    onError: ({ error, outcome }) => console.error(outcome, error),
  });
  const resume = async () => {
    for (const { customer, needs, error } of await subscriptions.resume()) {
      print(customer, needs);
      if (error !== undefined) console.error(customer, error);
    }
  };
  setInterval(() => void resume().catch(console.error), 5 * 60_000);
  const server = createServer(async (request, response) => {
    const [, customer] = /^\/access\/(cus_\w+)$/.exec(request.url ?? '') ?? [];
    if (customer === undefined) return receiver.node(request, response);
    const access = await subscriptions.access(customer).catch(console.error);
    response.writeHead(access === undefined ? 503 : 200).end(JSON.stringify(access));
  });
  server.listen(Number(process.env['PORT'] ?? 3000), () => console.log('Listening', server.address()));
}

const [customer, invoice, subscription = null] = process.argv.slice(2);
if (customer === undefined || invoice === undefined) await serve();
else print(customer, (await subscriptions.resolve(customer, invoice, subscription)).needs);
