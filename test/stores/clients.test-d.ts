/** The stores accept the real clients without a cast, and no other value. */

import { DatabaseSync } from 'node:sqlite';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { Redis as Ioredis, Cluster as IoredisCluster } from 'ioredis';
import type { PostgresClient, SqliteDatabase, Store } from 'payments-client/stores';
import { memoryStore, postgresStore, redisStore, sqliteStore } from 'payments-client/stores';
import type { WebhookStore } from 'payments-client/webhooks';
import pg from 'pg';
import {
  createClient,
  createClientPool,
  createCluster,
  createSentinel,
  RESP_TYPES,
  type RedisClientType,
} from 'redis';
import { expectTypeOf, test } from 'vitest';

test('every client of redis fits', () => {
  const client = createClient();
  redisStore(client);
  redisStore(client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String }));
  redisStore(createClient({ RESP: 2, url: 'redis://127.0.0.1' }));
  redisStore(createClient({ scripts: {}, functions: {} }));
  redisStore(createCluster({ rootNodes: [] }));
  redisStore(createClientPool());
  redisStore(createSentinel({ name: 'main', sentinelRootNodes: [] }));
  expectTypeOf<RedisClientType>().toExtend<Parameters<typeof redisStore>[0]>();
});

test('every client of ioredis fits', () => {
  redisStore(new Ioredis());
  redisStore(new Ioredis({ stringNumbers: true }));
  redisStore(new IoredisCluster([]));
  expectTypeOf(redisStore(new Ioredis(), { prefix: 'a:' })).toEqualTypeOf<Store>();
  expectTypeOf<Store>().toExtend<WebhookStore>();
});

test('every connection of pg fits, and PGlite', () => {
  const store = postgresStore(new pg.Pool());
  postgresStore(new pg.Client());
  postgresStore(new PGlite());
  expectTypeOf<pg.PoolClient>().toExtend<PostgresClient>();
  expectTypeOf<pg.Client>().toExtend<PostgresClient>();
  expectTypeOf<Transaction>().toExtend<PostgresClient>();
  expectTypeOf<NonNullable<Parameters<typeof store.claim>[2]>['client']>().toEqualTypeOf<
    PostgresClient | undefined
  >();
  expectTypeOf(store.purge).returns.resolves.toEqualTypeOf<number>();
  expectTypeOf(store).toExtend<WebhookStore<PostgresClient>>();
  expectTypeOf(store).toExtend<WebhookStore>();
});

test('a transaction of SQLite has the database that the store got, and no async function compiles', () => {
  const store = sqliteStore(new DatabaseSync('shop.db'));
  expectTypeOf(store).toExtend<Store>();
  expectTypeOf(store.client).toEqualTypeOf<DatabaseSync>();
  expectTypeOf(sqliteStore('store.db').client).toEqualTypeOf<SqliteDatabase>();
  expectTypeOf(store.transaction((client) => client.createSession())).resolves.toExtend<object>();
  expectTypeOf(
    store.transaction((_client, documents) => documents.load('a')?.version),
  ).resolves.toEqualTypeOf<number | undefined>();
  expectTypeOf(store.transaction(() => {})).resolves.toEqualTypeOf<void>();
  sqliteStore('store.db').transaction((client) => client.exec('SELECT 1'));
  // @ts-expect-error async
  store.transaction(async () => {});
  // @ts-expect-error async, with a result
  store.transaction(async (_client, documents) => documents.load('a'));
  // @ts-expect-error a promise
  store.transaction(() => store.load('a'));
  // @ts-expect-error perhaps a promise
  store.transaction((_client, documents) => (documents.load('a') ? 1 : store.load('a')));
});

test('a transaction of PostgreSQL passes a client and documents', () => {
  const store = postgresStore(new pg.Pool(), { transaction: (run) => new PGlite().transaction(run) });
  expectTypeOf(store.client).toEqualTypeOf<PostgresClient>();
  const result = store.transaction(async (client, documents) => {
    expectTypeOf(client).toEqualTypeOf<PostgresClient>();
    return (await documents.load('a'))?.version;
  });
  expectTypeOf(result).resolves.toEqualTypeOf<number | undefined>();
  // @ts-expect-error the memory store has no transactions
  memoryStore().transaction;
  // @ts-expect-error the Redis store has no transactions
  redisStore(new Ioredis()).transaction;
});

test('other values do not compile', () => {
  // @ts-expect-error not a client
  redisStore({});
  // @ts-expect-error a pool of pg
  redisStore(new pg.Pool());
  // @ts-expect-error a client of redis
  postgresStore(createClient());
  // @ts-expect-error an invalid table
  postgresStore(new pg.Pool(), { table: 1 });
});

test('a store without transactions accepts no connection', () => {
  // @ts-expect-error the memory store has no transactions
  memoryStore().claim('evt_1', 1000, { client: new pg.Client() });
  // @ts-expect-error the Redis store has no transactions
  redisStore(new Ioredis()).complete('evt_1', 'token', 1000, { client: new pg.Client() });
});
