/** Which server granted a claim, and servers that grant none. */

import { JournalError, PaymentsError } from 'payments-client';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { params, startShop } from '../../journal/shop.ts';
import { failureOf } from '../../support/failure.ts';
import { claimOf, day, freshKey } from '../time.ts';
import { usePostgres } from './database.ts';

const { isSkipped, why, pool, server } = usePostgres('postgres/server');

describe.skipIf(isSkipped)(`the server of PostgreSQL${why}`, () => {
  async function open(table: string, options: pg.PoolConfig = {}) {
    await postgresStore(pool(), { table }).migrate();
    const own = new pg.Pool({ ...server().connection, max: 1, ...options });
    onTestFinished(() => own.end());
    const store = postgresStore(own, { table });
    const serverOf = async (key = freshKey(), more: Parameters<typeof store.claim>[2] = { data: 'sent' }) =>
      claimOf(await store.claim(key, 1, more)).server;
    return { own, store, serverOf };
  }

  it('has one name for all claims with data, new and known, and none without', async () => {
    const { store, serverOf } = await open('named');
    const key = freshKey();
    const name = await serverOf(key);
    expect(name).toMatch(/^\d+\.00000001\.\d+\.\d+$/);
    const { token } = claimOf(await store.claim(key, day, { data: 'sent', takeOver: true }));
    await store.release(key, token);
    expect(await serverOf(key)).toBe(name);
    expect(await serverOf(freshKey(), {})).toBeUndefined();
  });

  it('has another name for a table that was created anew', async () => {
    const { store, serverOf } = await open('restored');
    const name = await serverOf();
    await pool().query('DROP TABLE restored');
    await postgresStore(pool(), { table: 'restored' }).migrate();
    expect(await serverOf()).not.toBe(name);
    expect(await store.find('a')).toBeUndefined();
  });

  it('is named for an ordinary role, and claims go on where it may not be', async () => {
    await open('ordinary');
    await pool().query(`CREATE ROLE ordinary LOGIN;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ordinary TO ordinary`);
    const { serverOf } = await open('ordinary', { user: 'ordinary' });
    expect(await serverOf()).toMatch(/^\d+\.00000001\.\d+\.\d+$/);
    await pool().query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    expect(await serverOf()).toBeUndefined();
    await pool().query('GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC');
  });

  it('that takes no writes is refused before anything is sent', async () => {
    const { store } = await open('read_only', { options: '-c default_transaction_read_only=on' });
    const { sandbox, payments } = await startShop({ store });
    const error = await failureOf(payments.paymentIntents.create(params, { operationId: 'a' }), JournalError);
    expect(error.cause).toMatchObject({ code: 'STORE_READ_ONLY' });
    expect(error.retryable).toBe(true);
    expect(error.message).toContain(
      'postgresStore.pool: expected the primary, got a connection that is read-only, which takes no writes. Nothing was recorded: pass a client of the primary. This call sent nothing.',
    );
    expect(sandbox.requests).toEqual([]);
    for (const write of [
      () => store.save('order', 0, '{}', { wakeAt: null }),
      () => store.advance('account', 1, '{}'),
      () =>
        store.transaction(async (_client, documents) => documents.save('order', 0, '{}', { wakeAt: null })),
    ]) {
      expect(await failureOf(write(), PaymentsError)).toMatchObject({ code: 'STORE_READ_ONLY' });
    }
  });
});
