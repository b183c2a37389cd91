import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from './socket-server.ts';

type RedisProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A running Redis server. */
export interface RedisServer {
  /** The Unix socket it listens on. */
  readonly path: string;
  /** The loopback TCP port, or 0 if it has none. */
  readonly port: number;
  /** Pauses its process with SIGSTOP: connections stay open without responses. */
  pause(): void;
  /** Resumes a paused server. */
  resume(): void;
  /** Kills it with SIGKILL, as a crash does, and waits until it is gone. Keeps its folder. */
  crash(): Promise<void>;
  /** Restarts it after a crash, with its data on disk. */
  restart(): Promise<void>;
  /** Stops it, waits until it is gone, and removes its folder. */
  stop(): Promise<void>;
}

/** Returns whether `redis-server` is installed. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Waits for the line that Redis prints once it listens; needs no polling and no sleep. */
function whenReady(redis: RedisProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const listen = (text: string) => {
      output += text;
      if (output.includes('The server is now ready to accept connections at')) resolve();
    };
    // Both are read to the end, since a full pipe would block the server.
    redis.stdout.setEncoding('utf8').on('data', listen);
    redis.stderr.setEncoding('utf8').on('data', listen);
    redis.once('error', (cause) => reject(new Error('redis-server is not installed', { cause })));
    redis.once('close', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
  });
}

function whenGone(redis: RedisProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => redis.once('exit', () => resolve()));
}

/** Logs each command, and syncs the log every second, as the Redis manual recommends in addition to snapshots. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec'];

/** By default nothing is written to disk: no snapshots, no command log. */
function runRedis(folder: string, port: number, options: readonly string[]): RedisProcess {
  const socket = ['--unixsocket', join(folder, 'redis.sock'), '--port', String(port), '--bind', '127.0.0.1'];
  const args = [...socket, '--save', '', '--appendonly', 'no', '--dir', folder, ...options];
  return spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function start(port: number, options: readonly string[], dump?: Uint8Array): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  if (dump !== undefined) writeFileSync(join(folder, 'dump.rdb'), dump);
  let redis = runRedis(folder, port, options);
  const end = () => {
    redis.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Also runs if the tests abort before they stop it.
  process.once('exit', end);
  const crash = async () => {
    redis.kill('SIGKILL');
    await whenGone(redis);
  };
  const restart = async () => {
    redis = runRedis(folder, port, options);
    await whenReady(redis);
  };
  const stop = async () => {
    process.off('exit', end);
    await crash();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await whenReady(redis);
    const path = join(folder, 'redis.sock');
    const signals = { pause: () => redis.kill('SIGSTOP'), resume: () => redis.kill('SIGCONT') };
    return { path, port, ...signals, crash, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How to start a Redis server. */
interface RedisOptions {
  /** Whether each command is written to disk. Default: false, nothing is. */
  readonly isDurable?: boolean;
  /** The contents of an RDB file to start with. Default: it is empty. */
  readonly dump?: Uint8Array;
  /** Whether it also listens on a free loopback port, as a server with replicas must. Default: false. */
  readonly hasPort?: boolean;
  /** More arguments of `redis-server`. Default: none. */
  readonly options?: readonly string[];
}

/** Starts a private Redis server on a Unix socket. */
export function startRedisServer({
  isDurable = false,
  dump,
  hasPort = false,
  options = [],
}: RedisOptions = {}): Promise<RedisServer> {
  const all = [...(isDurable ? durable : []), ...options];
  return hasPort ? onFreePort((port) => start(port, all, dump)) : start(0, all, dump);
}

/** @param tries How many ports to try, since another process may take a free port before Redis does. */
async function onFreePort(run: (port: number) => Promise<RedisServer>, tries = 3): Promise<RedisServer> {
  try {
    return await run(await freePort());
  } catch (error) {
    if (tries <= 1 || !/Failed listening|already in use/.test(String(error))) throw error;
    return onFreePort(run, tries - 1);
  }
}

/**
 * Starts a private Redis cluster of one node on a free loopback port, since cluster clients identify nodes by host and
 * port. It has no slots yet.
 */
export function startRedisCluster(): Promise<RedisServer> {
  return onFreePort(async (port) => {
    // It has met no other node, so it does not know its own address.
    const address = ['--cluster-port', String(await freePort()), '--cluster-announce-ip', '127.0.0.1'];
    return start(port, ['--cluster-enabled', 'yes', ...address]);
  });
}
