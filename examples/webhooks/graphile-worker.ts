/**
 * Webhooks with graphile-worker, on PostgreSQL only: the record of a delivery and its job are committed together, and so are the
 * record of the job and the shipment. Any number of these processes share the work.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- webhooks/graphile-worker`. In your app also WEBHOOK_SECRET and PORT.
 */

import { createServer } from 'node:http';
import { run } from 'graphile-worker';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { type DeliveryFailure, type WebhookEvent, Webhooks } from 'payments-client/webhooks';
import pg from 'pg';

interface QueuedEvent {
  readonly event: WebhookEvent;
  readonly scope: string | undefined;
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      webhook: QueuedEvent;
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

const webhooks = new Webhooks({ secret: process.env['WEBHOOK_SECRET'] });
const common = {
  store,
  transaction,
  onError: ({ error, outcome }: DeliveryFailure) => console.error(outcome, error),
};

const receiver = webhooks.receiver({
  ...common,
  consumer: 'queue',
  onEvent: (event, { operationId, scope, client }) =>
    client.query("SELECT graphile_worker.add_job('webhook', $1, job_key => $2)", [
      JSON.stringify({ event, scope }),
      operationId,
    ]),
});

const shipping = webhooks.receiver({
  ...common,
  consumer: 'shipping',
  on: {
    'checkout.session.completed': ({ data }, { client }) =>
      client.query('INSERT INTO shipments VALUES ($1)', [data.object.id]),
  },
});

// It creates its tables, so it starts before the first delivery. On SIGTERM it waits for running jobs.
await run({
  pgPool: pool,
  concurrency: 4,
  taskList: {
    webhook: async ({ event, scope }) => {
      console.log(event.id, await shipping.dispatch(event, { scope }));
    },
  },
});

const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log('Listening', server.address()),
);
