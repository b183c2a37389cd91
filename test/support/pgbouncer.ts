import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { owner, type PostgresServer } from './postgres-server.ts';

/** A running PgBouncer. */
export interface PgBouncer {
  /** The connection options of `pg`. */
  readonly connection: PostgresServer['connection'];
  /** Stops it with all its connections, waits until it is gone, and removes its folder. */
  stop(): Promise<void>;
}

/** Debian's folder is in the path of root alone. */
const program = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer';

/** Returns whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** Two connections to the server, fewer than the clients have, so that the clients share them. */
function configOf(folder: string, { host, port, user }: PostgresServer['connection']): string {
  return `[databases]
* = host=${host} port=${port} user=${user}
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = any
`;
}

/** Starts a private PgBouncer in transaction mode, on a Unix socket, in front of a server. */
export async function startPgBouncer(server: PostgresServer): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const user = owner();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(config, configOf(folder, server.connection));
  const bouncer = spawn(program, [config], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => {
    bouncer.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  // Also runs if the tests abort before they stop it.
  process.once('exit', end);
  const gone = new Promise<void>((resolve) => bouncer.once('close', () => resolve()));
  const stop = async () => {
    process.off('exit', end);
    end();
    await gone;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      let output = '';
      // Read to the end, since a full pipe would block it.
      bouncer.stderr.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-10_000);
        if (output.includes('process up')) resolve();
      });
      bouncer.once('error', (cause) => reject(new Error('pgbouncer does not start', { cause })));
      bouncer.once('close', (code) => reject(new Error(`pgbouncer ended with ${code}: ${output}`)));
    });
    return { connection: { ...server.connection, host: folder }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
