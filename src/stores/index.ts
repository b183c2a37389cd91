/**
 * Stores: state shared by a merchant's processes. One store serves the webhook receiver, the journal and the velocity
 * guard.
 */

export { StoreTimeoutError } from './in-time.ts';
export { type MemoryStoreOptions, memoryStore } from './memory.ts';
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres.ts';
export type { PostgresClient, PostgresResult } from './postgres-client.ts';
export { postgresStoreSchema } from './postgres-table.ts';
export { type RedisStoreOptions, redisStore } from './redis.ts';
export type { IoredisClient, NodeRedisClient } from './redis-client.ts';
export type { Snapshot, SnapshotStore } from './snapshot-store.ts';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite.node.ts';
export type {
  Claimed,
  ClaimOptions,
  ClaimResult,
  ClaimStore,
  Completed,
  InProgress,
  KeyOptions,
  OpenClaim,
  OpenQuery,
  RecordOptions,
  ReleaseOptions,
  Store,
  TransactionClaims,
} from './store.ts';
export { StoreFullError } from './store-full-error.ts';
export type { TransactionOptions } from './transaction-options.ts';
export type { VelocityEntry, VelocityStore, VelocityTotal } from './velocity-store.ts';
