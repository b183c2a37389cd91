import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { redisStore } from 'payments-client/stores';
import { onTestFinished } from 'vitest';
import { startRedisServer } from '../../support/redis-server.ts';
import type { Drill, Drills } from './drill.ts';

type ServerOptions = Parameters<typeof startRedisServer>[0];

async function start(options: ServerOptions = {}) {
  const server = await startRedisServer(options);
  const client = new Redis({ path: server.path }).on('error', () => {});
  onTestFinished(async () => {
    client.disconnect();
    await server.stop();
  });
  return { server, client };
}

/** Starts a server with a replica that follows it. */
async function startPair() {
  const options = ['--repl-diskless-sync-delay', '0'];
  const primary = await start({ hasPort: true, options });
  const replica = await start({ hasPort: true });
  await replica.client.replicaof('127.0.0.1', primary.server.port);
  while (!(await replica.client.info('replication')).includes('master_link_status:up'));
  const promote = async () => {
    await primary.server.crash();
    await replica.client.replicaof('NO', 'ONE');
    return redisStore(replica.client);
  };
  /** The replica keeps what it has by now, and gets no more. */
  const stray = async () => {
    await primary.client.wait(1, 0);
    await replica.client.replicaof('127.0.0.1', 1);
  };
  return { primary, replica, promote, stray };
}

async function crash(): Promise<Drill> {
  const { server, client } = await start({ options: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  const strike = async () => {
    await server.crash();
    await server.restart();
    return redisStore(client);
  };
  return { store: redisStore(client), strike };
}

async function failover(): Promise<Drill> {
  const { primary, promote, stray } = await startPair();
  return { store: redisStore(primary.client), midway: stray, strike: promote };
}

async function confirmedFailover(): Promise<Drill> {
  const { primary, promote } = await startPair();
  return { store: redisStore(primary.client, { replicas: 1, timeout: 5000 }), strike: promote };
}

async function noReplica(): Promise<Drill> {
  const { primary, stray } = await startPair();
  const store = { ...redisStore(primary.client, { replicas: 1, timeout: 5000 }) };
  const midway = async () => {
    await stray();
    // It waits in vain, so that a short time is enough on any machine.
    Object.assign(store, redisStore(primary.client, { replicas: 1, timeout: 200 }));
  };
  return { store, midway, strike: async () => store };
}

async function evicting(): Promise<Drill> {
  const { client } = await start();
  const store = redisStore(client);
  const midway = () => client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
  return { store, midway, strike: async () => store };
}

async function restore(): Promise<Drill> {
  const { server, client } = await start();
  let dump = new Uint8Array();
  const midway = async () => {
    await client.save();
    dump = readFileSync(join(dirname(server.path), 'dump.rdb'));
  };
  return {
    store: redisStore(client),
    midway,
    strike: async () => redisStore((await start({ dump })).client),
  };
}

async function replica(): Promise<Drill> {
  const { primary, replica } = await startPair();
  const store = { ...redisStore(primary.client) };
  const midway = async () => Object.assign(store, redisStore(replica.client));
  return { store, midway, strike: async () => store };
}

export const redisDrills: Drills = {
  // The result of each sale is there, and nothing says that all of them are.
  'a crash': { promised: 'kept', open: crash },
  'a failover': { promised: 'noticed', open: failover },
  'a failover of what replicas have confirmed': { promised: 'kept', open: confirmedFailover },
  'no replica that confirms': { promised: 'refused', open: noReplica },
  'a change of its settings': { promised: 'refused', open: evicting },
  'a restored backup': { promised: 'noticed', open: restore },
  'a replica by mistake': { promised: 'refused', open: replica },
};
