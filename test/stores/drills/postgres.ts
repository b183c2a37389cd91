import { postgresStore } from 'payments-client/stores';
import { onTestFinished } from 'vitest';
import { openPool } from '../../engine/processes/stores.ts';
import { runOn, startPostgresServer } from '../../support/postgres-server.ts';
import type { Drill, Drills } from './drill.ts';

const database = 'shop';

async function start(options: Parameters<typeof startPostgresServer>[0] = {}) {
  const server = await startPostgresServer(options);
  const pool = openPool(server.connection);
  onTestFinished(async () => {
    // First: a statement may wait for a replica that is gone.
    await server.stop();
    await pool.end();
  });
  const store = postgresStore(pool, { timeout: 5000 });
  if (options.primary === undefined) await store.migrate();
  return { server, pool, store };
}

/** Starts a server with a replica that follows it; a commit that must last waits for it, if that is asked for. */
async function startPair(isSynchronous: boolean) {
  const primary = await start();
  const replica = await start({ primary: primary.server });
  if (isSynchronous) {
    await primary.pool.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.pool.query('SELECT pg_reload_conf()');
  }
  const following = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND (sync_state = 'sync') = $1`;
  while ((await primary.pool.query(following, [isSynchronous])).rows.length === 0);
  /** It keeps what it has by now, and gets no more. */
  const stop = async () => {
    const [now] = (await primary.pool.query('SELECT pg_current_wal_lsn() AS lsn')).rows;
    const caughtUp = 'SELECT 1 FROM pg_stat_replication WHERE flush_lsn >= $1';
    while ((await primary.pool.query(caughtUp, [now.lsn])).rows.length === 0);
    await replica.server.crash();
  };
  const promote = async () => {
    await primary.server.crash();
    await replica.pool.query('SELECT pg_promote()');
    return replica.store;
  };
  return { primary, replica, stop, promote };
}

async function crash(): Promise<Drill> {
  const { server, store } = await start({ isDurable: true });
  const strike = async () => {
    await server.crash();
    await server.restart();
    return store;
  };
  return { store, strike };
}

async function hastySettings(): Promise<Drill> {
  const { server, store, pool } = await start({ isDurable: true });
  const strike = async () => {
    await server.crash();
    await server.restart();
    return store;
  };
  const midway = async () => {
    // What no commit waits for is not written before the crash.
    await pool.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
    await pool.query("ALTER SYSTEM SET synchronous_commit = 'off'");
    await pool.query('SELECT pg_reload_conf()');
  };
  return { store, midway, strike };
}

async function failover(): Promise<Drill> {
  const { primary, replica, stop, promote } = await startPair(false);
  const strike = async () => {
    await primary.server.crash();
    await replica.server.restart();
    return promote();
  };
  return { store: primary.store, midway: stop, strike };
}

async function confirmedFailover(): Promise<Drill> {
  const { primary, promote } = await startPair(true);
  return { store: primary.store, strike: promote };
}

async function noReplica(): Promise<Drill> {
  const { primary, stop } = await startPair(true);
  const store = { ...primary.store };
  const midway = async () => {
    await stop();
    // It waits in vain, so that a short time is enough on any machine.
    Object.assign(store, postgresStore(primary.pool, { timeout: 300 }));
  };
  return { store, midway, strike: async () => store };
}

async function restore(): Promise<Drill> {
  const { server, store } = await start();
  let dump = '';
  const midway = async () => (dump = runOn(server.connection, 'pg_dump', ['--table', 'payments_claims*']));
  const strike = async () => {
    runOn(server.connection, 'psql', ['-c', `CREATE DATABASE ${database}`]);
    const connection = { ...server.connection, database };
    runOn(connection, 'psql', ['-v', 'ON_ERROR_STOP=1'], dump);
    const pool = openPool(connection);
    onTestFinished(() => pool.end());
    const restored = postgresStore(pool);
    await restored.migrate();
    return restored;
  };
  return { store, midway, strike };
}

async function replica(): Promise<Drill> {
  const { primary, replica } = await startPair(false);
  const store = { ...primary.store };
  const midway = async () => Object.assign(store, replica.store);
  return { store, midway, strike: async () => store };
}

export const postgresDrills: Drills = {
  'a crash': { promised: 'kept', open: crash },
  'a failover': { promised: 'noticed', open: failover },
  'a failover of what replicas have confirmed': { promised: 'kept', open: confirmedFailover },
  'no replica that confirms': { promised: 'refused', open: noReplica },
  'a change of its settings': { promised: 'kept', open: hastySettings },
  'a restored backup': { promised: 'noticed', open: restore },
  'a replica by mistake': { promised: 'refused', open: replica },
};
