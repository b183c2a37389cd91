/** One process of a merchant: its endpoint, and with an engine also its worker. Its effects are rows of a table without a key. */

import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { type PostgresClient, postgresStore, redisStore } from 'payments-client/stores';
import { type Receiver, type ReceiverContext, type WebhookEvent, Webhooks } from 'payments-client/webhooks';
import { inTransaction } from '../../support/pg-transaction.ts';
import { openPool, openQueue } from '../../support/queues.ts';
import type { MachineTask } from './task.ts';

const { mode, name, place, database, secret, lease }: MachineTask = JSON.parse(process.argv[2] ?? '');
const pool = openPool(database);
const redis = new Redis(place.redis, { maxRetriesPerRequest: null, lazyConnect: true }).on('error', () => {});
const queue = mode.engine && (await openQueue(mode.engine, place, name));
const running = new Set<Promise<unknown>>();

/** Works for a while before and after the effect, so that faults strike on both sides of it. */
async function effect(client: PostgresClient, { id }: WebhookEvent): Promise<void> {
  await client.query('SELECT pg_sleep(0.05)', []);
  await client.query(`INSERT INTO ${name} (event) VALUES ($1)`, [id]);
  await client.query('SELECT pg_sleep(0.05)', []);
}

function tracked(work: Promise<unknown>): Promise<unknown> {
  running.add(work);
  const end = () => void running.delete(work);
  work.then(end, end);
  return work;
}

const common = {
  lease,
  consumer: name,
  onError: () => {},
  ...(queue && { enqueue: queue.add }),
};

// A machine whose clock is wrong must get past the check of a delivery's age.
const webhooks = new Webhooks({ secret, tolerance: 1_200_000 });

function makeReceiver(): Pick<Receiver, 'node' | 'dispatch'> {
  if (mode.store === 'redis') {
    const onEvent = (event: WebhookEvent) => tracked(effect(pool, event));
    return webhooks.receiver({ ...common, store: redisStore(redis), onEvent });
  }
  const store = postgresStore(pool);
  if (mode.handling === 'transaction') {
    const transaction = (run: (client: PostgresClient) => Promise<void>) => inTransaction(pool, run);
    const onEvent = (event: WebhookEvent, { client }: { readonly client: PostgresClient }) =>
      tracked(effect(client, event));
    return webhooks.receiver({ ...common, store, transaction, onEvent });
  }
  const isInline = mode.handling === 'inline';
  const together = (event: WebhookEvent, { completeIn }: ReceiverContext<PostgresClient>) =>
    inTransaction(pool, async (client) => {
      await effect(client, event);
      await completeIn(client);
    });
  return webhooks.receiver({
    ...common,
    store,
    onEvent: (event, context) => tracked(isInline ? effect(pool, event) : together(event, context)),
  });
}

const receiver = makeReceiver();
await queue?.work((job) => receiver.dispatch(job));
const server = createServer(receiver.node);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

/** Ends when no handler can have an effect any more. */
process.once('message', async () => {
  server.close();
  await queue?.close();
  while (running.size > 0) await Promise.allSettled(running);
  process.exit();
});
process.once('disconnect', () => process.exit());
