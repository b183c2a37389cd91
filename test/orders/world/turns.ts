import { AsyncLocalStorage } from 'node:async_hooks';
import type { Draws } from './draws.ts';

/** A process of a shop. Once killed, none of its code goes on. */
export class Process {
  readonly name: string;
  isAlive = true;
  readonly #whenKilled: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Calls a function when it is killed, such as one that breaks its connections. */
  onKill(clean: () => void): void {
    this.#whenKilled.push(clean);
  }

  kill(): void {
    this.isAlive = false;
    for (const clean of this.#whenKilled) clean();
  }
}

/** What a process does for somebody, one step after the other. */
export interface Task {
  readonly name: string;
  readonly process: Process;
  /** The order that it is about; `undefined` for one that is about many. */
  readonly about: string | undefined;
  isRunning: boolean;
  isDone: boolean;
}

interface Gate {
  readonly task: Task;
  readonly label: string;
  readonly open: () => void;
}

const never = <Value>() => new Promise<Value>(() => {});
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Lets tasks act in turns. A task stops at each gate; the seed decides which gate opens next, and whether the process dies there. So one
 * step runs at a time, whatever happens between two steps of a task.
 */
export class Turns {
  readonly #draws: Draws;
  readonly #log: (line: string) => void;
  readonly #patience: number;
  readonly #current = new AsyncLocalStorage<Task>();
  #gates: Gate[] = [];
  readonly #tasks = new Set<Task>();
  #whenStill: (() => void) | undefined;
  /** How many processes died. */
  kills = 0;

  /** @param patience How long a task may wait for a lock that another one holds, in ms of real time, before others go on. */
  constructor(draws: Draws, log: (line: string) => void, patience: number) {
    this.#draws = draws;
    this.#log = log;
    this.#patience = patience;
  }

  /** The task whose code is running. */
  get current(): Task | undefined {
    return this.#current.getStore();
  }

  /** The tasks that have not ended. */
  get tasks(): readonly Task[] {
    return [...this.#tasks];
  }

  /** Starts a task at a gate of its own. Its errors must be handled in `body`. */
  start(process: Process, name: string, about: string | undefined, body: () => Promise<void>): Task {
    const task: Task = { name, process, about, isRunning: false, isDone: false };
    this.#tasks.add(task);
    const run = () =>
      this.#current.run(task, () => {
        void body().finally(() => this.#end(task));
      });
    this.#gates.push({ task, label: 'starts', open: run });
    return task;
  }

  /** Waits until the seed lets the running task go on. In a dead process it waits for ever. */
  gate(label: string): Promise<void> {
    const task = this.current;
    if (task === undefined) return Promise.resolve();
    if (!task.process.isAlive) return this.stop(task);
    return new Promise((resolve) => {
      this.#gates.push({ task, label, open: resolve });
      this.#rest(task);
    });
  }

  /** Stops a task of a dead process for ever. */
  stop<Value>(task = this.current): Promise<Value> {
    if (task !== undefined) this.#end(task);
    return never();
  }

  /** Ends a process, and all that it was doing. */
  kill(process: Process): void {
    if (!process.isAlive) return;
    this.#log(`† ${process.name} dies`);
    this.kills += 1;
    process.kill();
    this.#gates = this.#gates.filter(({ task }) => task.process !== process);
    for (const task of this.#tasks) if (task.process === process) this.#end(task);
  }

  /** Opens one gate, and waits until its task stops at the next one. Returns whether there was one. */
  async step(): Promise<boolean> {
    const at = this.#draws.below(this.#gates.length);
    const [gate] = this.#gates.splice(at, 1);
    if (gate === undefined) return this.#waitForBlocked();
    const { task, label, open } = gate;
    this.#log(`  ${task.process.name} ${task.name}: ${label}`);
    task.isRunning = true;
    open();
    await this.#untilStill(task);
    return true;
  }

  /** Returns the gate that a draw would open, so that its process can die there. */
  pickWaiting(): Process | undefined {
    return this.#draws.pickAny(this.#gates)?.task.process;
  }

  #end(task: Task): void {
    task.isDone = true;
    this.#tasks.delete(task);
    this.#rest(task);
  }

  #rest(task: Task): void {
    task.isRunning = false;
    this.#whenStill?.();
  }

  async #untilStill(task: Task): Promise<void> {
    if (!task.isRunning) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenStill = () => {
        if (!task.isRunning) resolve();
      };
      // It waits for a lock of a task that is at a gate.
      const giveWay = () => {
        if (this.#gates.length > 0) resolve();
        else timer = setTimeout(giveWay, this.#patience);
      };
      timer = setTimeout(giveWay, this.#patience);
    });
    clearTimeout(timer);
    await nextTurn();
  }

  /** Waits for tasks that are at no gate, since a lock holds them. */
  async #waitForBlocked(): Promise<boolean> {
    const blocked = this.tasks.find(({ isRunning }) => isRunning);
    if (blocked === undefined) return false;
    await this.#untilStill(blocked);
    return true;
  }
}
