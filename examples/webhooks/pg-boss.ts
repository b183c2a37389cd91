/**
 * Webhooks with pg-boss, on PostgreSQL only: each delivery becomes a job before it is acknowledged, and a worker commits the shipment
 * together with the record of its event. Any number of these processes share the work.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- webhooks/pg-boss`. In your app also PAYMENTS_WEBHOOK_SECRET and PORT.
 */

import { createServer } from 'node:http';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { type WebhookJob, Webhooks } from 'payments-client/webhooks';
import pg from 'pg';
import { PgBoss } from 'pg-boss';

const connectionString = process.env['DATABASE_URL'] ?? '';
const pool = new pg.Pool({ connectionString });
// Without it a broken connection, such as after a restart of the database, would end the process: an idle one, or one in a
// transaction.
pool.on('error', console.error);
pool.on('connect', (client) => client.on('error', console.error));
const store = postgresStore(pool);
await store.migrate();
await pool.query('CREATE TABLE IF NOT EXISTS shipments (session text PRIMARY KEY)');

async function transaction(handle: (client: PostgresClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await handle(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const boss = new PgBoss(connectionString);
boss.on('error', console.error);
await boss.start();
await boss.createQueue('webhooks-failed');
// The pauses double: twelve attempts take half an hour. A job that fails them all goes to the other queue.
await boss.createQueue('webhooks', {
  retryLimit: 12,
  retryDelay: 1,
  retryBackoff: true,
  deadLetter: 'webhooks-failed',
});

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store,
  transaction,
  onError: ({ error, outcome }) => console.error(outcome, error),
  enqueue: (job) => boss.send('webhooks', job),
  on: {
    'checkout.session.completed': ({ data }, { client }) =>
      client.query('INSERT INTO shipments VALUES ($1)', [data.object.id]),
  },
});

// An event that the service delivers twice is two jobs; the second is a duplicate.
await boss.work<WebhookJob>('webhooks', { pollingIntervalSeconds: 0.5 }, async (jobs) => {
  for (const { data } of jobs) console.log(await receiver.dispatch(data));
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
process.once('SIGTERM', async () => {
  server.close();
  await boss.stop();
  await pool.end();
});
