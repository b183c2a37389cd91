/**
 * The merchant's code: a store, a table of effects, and a receiver for each mode. All its processes share the store and
 * the table.
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis as Ioredis } from 'ioredis';
import {
  type PostgresClient,
  postgresStore,
  redisStore,
  type Store,
  sqliteStore,
} from 'payments-client/stores';
import {
  type DeliveryReport,
  type Receiver,
  type ReceiverContext,
  type ReceiverOptions,
  type TransactionContext,
  type WebhookHandlers,
  Webhooks,
} from 'payments-client/webhooks';
import pg from 'pg';
import { createClient } from 'redis';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { appendLine } from '../lines.ts';
import type { Note } from './notes.ts';
import { failureIn, type Mode, nameOf, secrets } from './plan.ts';

type UnreadableDelivery = Parameters<NonNullable<ReceiverOptions['onUnreadable']>>[0];

/** The location of the merchant's data. */
export type StoreAddress =
  | { readonly kind: 'redis' | 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: PostgresServer['connection'] };

/** The task of a process. */
export interface MerchantTask {
  /** Its slot among the concurrent processes. */
  readonly slot: number;
  readonly store: StoreAddress;
  readonly modes: readonly Mode[];
  /** How long a handler may take, in ms. */
  readonly lease: number;
  /** The path of its notes. */
  readonly notes: string;
}

/** The part of a receiver that does not depend on its store. */
interface AnyReceiver {
  readonly mode: Mode;
  readonly node: Receiver['node'];
}

/** The merchant's own data. */
export interface MerchantData {
  /** The names of the events, once per effect. */
  readonly effects: readonly string[];
  /** The bodies that `onUnreadable` received, each after its mode. */
  readonly unreadable: readonly string[];
}

/** A process of the merchant. */
export interface Merchant {
  readonly receivers: readonly AnyReceiver[];
  data(): Promise<MerchantData>;
  close(): Promise<unknown>;
}

type Effect = () => unknown;

/** Returns a handler that records its run, fails as planned, and calls the effect. */
function handlerOf({ slot, notes }: MerchantTask) {
  const failed = new Set<string>();
  const failIf = (isReached: boolean, name: string) => {
    if (!isReached) return;
    failed.add(name);
    throw new Error('the handler fails as planned');
  };
  return async (
    mode: Mode,
    { id }: { readonly id: string },
    { scope }: { readonly scope: string | undefined },
    effect: Effect,
  ) => {
    const name = nameOf(mode, scope, id);
    const failure = failureIn(id);
    const failsOnce = slot < 2 && !failed.has(name);
    appendLine<Note>(notes, { what: 'began', name, at: Date.now() });
    try {
      await wait(Math.random() * 30);
      failIf(failsOnce && failure === 'before', name);
      await effect();
      failIf(failsOnce && failure === 'after', name);
    } finally {
      appendLine<Note>(notes, { what: 'ended', name, at: Date.now() });
    }
  };
}

/** The options that receivers of all stores share. */
function optionsOf({ lease, notes }: MerchantTask, mode: Mode, keepBody: (body: string) => Promise<unknown>) {
  const report = ({ scope, eventId, issues, ...rest }: DeliveryReport) => {
    const { outcome, status, attempt, verified } = rest;
    const name = eventId === undefined ? undefined : nameOf(mode, scope, eventId);
    const fields = { outcome, status, attempt, verified, issues: issues.length };
    appendLine<Note>(notes, { what: 'reported', at: Date.now(), name, ...fields });
  };
  const onUnreadable = ({ rawBody }: UnreadableDelivery) => keepBody(`${mode} ${Buffer.from(rawBody)}`);
  return { consumer: mode, lease, onUnreadable, onError: () => {}, onDelivery: report };
}

const webhooks = new Webhooks({ secrets, livemode: false });

/** A store without transactions of the merchant, and lists that all processes append to. */
interface Shared {
  readonly store: Store;
  append(list: keyof MerchantData, text: string): unknown;
  read(list: keyof MerchantData): Promise<readonly string[]>;
  close(): Promise<unknown>;
}

async function openRedis({ slot }: MerchantTask, path: string): Promise<Shared> {
  const log = () => {};
  const client = await createClient({ socket: { path, tls: false } })
    .on('error', log)
    .connect();
  const io = new Ioredis({ path }).on('error', log);
  return {
    // Half of the processes use the other client.
    store: redisStore(slot % 2 === 0 ? client : io),
    append: (list, text) => client.rPush(list, text),
    read: (list) => client.lRange(list, 0, -1),
    close: () => Promise.all([client.close(), io.quit()]),
  };
}

function openSqlite(path: string): Shared {
  const store = sqliteStore(path);
  return {
    store,
    append: (list, text) => appendFileSync(`${path}.${list}`, `${text}\n`),
    read: async (list) => readFileSync(`${path}.${list}`, 'utf8').split('\n').slice(0, -1),
    close: async () => store.close(),
  };
}

function merchantOf(task: MerchantTask, { store, append, read, close }: Shared): Merchant {
  const handle = handlerOf(task);
  const receivers = task.modes.map((mode) => {
    const on: WebhookHandlers = {
      'refund.failed': (event, context) =>
        handle(mode, event, context, () => append('effects', nameOf(mode, context.scope, event.id))),
    };
    const options = optionsOf(task, mode, async (body) => append('unreadable', body));
    return { mode, node: webhooks.receiver({ ...options, store, on }).node };
  });
  return {
    receivers,
    data: async () => ({ effects: await read('effects'), unreadable: await read('unreadable') }),
    close,
  };
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

async function openPostgres(task: MerchantTask, connection: PostgresServer['connection']): Promise<Merchant> {
  const log = () => {};
  const pool = new pg.Pool({ ...connection, max: 10 })
    .on('error', log)
    .on('connect', (client) => void client.on('error', log));
  const handle = handlerOf(task);
  const store = postgresStore(pool);
  await store.migrate();
  await pool.query(`
    CREATE TABLE IF NOT EXISTS effects (text text NOT NULL);
    CREATE TABLE IF NOT EXISTS unreadable (text text NOT NULL)`);
  const insert = (table: string, text: string, client: PostgresClient = pool) =>
    client.query(`INSERT INTO ${table} VALUES ($1)`, [text]);

  function transactionalReceiver(mode: Mode): AnyReceiver {
    const on: WebhookHandlers<TransactionContext<PostgresClient>> = {
      'refund.failed': (event, context) => {
        const name = nameOf(mode, context.scope, event.id);
        return handle(mode, event, context, () => insert('effects', name, context.client));
      },
    };
    const options = optionsOf(task, mode, (body) => insert('unreadable', body));
    const transaction = (within: (client: PostgresClient) => Promise<void>) => transact(pool, within);
    return { mode, node: webhooks.receiver({ ...options, store, transaction, on }).node };
  }

  function leasedReceiver(mode: Mode): AnyReceiver {
    const on: WebhookHandlers<ReceiverContext<PostgresClient>> = {
      'refund.failed': (event, context) => {
        const name = nameOf(mode, context.scope, event.id);
        if (mode !== 'completeIn') return handle(mode, event, context, () => insert('effects', name));
        return transact(pool, (client) =>
          handle(mode, event, context, async () => {
            await insert('effects', name, client);
            await context.completeIn(client);
          }),
        );
      },
    };
    const options = optionsOf(task, mode, (body) => insert('unreadable', body));
    return { mode, node: webhooks.receiver({ ...options, store, on }).node };
  }

  const textsOf = async (table: string) => {
    const { rows } = await pool.query<{ text: string }>(`SELECT text FROM ${table}`);
    return rows.map(({ text }) => text);
  };
  return {
    receivers: task.modes.map((mode) =>
      mode === 'transaction' ? transactionalReceiver(mode) : leasedReceiver(mode),
    ),
    data: async () => ({ effects: await textsOf('effects'), unreadable: await textsOf('unreadable') }),
    close: () => pool.end(),
  };
}

/** Opens the merchant's store, and creates the receivers. */
export async function openMerchant(task: MerchantTask): Promise<Merchant> {
  const { store } = task;
  if (store.kind === 'postgres') return openPostgres(task, store.connection);
  const shared = store.kind === 'redis' ? await openRedis(task, store.path) : openSqlite(store.path);
  return merchantOf(task, shared);
}
