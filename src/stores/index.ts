/**
 * Stores: state shared by a merchant's processes. One store serves the webhook receiver, the journal and the velocity
 * guard.
 */

export { memoryStore } from './memory.ts';
export { type PostgresStore, postgresStore } from './postgres.ts';
export type { PostgresClient } from './postgres-client.ts';
export { redisStore } from './redis.ts';
export { type SqliteStore, sqliteStore } from './sqlite.node.ts';
export type { ClaimResult, Store } from './store.ts';
