/** One process of the merchant: a server with a receiver for each way of handling events. It shuts down gracefully at SIGTERM. */

import { createServer } from 'node:http';
import type { PostgresClient, Store } from 'payments-client/stores';
import {
  type DeliveryReport,
  type Receiver,
  type ReceiverContext,
  type TransactionContext,
  type WebhookHandlers,
  Webhooks,
} from 'payments-client/webhooks';
import type pg from 'pg';
import { endpointSecrets, type Mode } from '../dimensions/deliveries.ts';
import { type DeliveryNote, type DeliveryTask, failureIn, nameOf } from './deliveries.ts';
import { appendLine } from './lines.ts';
import { openPool, openStore, openTables } from './stores.ts';

const task: DeliveryTask = JSON.parse(process.argv[2] ?? '');
const webhooks = new Webhooks({ secrets: endpointSecrets, livemode: false });
const note = (one: DeliveryNote) => appendLine(task.notes, one);
const failed = new Set<string>();
let runs = 0;

/** Notes a run, fails once as the id says, and makes the effect. */
async function handle(
  mode: Mode,
  id: string,
  scope: string | undefined,
  effect: () => unknown,
): Promise<void> {
  const name = nameOf(mode, scope, id);
  const failsAt = task.fails && !failed.has(name) ? failureIn(id) : 'none';
  const failIf = (isNow: boolean) => {
    if (!isNow) return;
    failed.add(name);
    throw new Error('the handler fails as planned');
  };
  runs += 1;
  const run = `${task.name} ${runs}`;
  note({ what: 'began', name, run, at: Date.now() });
  let how: 'returned' | 'threw' = 'threw';
  try {
    // Others act meanwhile.
    await new Promise((resolve) => setTimeout(resolve, (runs * 7) % 30));
    failIf(failsAt === 'before');
    await effect();
    failIf(failsAt === 'after');
    how = 'returned';
  } finally {
    note({ what: 'stopped', name, run, how, at: Date.now() });
  }
}

/** The options that receivers of all stores share. */
function optionsOf(mode: Mode, keep: (body: string) => Promise<unknown>) {
  const onDelivery = ({ scope, eventId, status, outcome, verified, issues, attempt }: DeliveryReport) =>
    note({
      what: 'reported',
      name: eventId === undefined ? undefined : nameOf(mode, scope, eventId),
      response: `${status} ${outcome}`,
      isVerified: verified,
      hasIssues: issues.length > 0,
      hasClaim: eventId !== undefined && attempt !== undefined,
      at: Date.now(),
    });
  const onUnreadable = ({ rawBody }: { readonly rawBody: string | Uint8Array }) =>
    keep(`${mode} ${Buffer.from(rawBody)}`);
  return { consumer: mode, lease: task.lease, onUnreadable, onError: () => {}, onDelivery };
}

/** Runs a function in a transaction, as in the guide. */
async function transact<T>(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

interface Merchant {
  receiver(mode: Mode): Pick<Receiver, 'node'>;
  close(): Promise<unknown>;
}

/** A merchant whose store has no transactions with its effects. */
function leasedMerchant(
  store: Store,
  append: (list: string, text: string) => Promise<unknown>,
  close: () => Promise<unknown>,
): Merchant {
  const on: WebhookHandlers = {
    'refund.failed': ({ id }, { scope }) =>
      handle('leased', id, scope, () => append('effects', nameOf('leased', scope, id))),
  };
  const receiver = (mode: Mode) =>
    webhooks.receiver({ ...optionsOf(mode, (body) => append('unreadable', body)), store, on });
  return { receiver, close };
}

async function transactionalMerchant(pool: pg.Pool): Promise<Merchant> {
  const { store, append, close } = await openTables(pool);
  const leased: WebhookHandlers<ReceiverContext<PostgresClient>> = {
    'refund.failed': ({ id }, { scope }) =>
      handle('leased', id, scope, () => append('effects', nameOf('leased', scope, id))),
  };
  const completing: WebhookHandlers<ReceiverContext<PostgresClient>> = {
    'refund.failed': ({ id }, { scope, completeIn }) =>
      transact(pool, (client) =>
        handle('completeIn', id, scope, async () => {
          await append('effects', nameOf('completeIn', scope, id), client);
          await completeIn(client);
        }),
      ),
  };
  const within: WebhookHandlers<TransactionContext<pg.PoolClient>> = {
    'refund.failed': ({ id }, { scope, client }) =>
      handle('transaction', id, scope, () => append('effects', nameOf('transaction', scope, id), client)),
  };
  const receiver = (mode: Mode) => {
    const options = { ...optionsOf(mode, (body) => append('unreadable', body)), store };
    if (mode !== 'transaction')
      return webhooks.receiver({ ...options, on: mode === 'leased' ? leased : completing });
    return webhooks.receiver({
      ...options,
      on: within,
      transaction: (run: (client: pg.PoolClient) => Promise<void>) => transact(pool, run),
    });
  };
  return { receiver, close };
}

async function openMerchant(): Promise<Merchant> {
  const { store: address, slot } = task;
  if (address.kind === 'postgres') return transactionalMerchant(openPool(address.connection));
  const { store, append, close } = await openStore(address, slot);
  return leasedMerchant(store, append, close);
}

const merchant = await openMerchant();
const receivers = new Map(task.modes.map((mode) => [`/${mode}`, merchant.receiver(mode)]));
const server = createServer((request, response) => {
  const receiver = receivers.get(request.url ?? '');
  if (receiver === undefined) response.writeHead(404).end();
  else void receiver.node(request, response);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await merchant.close();
  process.disconnect();
});
