/**
 * Webhooks in a route handler of Next.js: each delivery is verified, typed, and handled once.
 *
 * Run it: save it as `app/webhooks/route.ts`, set PAYMENTS_WEBHOOK_SECRET, where the app is built too, and start your app beside
 * `npx payments-client sandbox --forward-to http://localhost:3000/webhooks`.
 */

import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: memoryStore(), // for one process; hosts that start one per request need redisStore or postgresStore
  on: {
    // Throw if it fails: the answer is 500, and the store keeps the event.
    'checkout.session.completed': ({ data }) => console.log(`ship what ${data.object.id} paid for`),
    'refund.failed': ({ data }) => console.log(`look into ${data.object.id}: ${data.object.failure_message}`),
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

export const POST = receiver.fetch;

// With NEXT_MANUAL_SIG_HANDLE=true, the process ends here, and not in the middle of a handler.
process.once('SIGTERM', async () => {
  await receiver.drain();
  process.exit();
});
