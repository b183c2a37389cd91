import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort } from './socket-server.ts';

const script = fileURLToPath(new URL('./php/echo.php', import.meta.url));

type PhpProcess = ChildProcessByStdio<null, null, Readable>;

/** A running PHP server. */
export interface PhpServer {
  readonly url: string;
  /** Stops it, and waits until it is gone. */
  stop(): Promise<void>;
}

/** Returns whether `php` is installed. */
export function hasPhp(): boolean {
  return spawnSync('php', ['-n', '--version']).status === 0;
}

/** Waits for the line that PHP prints once it listens; needs no polling and no sleep. */
function whenListening(php: PhpProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    // Read to the end, since a full pipe would block the server.
    php.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/Development Server \(.+\) started/.test(output)) resolve();
    });
    php.once('error', (cause) => reject(new Error('php is not installed or does not start', { cause })));
    php.once('close', (code) => reject(new Error(`php ended with ${code}: ${output}`)));
  });
}

function runPhp(host: string): PhpProcess {
  // -n: without the machine's php.ini, so that limits are the same everywhere.
  return spawn('php', ['-n', '-S', host, script], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function whenGone(php: PhpProcess): Promise<void> {
  if (php.exitCode !== null || php.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => php.once('exit', () => resolve()));
}

/**
 * Starts PHP's own server on a free loopback port. It returns what PHP received.
 *
 * @param tries How many ports to try, since another process may take a free port before PHP does.
 */
export async function startPhpServer(tries = 3): Promise<PhpServer> {
  const host = `127.0.0.1:${await freePort()}`;
  const php = runPhp(host);
  const kill = () => void php.kill();
  // Also runs if the tests abort before they stop it.
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await whenGone(php);
  };
  try {
    await whenListening(php);
    return { url: `http://${host}`, stop };
  } catch (error) {
    process.off('exit', kill);
    if (tries <= 1 || !String(error).includes('Failed to listen')) throw error;
    return startPhpServer(tries - 1);
  }
}
