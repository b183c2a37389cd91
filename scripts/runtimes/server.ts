/** Starts a server as its user would. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Server {
  /** The URL that it printed. */
  readonly url: string;
  /** Stops it, and returns its output. */
  stop(): Promise<string>;
}

const address = /http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*/;

/** Ends a program and its children: an npm script is a child process of npm. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const closed = once(child, 'close');
  try {
    process.kill(-child.pid);
  } catch {
    return; // already ended
  }
  await closed;
}

export async function launch({ command, args, folder, env }: Command): Promise<Server> {
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const url = new Promise<string>((resolve, reject) => {
    const read = (chunk: string) => {
      output += chunk;
      const [found] = address.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child
      .on('error', reject)
      .on('close', () =>
        reject(new Error(`Expected a URL in the server's output, but it ended:\n${output}`)),
      );
  });
  return {
    url: await url,
    stop: async () => {
      await end(child);
      return output;
    },
  };
}
