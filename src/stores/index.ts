/**
 * Stores: state shared by a merchant's processes. One store serves the webhook receiver, the journal and the velocity
 * guard.
 */

export { memoryStore } from './memory/memory-store.ts';
export type { PostgresClient } from './postgres/client.ts';
export { type PostgresStore, postgresStore } from './postgres/postgres-store.ts';
export { redisStore } from './redis/redis-store.ts';
export type { SqliteDatabase } from './sqlite/database.node.ts';
export { type SqliteStore, sqliteStore } from './sqlite/sqlite-store.node.ts';
export type { ClaimResult, Store } from './store.ts';
