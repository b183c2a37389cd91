/** The merchant's processes, which the test kills, restarts and stalls. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { forkScript } from '../../support/programs.ts';
import type { MerchantTask } from './merchant.ts';

/** One lifetime of a process. */
export interface Lifetime {
  /** The base URL of its server. */
  readonly url: string;
  readonly process: ChildProcess;
  /** The path of its notes. */
  readonly notes: string;
  isKilled: boolean;
  /** Deliveries in progress. */
  inFlight: number;
  /** Deliveries without a response: it was killed, or the service timed out. */
  broken: number;
}

const script = new URL('./receiver-process.ts', import.meta.url);

async function startProcess(task: MerchantTask): Promise<Lifetime> {
  const child = forkScript(script, task);
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a process ended before it listened: ${code ?? signal}`);
  });
  const [address] = await Promise.race([once(child, 'message'), gone]);
  // Its exit is expected from here on.
  gone.catch(() => undefined);
  const url = `http://127.0.0.1:${address.port}`;
  return { url, process: child, notes: task.notes, isKilled: false, inFlight: 0, broken: 0 };
}

/** Four processes, and their kills and stalls. */
export class ProcessPool {
  /** All lifetimes, including those of killed processes. */
  readonly lifetimes: Lifetime[] = [];
  /** The running processes by slot; a slot is empty during a restart. */
  readonly running = new Map<number, Lifetime>();
  /** How many deliveries were in progress in processes when they were killed. */
  cutOff = 0;
  stalls = 0;
  readonly #task: Omit<MerchantTask, 'slot' | 'notes'>;
  readonly #folder: string;

  constructor(task: Omit<MerchantTask, 'slot' | 'notes'>, folder: string) {
    this.#task = task;
    this.#folder = folder;
  }

  get kills(): number {
    return this.lifetimes.filter(({ isKilled }) => isKilled).length;
  }

  async start(slot: number): Promise<void> {
    const notes = path.join(this.#folder, `${this.lifetimes.length}-${slot}.jsonl`);
    const lifetime = await startProcess({ ...this.#task, slot, notes });
    this.lifetimes.push(lifetime);
    this.running.set(slot, lifetime);
  }

  /** Kills the process with the most deliveries in progress, and starts a replacement. */
  async killBusiest(): Promise<void> {
    const [found] = [...this.running].sort(([, one], [, other]) => other.inFlight - one.inFlight);
    if (found === undefined) return;
    const [slot, lifetime] = found;
    this.running.delete(slot);
    lifetime.isKilled = true;
    this.cutOff += lifetime.inFlight;
    lifetime.process.kill('SIGKILL');
    await this.start(slot);
  }

  /** Pauses a process for a time, like a machine without free memory. */
  async stall(slot: number, milliseconds: number): Promise<void> {
    const lifetime = this.running.get(slot);
    if (lifetime === undefined) return;
    this.stalls += 1;
    lifetime.process.kill('SIGSTOP');
    await wait(milliseconds);
    lifetime.process.kill('SIGCONT');
  }

  /** Shuts all processes down gracefully, and returns how they exited. */
  async end(): Promise<readonly (number | string)[]> {
    return Promise.all(
      [...this.running.values()].map(async ({ process: child }) => {
        if (child.exitCode !== null || child.signalCode !== null)
          return child.signalCode ?? child.exitCode ?? '';
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        const [code, signal] = await exit;
        return code ?? signal;
      }),
    );
  }

  /** Kills the processes that a failed test leaves. */
  destroy(): void {
    for (const { process: child } of this.lifetimes) child.kill('SIGKILL');
  }
}
