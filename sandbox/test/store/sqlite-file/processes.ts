import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkScript } from '../../../../test/support/programs.ts';

const script = new URL('./server.ts', import.meta.url);

/** A server process with a data file. */
export interface Server {
  readonly url: string;
  readonly secretKey: string;
  readonly process: ChildProcess;
}

/** Starts a server process, and waits until it listens. */
export async function startServer(file: string): Promise<Server> {
  const child = forkScript(script, { file });
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended before it listened: ${code ?? signal}`);
  });
  const [{ url, secretKey }] = await Promise.race([once(child, 'message'), gone]);
  // From here on its end is expected.
  gone.catch(() => undefined);
  return { url, secretKey, process: child };
}

/** Kills a process, and waits until it is gone. */
export async function kill({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
