import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** A memory store has no room for another key with data. Nothing was recorded, and no record was dropped. */
export class StoreFullError extends PaymentsError {
  static {
    defineErrorClass(this, 'StoreFullError');
  }

  /** @internal */
  constructor(maxOperations: number) {
    super(
      `expected at most ${maxOperations} operations in memoryStore, got another. Use a durable store: sqliteStore, redisStore or postgresStore.`,
      { code: 'STORE_FULL' },
    );
  }
}
