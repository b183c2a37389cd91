/** What a store over PostgreSQL has confirmed survives a crash of the server. */

import { postgresStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPool } from '../../engine/processes/stores.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { claimOf, day } from '../time.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres(),
  'PostgreSQL server',
  'test/stores/postgres/crash.services.test.ts',
);

async function start() {
  const server = await startPostgresServer({ isDurable: true });
  onTestFinished(() => server.stop());
  const pool = openPool(server.connection);
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();
  // What no commit waits for is not written before the crash.
  await pool.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
  await pool.query('SELECT pg_reload_conf()');
  return { server, store };
}

describe.skipIf(isSkipped)(`a crash of PostgreSQL${why}`, () => {
  it('forgets no claim with a text: what is sent after it is known', async () => {
    const { server, store } = await start();
    claimOf(await store.claim('operation/one', day, { data: 'sent' }));
    await server.crash();
    await server.restart();
    expect(await store.claim('operation/one', day)).toMatchObject({ status: 'in_progress', data: 'sent' });
  });

  it('forgets no document, its references and its time', async () => {
    const { server, store } = await start();
    expect(await store.save('shop/a', 0, 'paid', { references: ['pi_1'], wakeAt: 1 })).toBe(true);
    await server.crash();
    await server.restart();
    expect(await store.load('shop/a')).toEqual({ version: 1, data: 'paid' });
    expect(await store.lookUp('pi_1')).toBe('shop/a');
    expect(await store.due({ space: 'shop', until: 1, limit: 1 })).toEqual([{ key: 'shop/a', wakeAt: 1 }]);
  });

  it('forgets no result, and no text of a released key', async () => {
    const { server, store } = await start();
    for (const key of ['operation/done', 'operation/open']) {
      const { token } = claimOf(await store.claim(key, day, { data: 'sent' }));
      if (key === 'operation/done') await store.complete(key, token, day, { data: 'rf_1' });
      else await store.release(key, token, { data: 'unknown' });
    }
    await server.crash();
    await server.restart();
    expect(await store.claim('operation/done', day)).toMatchObject({ status: 'completed', data: 'rf_1' });
    expect(await store.claim('operation/open', day)).toMatchObject({ status: 'claimed', data: 'unknown' });
  });
});
