/**
 * One process of a merchant: a Node server with a receiver, whose store and effects it shares with other processes. Its
 * first argument is its task, and it sends its port to its parent.
 */

import { createServer } from 'node:http';
import { PaymentsClient } from 'payments-client';
import { postgresStore, redisStore, type Store, sqliteStore } from 'payments-client/stores';
import { type ReceiverContext, type ReceiverOptions, Webhooks } from 'payments-client/webhooks';
import pg from 'pg';
import { createClient } from 'redis';
import { inTransaction } from '../../support/pg-transaction.ts';
import type { WorkerTask } from './task.ts';

type Event = { readonly id: string };

async function openStore({ kind, path }: Exclude<WorkerTask, { kind: 'postgres' }>): Promise<Store> {
  if (kind === 'sqlite') return sqliteStore(path);
  return redisStore(await createClient({ socket: { path, tls: false } }).connect());
}

/** The effect is a call of the service with the operation id, so a crash after it is harmless. */
async function overCalls(
  task: Exclude<WorkerTask, { kind: 'postgres' }>,
): Promise<Pick<ReceiverOptions, 'on' | 'store'>> {
  const payments = new PaymentsClient(task.service);
  const pay = ({ id }: Event, { operationId, signal }: ReceiverContext) =>
    payments.paymentIntents.create(
      { amount: 1200, currency: 'usd', metadata: { event: id } },
      { operationId, signal },
    );
  return { store: await openStore(task), on: { 'refund.failed': pay } };
}

/** The effect is a row without its own guard; it commits together with the record of the event. */
function overPostgres({ connection }: Extract<WorkerTask, { kind: 'postgres' }>) {
  const pool = new pg.Pool({ ...connection, max: 10 });
  const book = ({ id }: Event, { completeIn }: ReceiverContext<pg.PoolClient>) =>
    inTransaction(pool, async (client) => {
      await client.query('INSERT INTO effects (event) VALUES ($1)', [id]);
      await completeIn(client);
    });
  return { store: postgresStore(pool), on: { 'refund.failed': book } };
}

const task: WorkerTask = JSON.parse(process.argv[2] ?? '');
const webhooks = new Webhooks({ secret: task.secret });
const { lease } = task;
const receiver =
  task.kind === 'postgres'
    ? webhooks.receiver({ ...overPostgres(task), lease })
    : webhooks.receiver({ ...(await overCalls(task)), lease });

const server = createServer(receiver.node);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
