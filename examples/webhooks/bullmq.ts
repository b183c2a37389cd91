/**
 * Webhooks with BullMQ: each delivery is queued and acknowledged at once, and a worker opens one account for each buyer. Any number of
 * these processes share the work.
 *
 * Run it: `REDIS_URL=redis://… npm run example -- webhooks/bullmq`. In your app also PAYMENTS_WEBHOOK_SECRET, PORT, PAYMENTS_BASE_URL and
 * PAYMENTS_SECRET_KEY.
 */

import { createServer } from 'node:http';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { PaymentsClient } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { type WebhookJob, Webhooks } from 'payments-client/webhooks';

// BullMQ requires `maxRetriesPerRequest: null`.
const connection = new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
const queue = new Queue<WebhookJob>('webhooks', {
  connection,
  // Twelve attempts take half an hour: longer than the lease of a crashed worker. What fails them all stays in the queue's failed set.
  defaultJobOptions: {
    attempts: 12,
    backoff: { type: 'exponential', delay: 1000 },
    removeOnComplete: { age: 86_400 },
  },
});
const payments = new PaymentsClient();

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store: redisStore(connection),
  onError: ({ error, outcome }) => console.error(outcome, error),
  enqueue: (job) => queue.add('webhook', job),
  on: {
    // If a worker crashes here, another starts again: the same operationId returns the same account.
    'checkout.session.completed': async ({ data }, { operationId }) => {
      const { id } = await payments.customers.create({}, { operationId }); // store its id beside the order
      console.log(`${data.object.id}: opened ${id}`);
    },
  },
});

// A job that the queue delivers twice, or an event that the service does, is handled once.
const worker = new Worker<WebhookJob>('webhooks', ({ data }) => receiver.dispatch(data), {
  connection,
  concurrency: 8,
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
process.once('SIGTERM', async () => {
  server.close();
  await worker.close();
  await queue.close();
  connection.disconnect();
});
