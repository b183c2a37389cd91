/**
 * Webhooks with graphile-worker, on PostgreSQL only: each delivery becomes a job before it is acknowledged, and a worker commits the
 * shipment together with the record of its event. Any number of these processes share the work.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- webhooks/graphile-worker`. In your app also PAYMENTS_WEBHOOK_SECRET and PORT.
 */

import { createServer } from 'node:http';
import { run } from 'graphile-worker';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { type WebhookJob, Webhooks } from 'payments-client/webhooks';
import pg from 'pg';

declare global {
  namespace GraphileWorker {
    interface Tasks {
      webhook: WebhookJob;
    }
  }
}

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
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

const receiver = new Webhooks({ secret: process.env['PAYMENTS_WEBHOOK_SECRET'] }).receiver({
  store,
  transaction,
  onError: ({ error, outcome }) => console.error(outcome, error),
  // No job key: with one, a second delivery would reset the attempts of the first.
  enqueue: (job) => pool.query("SELECT graphile_worker.add_job('webhook', $1)", [JSON.stringify(job)]),
  on: {
    'checkout.session.completed': ({ data }, { client }) =>
      client.query('INSERT INTO shipments VALUES ($1)', [data.object.id]),
  },
});

// It creates its tables, so it starts before the first delivery. On SIGTERM it waits for running jobs.
await run({
  pgPool: pool,
  concurrency: 4,
  // An event that the service delivers twice is two jobs; the second is a duplicate.
  taskList: {
    webhook: async (job) => console.log(await receiver.dispatch(job)),
  },
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
