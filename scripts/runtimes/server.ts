/** A program that serves, as its user starts it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A command, where it is run, and with what. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A server that runs. */
export interface Server {
  /** Where it is, as it printed it. */
  readonly url: string;
  /** Ends it, and gives all that it wrote. */
  stop(): Promise<string>;
}

const address = /http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*/;

/** Ends a program with what it started: a script of npm is a process below npm. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const closed = once(child, 'close');
  try {
    process.kill(-child.pid);
  } catch {
    return; // it has ended by itself
  }
  await closed;
}

/** Starts a server, and waits until it prints its address. */
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
    child.on('error', reject).on('close', () => reject(new Error(`The server ended:\n${output}`)));
  });
  return {
    url: await url,
    stop: async () => {
      await end(child);
      return output;
    },
  };
}
