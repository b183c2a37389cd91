import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

type PostgresProcess = ChildProcessByStdio<null, null, Readable>;

/** A running PostgreSQL server. */
export interface PostgresServer {
  /** The connection options of `pg`. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Pauses all its processes with SIGSTOP: connections stay open without responses. On Linux. */
  pause(): void;
  /** Resumes a paused server. */
  resume(): void;
  /** Kills it with all its connections, as a crash does, and waits until it is gone. Keeps its folder. */
  crash(): Promise<void>;
  /** Restarts it after a crash. Without `isDurable` the last commits may be lost. */
  restart(): Promise<void>;
  /** Stops it with all its connections, waits until it is gone, and removes its folder. */
  stop(): Promise<void>;
}

/** The folders of Debian's programs, newest version first; few of them are in the path. */
function debianFolders(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(root, version, 'bin'));
}

function programFolder(): string | undefined {
  const folders = [...debianFolders(), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** Returns whether PostgreSQL is installed. */
export function hasPostgres(): boolean {
  return programFolder() !== undefined;
}

/** Runs a client program of PostgreSQL, such as `pg_dump`, on a server, and returns its output. */
export function runOn(
  { host, port, user, database }: PostgresServer['connection'],
  program: 'pg_dump' | 'psql',
  args: readonly string[],
  input = '',
): string {
  const path = join(programFolder() ?? '', program);
  const at = ['-h', host, '-p', String(port), '-U', user, '-d', database];
  return execFileSync(path, [...at, ...args], { input, encoding: 'utf8' });
}

/** PostgreSQL refuses to run as root, so root runs it as the user of its package. */
export function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Waits for the line that PostgreSQL prints once it is ready; needs no polling and no sleep. */
function whenReady(postgres: PostgresProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    // Read to the end, since a full pipe would block the server.
    postgres.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
      if (/database system is ready to accept (read-only )?connections/.test(output)) resolve();
    });
    postgres.once('error', (cause) => reject(new Error('postgres does not start', { cause })));
    postgres.once('close', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)));
  });
}

function whenGone(postgres: PostgresProcess): Promise<void> {
  if (postgres.exitCode !== null || postgres.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => postgres.once('exit', () => resolve()));
}

/** Signals the server first, so that it starts no process in between, and then the process of each connection. */
function signalAll({ pid }: PostgresProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const child of children) process.kill(Number(child), signal);
}

/** Disables syncing, since nothing must survive the machine. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '16MB' };

function initialise(bin: string, data: string, as: object): void {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Copies a running server, as a replica of it. */
function copy(
  bin: string,
  data: string,
  { host, port, user }: PostgresServer['connection'],
  as: object,
): void {
  const args = [
    '-D',
    data,
    '-h',
    host,
    '-p',
    String(port),
    '-U',
    user,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  ];
  execFileSync(join(bin, 'pg_basebackup'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** How to start a PostgreSQL server. */
interface PostgresOptions {
  /** Whether a commit waits for the disk, PostgreSQL's own default. Default: false. */
  readonly isDurable?: boolean;
  /** The server that it is a replica of. Default: it is a new primary. */
  readonly primary?: PostgresServer;
}

/** Starts a private PostgreSQL server on a Unix socket, with an empty database, or as a replica of another one. */
export async function startPostgresServer({
  isDurable = false,
  primary,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const bin = programFolder();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: there is no initdb');
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = owner();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  // English, since the tests read the messages.
  const as = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (primary === undefined) initialise(bin, data, as);
    else copy(bin, data, primary.connection, as);
  } catch (error) {
    remove();
    throw error;
  }
  const settings = { ...(!isDurable && hasty), listen_addresses: '' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', data, '-k', folder, '-p', '5432', ...flags];
  const run = () => spawn(join(bin, 'postgres'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  let postgres = run();
  // SIGQUIT: immediately, without writing anything.
  const kill = () => void postgres.kill('SIGQUIT');
  const end = () => {
    kill();
    remove();
  };
  // Also runs if the tests abort before they stop it.
  process.once('exit', end);
  const crash = async () => {
    kill();
    await whenGone(postgres);
  };
  const restart = async () => {
    postgres = run();
    await whenReady(postgres);
  };
  const stop = async () => {
    process.off('exit', end);
    await crash();
    remove();
  };
  try {
    await whenReady(postgres);
    const connection = { host: folder, port: 5432, user: 'postgres', database: 'postgres' };
    const signals = {
      pause: () => signalAll(postgres, 'SIGSTOP'),
      resume: () => signalAll(postgres, 'SIGCONT'),
    };
    return { connection, ...signals, crash, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
