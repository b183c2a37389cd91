import { Heap } from '@datastructures-js/heap';

interface Planned {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/** What is planned for the same time happens in the order in which it was planned. */
function compare(one: Planned, other: Planned): number {
  return one.at - other.at || one.order - other.order;
}

/**
 * Virtual time. One planned action happens after the other, and the next one only when the code that the last one woke is waiting again: so
 * one seed has one course of events, whatever microtasks or timers the code under test uses inside.
 */
export class Scheduler {
  /** In ms since the start. */
  now = 0;
  readonly #planned = new Heap<Planned>(compare);
  #order = 0;
  #working = 0;
  #whenAllWait: (() => void) | undefined;
  #stopped = false;

  /** Plans an action. */
  after(delay: number, action: () => void): void {
    this.#order += 1;
    this.#planned.push({ at: this.now + delay, order: this.#order, action });
  }

  /** Says that code runs from here to its next wait. */
  begin(): void {
    this.#working += 1;
  }

  /** Says that the code waits, or has ended. */
  end(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#whenAllWait?.();
  }

  /** Lets time pass until nothing is planned any more, or it is stopped. */
  async run(): Promise<void> {
    for (let next = this.#planned.pop(); next !== null; next = this.#planned.pop()) {
      this.now = next.at;
      next.action();
      await this.#untilAllWait();
      if (this.#stopped) return;
    }
  }

  /** Ends `run` after the present action. */
  stop(): void {
    this.#stopped = true;
  }

  /** Waits, in real time, for the code that runs. */
  async #untilAllWait(): Promise<void> {
    while (this.#working > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAllWait = resolve;
      });
    }
  }
}

/** A wait of the code under test, which the simulation ends. */
export class Wait<T> {
  readonly promise: Promise<T>;
  readonly #scheduler: Scheduler;
  #settle: { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void } | undefined;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    scheduler.end();
  }

  /** Goes on with a value. The first end counts. */
  resolve(value: T): void {
    const settle = this.#leave();
    settle?.resolve(value);
  }

  /** Goes on with an error. The first end counts. */
  reject(error: Error): void {
    const settle = this.#leave();
    settle?.reject(error);
  }

  /** Goes on without it: the code has given it up. */
  abandon(): void {
    this.#leave();
  }

  #leave() {
    const settle = this.#settle;
    this.#settle = undefined;
    if (settle !== undefined) this.#scheduler.begin();
    return settle;
  }
}
