import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkScript } from '../../support/programs.ts';
import type { StoppedTask } from './stopped-task.ts';
import type { WorkerTask } from './task.ts';

const receiving = new URL('./worker.ts', import.meta.url);

/** A process that receives deliveries. */
export interface Worker {
  readonly url: string;
  readonly process: ChildProcess;
  /** Deliveries in progress. */
  inFlight: number;
}

/** Starts a process, and waits until it listens. */
export async function startWorker(task: WorkerTask | StoppedTask, script: URL = receiving): Promise<Worker> {
  const child = forkScript(script, task);
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a worker ended before it listened: ${code ?? signal}`);
  });
  const [address] = await Promise.race([once(child, 'message'), gone]);
  // Its exit is expected from here on.
  gone.catch(() => undefined);
  return { url: `http://127.0.0.1:${address.port}/`, process: child, inFlight: 0 };
}

/** Kills a process, and waits until it is gone. */
export async function kill({ process: child }: Worker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
