import type { VirtualClock } from './clock.ts';
import { toMilliseconds } from './duration.ts';
import { Heap } from './heap.ts';
import type { Kind } from './objects.ts';

/** Something that falls due: one object, at a time. */
export interface Due {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: Kind;
  readonly id: string;
}

/** Does what has fallen due. A promise where it takes a network. */
export type Act = (due: Due) => void | Promise<void>;

/** What falls due in time: the earliest first, and of the same time, what was planned first. */
export class Agenda {
  readonly #clock: VirtualClock;
  readonly #act: Act;
  readonly #plan = new Heap<Due>((one, other) => one.at < other.at);
  #busy: Promise<void> | undefined;
  /** Where the time is to be when all moves so far are done. */
  #target = 0;

  constructor(clock: VirtualClock, act: Act) {
    this.#clock = clock;
    this.#act = act;
  }

  /** Plans something. What is due already is done soon, without a move of the clock. */
  add(due: Due): void {
    this.#plan.push(due);
    if (due.at <= this.#clock.now()) queueMicrotask(() => this.#begin(this.#clock.now()));
  }

  /** Moves the time on, and does what falls due on the way. */
  advance(duration: number | string): Promise<void> {
    const target = Math.max(this.#clock.now(), this.#target) + toMilliseconds(duration);
    this.#target = target;
    if (this.#busy !== undefined) return this.#busy.then(() => this.#begin(target));
    return this.#begin(target);
  }

  /** Waits until nothing is due any more. */
  async settled(): Promise<void> {
    // What was planned in this turn begins in the next one.
    await Promise.resolve();
    while (this.#busy !== undefined) await this.#busy;
  }

  #begin(target: number): Promise<void> {
    if (this.#busy !== undefined) return this.#busy;
    const working = this.#run(target);
    if (working === undefined) return Promise.resolve();
    this.#busy = working.finally(() => {
      this.#busy = undefined;
      if (this.#isDue(this.#clock.now())) this.#begin(this.#clock.now());
    });
    return this.#busy;
  }

  #run(target: number): Promise<void> | undefined {
    while (this.#isDue(target)) {
      const due = this.#plan.pop();
      if (due === undefined) break;
      this.#clock.moveTo(due.at);
      const working = this.#act(due);
      if (working !== undefined) return working.then(() => this.#run(target));
    }
    this.#clock.moveTo(target);
    return undefined;
  }

  #isDue(target: number): boolean {
    const first = this.#plan.peek();
    return first !== undefined && first.at <= target;
  }
}
