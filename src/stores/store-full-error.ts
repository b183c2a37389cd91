import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** A memory store has no room for another key with data. Nothing was recorded, and no record was dropped. */
export class StoreFullError extends PaymentsError {
  static {
    defineErrorClass(this, 'StoreFullError', { code: 'STORE_FULL' });
  }
}

/** Returns the error for a memory store that already has its number of operations. */
export function storeFull(maxOperations: number): StoreFullError {
  return new StoreFullError(
    `expected at most ${maxOperations} operations in memoryStore, got another. Use a durable store: sqliteStore, redisStore or postgresStore.`,
  );
}
