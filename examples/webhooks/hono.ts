/**
 * Webhooks with Hono, here on Node: each delivery is verified, typed, and handled once.
 *
 * Run it: `npm run example -- webhooks/hono`. In your app: PAYMENTS_WEBHOOK_SECRET, PORT.
 */

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; redisStore or postgresStore for more
  on: {
    // Throw if it fails: the answer is 500, and the store keeps the event.
    'checkout.session.completed': ({ data }) => console.log(`ship what ${data.object.id} paid for`),
    'refund.failed': ({ data }) => console.log(`look into ${data.object.id}: ${data.object.failure_message}`),
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

const app = new Hono();
app.post('/webhooks', (context) => receiver.fetch(context.req.raw));

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, (address) =>
  console.log('Listening', address),
);

process.once('SIGTERM', async () => {
  server.close();
  const unfinished = await receiver.drain(); // what a cut connection no longer waits for, too
  if (unfinished.length > 0) console.error('still being handled', unfinished);
});
