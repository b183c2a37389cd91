/** One process of the merchant: a server with a receiver for each way of handling events. It shuts down gracefully at SIGTERM. */

import { createServer } from 'node:http';
import type { PostgresClient } from 'payments-client/stores';
import { type DeliveryReport, Webhooks } from 'payments-client/webhooks';
import type pg from 'pg';
import { endpointSecrets, type Mode, modes } from '../dimensions/deliveries.ts';
import { type Handling, receiverOf, type Ways } from '../receivers.ts';
import { type Began, type DeliveryTask, failureIn, nameOf } from './deliveries.ts';
import { appendLine, clock, type Noted, noted } from './notes.ts';
import { openPool, openStore, openTables } from './stores.ts';

const task: DeliveryTask = JSON.parse(process.argv[2] ?? '');
const { name: life, lease, slot, store: address } = task;
const webhooks = new Webhooks({ secrets: endpointSecrets, livemode: false });
const note = (one: Noted | Began) => appendLine(task.notes, one);
const failed = new Set<string>();
let runs = 0;

/** Notes a run, fails once as the id says, and makes the effect. */
async function handle<Client>(
  { id, mode, scope, client }: Handling<Client>,
  append: (list: string, text: string, client: Client | undefined) => Promise<unknown>,
): Promise<void> {
  const of = nameOf(mode, scope, id);
  const failsAt = task.fails && !failed.has(of) ? failureIn(id) : 'none';
  const failIf = (isNow: boolean) => {
    if (!isNow) return;
    failed.add(of);
    throw new Error('the handler fails as planned');
  };
  runs += 1;
  const ofRun = { of, life, run: `${life} ${runs}` };
  // A quarter of the lease remains when a handler starts.
  note({ what: 'began', at: clock(), fact: { ...ofRun, at: clock(), holds: lease / 4 } });
  let how: 'returned' | 'threw' = 'threw';
  try {
    // Others act meanwhile.
    await new Promise((resolve) => setTimeout(resolve, (runs * 7) % 30));
    failIf(failsAt === 'throws');
    await append('effects', of, client);
    failIf(failsAt === 'throws-after');
    how = 'returned';
  } finally {
    note(noted('stopped', { ...ofRun, how }));
  }
}

/** The options of a receiver. */
function optionsOf(mode: Mode, append: (list: string, text: string) => Promise<unknown>) {
  const onDelivery = ({ scope, eventId, status, outcome, verified, issues, attempt }: DeliveryReport) =>
    note(
      noted('reported', {
        of: eventId === undefined ? 'nothing' : nameOf(mode, scope, eventId),
        life,
        response: `${status} ${outcome}`,
        isVerified: verified,
        hasIssues: issues.length > 0,
        hasClaim: eventId !== undefined && attempt !== undefined,
      }),
    );
  const onUnreadable = ({ rawBody }: { readonly rawBody: string | Uint8Array }) =>
    append('unreadable', `${mode} ${Buffer.from(rawBody)}`);
  return { lease, onUnreadable, onError: () => {}, onDelivery };
}

/** Runs a function in a transaction, as in the guide. */
async function transact(pool: pg.Pool, run: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await run(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** The receivers by mode. Only PostgreSQL has transactions with the merchant's table. */
async function openMerchant() {
  if (address.kind === 'postgres') {
    const pool = openPool(address.connection);
    const { store, append, close } = await openTables(pool);
    const ways = (mode: Mode): Ways<pg.PoolClient, PostgresClient> => ({
      webhooks,
      options: { ...optionsOf(mode, append), store },
      transact: (run) => transact(pool, run),
      handle: (handling) => handle(handling, append),
    });
    return { receivers: new Map(modes.map((mode) => [`/${mode}`, receiverOf(mode, ways(mode))])), close };
  }
  const { store, append, close } = await openStore(address, slot);
  const leased = receiverOf<never, never>('leased', {
    webhooks,
    options: { ...optionsOf('leased', append), store },
    transact: () => Promise.reject(new Error('The store has no transactions.')),
    handle: (handling) => handle(handling, append),
  });
  return { receivers: new Map([['/leased', leased]]), close };
}

const { receivers, close } = await openMerchant();
const server = createServer((request, response) => {
  const receiver = receivers.get(request.url ?? '');
  if (receiver === undefined) response.writeHead(404).end();
  else void receiver.node(request, response);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await close();
  process.disconnect();
});
