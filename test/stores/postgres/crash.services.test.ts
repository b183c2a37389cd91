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

async function start(commits: 'on' | 'off' = 'on') {
  const server = await startPostgresServer({ isDurable: true });
  onTestFinished(() => server.stop());
  const pool = openPool(server.connection);
  onTestFinished(() => pool.end());
  const store = postgresStore(pool);
  await store.migrate();
  // What no commit waits for is not written before the crash.
  await pool.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
  await pool.query(`ALTER SYSTEM SET synchronous_commit = '${commits}'`);
  await pool.query('SELECT pg_reload_conf()');
  return { server, store, pool };
}

type Store = Awaited<ReturnType<typeof start>>['store'];

/** What is written last before the crash, of a key that was claimed before, and what must be there after it. */
const writes: Readonly<Record<string, (store: Store, key: string, token: string) => Promise<unknown>>> = {
  claim: (store, key) => store.claim(`${key}/new`, day, { data: 'last' }),
  renew: (store, key, token) => store.renew(key, token, day, { data: 'last' }),
  complete: (store, key, token) => store.complete(key, token, day, { data: 'last' }),
  release: (store, key, token) => store.release(key, token, { data: 'last' }),
  replace: (store, key) => store.replace(key, 'first', 'last'),
  advance: (store, key) => store.advance(key, 2, 'last'),
  save: (store, key) => store.save(key, 0, 'last', { wakeAt: null }),
};

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

  it('forgets nothing with a text on a server that answers commits before they are on its disk', async () => {
    const { server, store, pool } = await start('off');
    const texts = `SELECT data FROM payments_claims UNION ALL SELECT data FROM payments_claims_snapshots
      UNION ALL SELECT data FROM payments_claims_documents`;
    const kept: string[] = [];
    for (const [name, write] of Object.entries(writes)) {
      const key = `operation/${name}`;
      const { token } = claimOf(await store.claim(key, day, { data: 'first' }));
      await write(store, key, token);
      await server.crash();
      await server.restart();
      const rows = (await pool.query<{ data: string }>(texts)).rows.map(({ data }) => data);
      if (rows.includes('last')) kept.push(name);
      await pool.query('TRUNCATE payments_claims, payments_claims_snapshots, payments_claims_documents');
    }
    expect(kept).toEqual(Object.keys(writes));
  });
});
