import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { forkScript } from '../../support/programs.ts';
import type { MachineTask } from './task.ts';

const script = new URL('./machine.ts', import.meta.url);

/** A process of the merchant that is started again whenever it ends, as a platform does. */
export class Machine {
  /** Where it listens; `undefined` while it starts. */
  url: string | undefined;
  readonly #task: MachineTask;
  readonly #nodeOptions: readonly string[];
  #child: ChildProcess | undefined;
  #isOver = false;

  /** @param clockShift How wrong its clock is, in ms. */
  constructor(task: MachineTask, clockShift: number) {
    this.#task = task;
    const clock = `const Real = Date; const now = () => Real.now() + ${clockShift};
      globalThis.Date = class extends Real {
        constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
        static now() { return now(); }
      };`;
    this.#nodeOptions =
      clockShift === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`];
  }

  /** Starts it, and resolves when it listens. */
  async start(): Promise<void> {
    const child = forkScript(script, this.#task, this.#nodeOptions);
    this.#child = child;
    const exit = once(child, 'exit');
    const address = await Promise.race([once(child, 'message'), exit.then(() => [])]);
    if (address[0]?.port !== undefined) this.url = `http://127.0.0.1:${address[0].port}/`;
    void exit.then(() => this.#startAgain());
    if (this.url === undefined) await this.#whenListening();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Lets it finish what it does, and waits until it is gone. */
  async end(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.send('end');
    const isGone = await Promise.race([exit, wait(30_000, false, { ref: false })]);
    if (isGone === false) child.kill('SIGKILL');
    await exit;
  }

  /** Kills it at once and for good. */
  destroy(): void {
    this.#isOver = true;
    this.signal('SIGKILL');
  }

  async #startAgain(): Promise<void> {
    this.url = undefined;
    if (this.#isOver) return;
    await wait(100);
    await this.start();
  }

  async #whenListening(): Promise<void> {
    while (this.url === undefined && !this.#isOver) await wait(20);
  }
}
