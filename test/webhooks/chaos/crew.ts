/** The merchant's processes: killed, restarted and stalled while they work. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { forkScript } from '../../support/programs.ts';
import type { MerchantTask } from './merchant.ts';

/** One lifetime of a process. */
export interface Life {
  /** The base URL of its server. */
  readonly url: string;
  readonly process: ChildProcess;
  /** The path of its notes. */
  readonly notes: string;
  isKilled: boolean;
  /** Deliveries that it has not answered yet. */
  inFlight: number;
  /** Deliveries that it never answered: it was killed, or the service timed out. */
  broken: number;
}

const script = new URL('./receiver-process.ts', import.meta.url);

async function begin(task: MerchantTask): Promise<Life> {
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

/** Four processes, and the harm done to them. */
export class Crew {
  /** All lifetimes, including those of killed processes. */
  readonly lives: Life[] = [];
  /** The running processes by slot; a slot is empty during a restart. */
  readonly running = new Map<number, Life>();
  /** How many deliveries were in progress in processes when they were killed. */
  cutOff = 0;
  stalls = 0;
  readonly #task: Omit<MerchantTask, 'slot' | 'notes' | 'isMended'>;
  readonly #folder: string;

  constructor(task: Omit<MerchantTask, 'slot' | 'notes' | 'isMended'>, folder: string) {
    this.#task = task;
    this.#folder = folder;
  }

  get kills(): number {
    return this.lives.filter(({ isKilled }) => isKilled).length;
  }

  async start(slot: number): Promise<void> {
    const notes = path.join(this.#folder, `${this.lives.length}-${slot}.jsonl`);
    const life = await begin({ ...this.#task, slot, notes, isMended: false });
    this.lives.push(life);
    this.running.set(slot, life);
  }

  /** Kills the process with the most deliveries in progress, and starts a replacement. */
  async killBusiest(): Promise<void> {
    const [found] = [...this.running].sort(([, one], [, other]) => other.inFlight - one.inFlight);
    if (found === undefined) return;
    const [slot, life] = found;
    this.running.delete(slot);
    life.isKilled = true;
    this.cutOff += life.inFlight;
    life.process.kill('SIGKILL');
    await this.start(slot);
  }

  /** Pauses a process for a time, as a machine without free memory does. */
  async stall(slot: number, milliseconds: number): Promise<void> {
    const life = this.running.get(slot);
    if (life === undefined) return;
    this.stalls += 1;
    life.process.kill('SIGSTOP');
    await wait(milliseconds);
    life.process.kill('SIGCONT');
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

  /** Kills what a failed test leaves running. */
  destroy(): void {
    for (const { process: child } of this.lives) child.kill('SIGKILL');
  }
}
