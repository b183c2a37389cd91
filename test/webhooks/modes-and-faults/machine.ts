/** One process of a merchant: its endpoint, and with an engine also its worker. Its effects are rows of a table without a key. */

import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { type PostgresClient, postgresStore, redisStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { secret } from '../../support/deliveries.ts';
import { inTransaction } from '../../support/pg-transaction.ts';
import { openPool, openQueue } from '../../support/queues.ts';
import { receiverOf } from '../receiver/modes.ts';
import type { MachineTask } from './rig.ts';

const { mode, name, place, database, lease }: MachineTask = JSON.parse(process.argv[2] ?? '');
const pool = openPool(database);
const redis = new Redis(place.redis, { maxRetriesPerRequest: null, lazyConnect: true }).on('error', () => {});
const queue = mode.engine && (await openQueue(mode.engine, place, name));
const running = new Set<Promise<unknown>>();

/** Works for a while before and after the effect, so that faults strike on both sides of it. */
async function effect(id: string, client: PostgresClient = pool): Promise<void> {
  await client.query('SELECT pg_sleep(0.05)', []);
  await client.query(`INSERT INTO ${name} (event) VALUES ($1)`, [id]);
  await client.query('SELECT pg_sleep(0.05)', []);
}

const unsupported = () => Promise.reject(new Error('no mode of this suite needs it'));

/** Keeps the process alive for it. */
function tracked(work: Promise<unknown>): Promise<unknown> {
  running.add(work);
  const end = () => void running.delete(work);
  work.then(end, end);
  return work;
}

const isRedis = mode.store === 'redis';
// A machine whose clock is wrong must get past the check of a delivery's age.
const receiver = receiverOf(
  new Webhooks({ secret, tolerance: 1_200_000 }),
  mode.handling,
  {
    store: isRedis ? { ...redisStore(redis), record: unsupported } : postgresStore(pool),
    transaction: (run) => inTransaction(pool, run),
    add: effect,
    effects: unsupported,
  },
  (work) => tracked(work.add()),
  { lease, consumer: name, onError: () => {}, ...(queue && { enqueue: queue.add }) },
);
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
