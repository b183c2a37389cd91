import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { forkScript } from '../../support/programs.ts';
import { clock } from './notes.ts';

/** One lifetime of a process. */
export interface Lifetime {
  readonly name: string;
  readonly slot: number;
  readonly process: ChildProcess;
  isKilled: boolean;
  /** Its calls or deliveries in progress. */
  inFlight: number;
  /** Ends the waits for it when it is stopped: a machine that is only slow is waited for. */
  patience: AbortController;
  /** When it was stopped, and when it went on, by the clock of the notes. */
  readonly stalls: { readonly from: number; readonly to: number }[];
}

/** The places of the merchant's four processes. */
export const slots = [0, 1, 2, 3] as const;

/** The merchant's processes, which a test kills, restarts and stalls. */
export class ProcessPool {
  /** All lifetimes, including those of killed processes. */
  readonly lifetimes: Lifetime[] = [];
  /** The running processes by slot; a slot is empty during a restart. */
  readonly running = new Map<number, Lifetime>();
  /** How much was in progress in processes when they were killed. */
  cutOff = 0;
  readonly #script: URL;
  readonly #taskOf: (lifetime: Pick<Lifetime, 'name' | 'slot'>) => unknown;

  constructor(script: URL, taskOf: (lifetime: Pick<Lifetime, 'name' | 'slot'>) => unknown) {
    this.#script = script;
    this.#taskOf = taskOf;
  }

  get kills(): number {
    return this.lifetimes.filter(({ isKilled }) => isKilled).length;
  }

  get stalls(): number {
    return this.lifetimes.flatMap(({ stalls }) => stalls).length;
  }

  start(slot: number): Lifetime {
    const name = `${this.lifetimes.length}-${slot}`;
    const child = forkScript(this.#script, this.#taskOf({ name, slot }));
    const lifetime: Lifetime = {
      name,
      slot,
      process: child,
      isKilled: false,
      inFlight: 0,
      patience: new AbortController(),
      stalls: [],
    };
    this.lifetimes.push(lifetime);
    this.running.set(slot, lifetime);
    return lifetime;
  }

  /** Kills the process with the most in progress. Returns its slot; `undefined` if none runs. */
  killBusiest(): number | undefined {
    const [busiest] = [...this.running.values()].sort((one, other) => other.inFlight - one.inFlight);
    if (busiest !== undefined) this.kill(busiest);
    return busiest?.slot;
  }

  kill(lifetime: Lifetime): void {
    this.running.delete(lifetime.slot);
    lifetime.isKilled = true;
    this.cutOff += lifetime.inFlight;
    lifetime.process.kill('SIGKILL');
  }

  /** Pauses a process for a time, like a machine without free memory. Who waits for it gives up meanwhile. */
  async stall(slot: number, milliseconds: number): Promise<void> {
    const lifetime = this.running.get(slot);
    if (lifetime === undefined) return;
    const from = clock();
    lifetime.process.kill('SIGSTOP');
    for (let half = 0; half < 2; half += 1) {
      await wait(milliseconds / 2);
      lifetime.patience.abort();
      lifetime.patience = new AbortController();
    }
    lifetime.process.kill('SIGCONT');
    lifetime.stalls.push({ from, to: clock() });
  }

  /** Shuts all processes down gracefully, and returns how they exited. */
  end(): Promise<readonly (number | string)[]> {
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
