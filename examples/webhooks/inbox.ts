/**
 * Webhooks without a queue: each delivery is stored in PostgreSQL and acknowledged at once, and workers open one account for each buyer.
 * Failed events are retried later. Those that keep failing are dead letters, which you inspect and replay.
 *
 * Run it: `DATABASE_URL=postgres://… npm run example -- webhooks/inbox`. In your app also WEBHOOK_SECRET, PORT, PAYMENTS_BASE_URL and
 * PAYMENTS_SECRET_KEY: `node inbox.ts web`, any number of `node inbox.ts worker`, and for dead letters `node inbox.ts list` and
 * `node inbox.ts replay webhook/…`.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { PaymentsClient } from 'payments-client';
import { postgresStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
// Without it a broken idle connection, such as after a restart of the database, would end the process.
pool.on('error', console.error);
const store = postgresStore(pool);
await store.migrate();
const payments = new PaymentsClient();
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort()); // ends the process after the running handlers

const receiver = new Webhooks({ secret: process.env['WEBHOOK_SECRET'] }).receiver({
  store,
  inbox: 'defer',
  on: {
    // If a worker crashes here, another starts again: the same operationId returns the same account.
    'checkout.session.completed': async ({ data }, { operationId }) => {
      const { id } = await payments.customers.create(
        { metadata: { session: data.object.id } },
        { operationId },
      );
      console.log(`${data.object.id}: opened ${id}`);
    },
  },
  onError: ({ error, outcome }) => console.error(outcome, error),
});

async function listen(): Promise<void> {
  const server = createServer(receiver.node).listen(Number(process.env['PORT'] ?? 3000), () =>
    console.log('Listening', server.address()),
  );
  await once(stop.signal, 'abort');
  server.close();
  await once(server, 'close');
}

const work = () => receiver.inbox.work({ signal: stop.signal, concurrency: 8 });

async function listDead(): Promise<void> {
  for await (const { operationId, event, attempt, lastError, isDead } of receiver.inbox.entries()) {
    if (isDead) console.log(operationId, event?.type, `failed ${attempt} times: ${lastError}`);
  }
}

const [command, id = ''] = process.argv.slice(2);
if (command === 'web') await listen();
else if (command === 'worker') await work();
else if (command === 'list') await listDead();
else if (command === 'replay')
  console.log((await receiver.inbox.replay(id)) ?? 'The inbox does not contain it.');
else await Promise.all([listen(), work()]);
await pool.end();
