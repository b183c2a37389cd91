/**
 * Webhooks with BullMQ: each delivery is queued and acknowledged at once, and a worker opens one account for each buyer. Any number of
 * these processes share the work.
 *
 * Run it: `REDIS_URL=redis://… npm run example -- webhooks/bullmq`. In your app also WEBHOOK_SECRET, PORT, PAYMENTS_BASE_URL and
 * PAYMENTS_SECRET_KEY.
 */

import { createServer } from 'node:http';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { PaymentsClient } from 'payments-client';
import { redisStore } from 'payments-client/stores';
import { type DeliveryFailure, type WebhookEvent, Webhooks } from 'payments-client/webhooks';

interface QueuedEvent {
  readonly event: WebhookEvent;
  readonly scope: string | undefined;
}

// BullMQ requires `maxRetriesPerRequest: null`. Without Redis the receiver still responds with 503 after 3 s.
const connection = new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
const queue = new Queue<QueuedEvent>('webhooks', { connection });
const payments = new PaymentsClient();
const webhooks = new Webhooks({ secret: process.env['WEBHOOK_SECRET'] });
const common = {
  store: redisStore(connection),
  onError: ({ error, outcome }: DeliveryFailure) => console.error(outcome, error),
};
// Twelve attempts take half an hour: longer than the lease of a crashed worker.
const job = {
  attempts: 12,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { age: 86_400 },
};

const receiver = webhooks.receiver({
  ...common,
  consumer: 'queue',
  // A crash after `add` queues the event again. BullMQ ignores a job id that exists; `dispatch` ignores a handled event.
  onEvent: (event, { operationId, scope }) =>
    queue.add(event.type, { event, scope }, { ...job, jobId: operationId }),
});

const accounts = webhooks.receiver({
  ...common,
  consumer: 'accounts',
  on: {
    // If a worker crashes here, another starts again: the same operationId returns the same account.
    'checkout.session.completed': async ({ data }, { operationId }) => {
      const { id } = await payments.customers.create({}, { operationId }); // store its id beside the order
      console.log(`${data.object.id}: opened ${id}`);
    },
  },
});

const worker = new Worker<QueuedEvent>(
  'webhooks',
  ({ data: { event, scope } }) => accounts.dispatch(event, { scope }),
  { connection, concurrency: 8 },
);

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
process.once('SIGTERM', async () => {
  server.close();
  await worker.close();
  await queue.close();
  connection.disconnect();
});
