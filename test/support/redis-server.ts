import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { closedUrl } from './socket-server.ts';

type RedisProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A Redis server that runs. */
export interface RedisServer {
  /** The Unix socket it listens on. */
  readonly path: string;
  /** The TCP port on loopback, or 0 where it has none. */
  readonly port: number;
  /** Stops its process with SIGSTOP: connections stay open, and nothing is answered. */
  pause(): void;
  /** Lets a paused server go on. */
  resume(): void;
  /** Ends it with SIGKILL, as a crash does, and waits until it is gone. Its folder stays. */
  crash(): Promise<void>;
  /** Starts it again after a crash, with what it wrote to the disk. */
  restart(): Promise<void>;
  /** Ends it, waits until it is gone, and removes its folder. */
  stop(): Promise<void>;
}

/** Whether there is a `redis-server` to run. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Waits for the line that Redis prints once it listens; there is nothing to poll and nothing to sleep for. */
function whenReady(redis: RedisProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text: string) => {
      said += text;
      if (said.includes('The server is now ready to accept connections at')) resolve();
    };
    // Both read to the end, since a full pipe would stop the server.
    redis.stdout.setEncoding('utf8').on('data', listen);
    redis.stderr.setEncoding('utf8').on('data', listen);
    redis.once('error', (cause) => reject(new Error('redis-server is not installed', { cause })));
    redis.once('close', (code) => reject(new Error(`redis-server ended with ${code}: ${said}`)));
  });
}

function whenGone(redis: RedisProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => redis.once('exit', () => resolve()));
}

/** Each command is logged, and the log is on the disk within a second: what the manual of Redis recommends beside snapshots. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec'];

/** Nothing is written to disk, unless the options say so: no snapshots, no log of commands. */
function runRedis(folder: string, port: number, options: readonly string[]): RedisProcess {
  const socket = ['--unixsocket', join(folder, 'redis.sock'), '--port', String(port), '--bind', '127.0.0.1'];
  const args = [...socket, '--save', '', '--appendonly', 'no', '--dir', folder, ...options];
  return spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function start(port: number, options: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let redis = runRedis(folder, port, options);
  const end = () => {
    redis.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Also where the tests are broken off before they stop it.
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

/** A private Redis server on a Unix socket. It writes nothing to the disk, unless it is to be durable. */
export function startRedisServer({ isDurable = false } = {}): Promise<RedisServer> {
  return start(0, isDurable ? durable : []);
}

/**
 * A private Redis server that is a cluster of one node, on a free port of loopback, since clients of a cluster know nodes
 * by host and port. It has no slots yet.
 *
 * @param tries how many ports are tried, since another process may take a free port before Redis does.
 */
export async function startRedisCluster(tries = 3): Promise<RedisServer> {
  const [port, bus] = [await closedUrl(), await closedUrl()].map((url) => new URL(url).port);
  try {
    // It has met no other node, so nobody told it where it is.
    const address = ['--cluster-port', String(bus), '--cluster-announce-ip', '127.0.0.1'];
    return await start(Number(port), ['--cluster-enabled', 'yes', ...address]);
  } catch (error) {
    if (tries <= 1 || !/Failed listening|already in use/.test(String(error))) throw error;
    return startRedisCluster(tries - 1);
  }
}
