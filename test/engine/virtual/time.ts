import { Heap } from '@datastructures-js/heap';
import type { ClockPlan } from '../dimensions/clocks.ts';

interface Planned {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/** Actions planned for the same time run in the order of planning. */
function compare(one: Planned, other: Planned): number {
  return one.at - other.at || one.order - other.order;
}

/**
 * Virtual time. Planned actions run one after the other. The next one starts only when the code woken by the last one
 * waits again, so a seed always gives the same run, whatever microtasks or timers the code under test uses.
 */
export class Scheduler {
  /** In ms since the start. */
  now = 0;
  readonly #planned = new Heap<Planned>(compare);
  #order = 0;
  #working = 0;
  #whenAllWait: (() => void) | undefined;
  #stopped = false;
  #isLoose = false;

  /** Plans an action. */
  after(delay: number, action: () => void): void {
    this.#order += 1;
    this.#planned.push({ at: this.now + delay, order: this.#order, action });
  }

  /** Marks the start of running code, until its next wait. */
  begin(): void {
    this.#working += 1;
  }

  /** Marks that the code waits or ended. */
  end(): void {
    this.#working -= 1;
    // A call has returned, and still writes to the journal.
    if (this.#working < 0) this.loosen();
    if (this.#working <= 0) this.#whenAllWait?.();
  }

  /** Marks that a call was aborted, or returned early: what it left behind goes on, and is not counted. */
  loosen(): void {
    this.#isLoose = true;
  }

  /** Advances time until nothing is planned, or until `stop`. */
  async run(): Promise<void> {
    for (let next = this.#planned.pop(); next !== null; next = this.#planned.pop()) {
      this.now = next.at;
      next.action();
      await this.#untilAllWait();
      if (this.#stopped) return;
    }
  }

  /** Stops `run` after the present action. */
  stop(): void {
    this.#stopped = true;
  }

  /** Waits in real time for the running code, and for what a call left behind when it was aborted, which is not counted. */
  async #untilAllWait(): Promise<void> {
    while (this.#working > 0) {
      await new Promise<void>((resolve) => {
        this.#whenAllWait = resolve;
      });
    }
    for (let round = this.#isLoose ? 5 : 0; round > 0; round -= 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}

/** A wait of the code under test, which the engine ends. */
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

  /** Continues with a value. The first end counts. */
  resolve(value: T): void {
    const settle = this.#leave();
    settle?.resolve(value);
  }

  /** Continues with an error. The first end counts. */
  reject(error: Error): void {
    const settle = this.#leave();
    settle?.reject(error);
  }

  /** Continues without it: the code gave it up. */
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

/** When an episode starts, in ms since 1970. */
export const epoch = Date.UTC(2026, 0, 1);

/** Returns the time of a machine whose clock jumps, in ms since the start. */
export function machineTime(now: number, clock: ClockPlan | undefined): number {
  if (clock === undefined || now < clock.from || now >= clock.from + clock.lasts) return now;
  return now + clock.jump;
}
