import type { Kind } from '../domain/records/records.ts';
import type { VirtualClock } from './clock.ts';
import { toMilliseconds } from './duration.ts';
import { Heap } from './heap.ts';

/** Something that falls due: one object, at a time. */
export interface Due {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: Kind;
  readonly id: string;
}

/** Does what has fallen due. A promise where it takes a network. */
export type Act = (due: Due) => void | Promise<void>;

function newPlan(): Heap<Due> {
  return new Heap((one, other) => one.at < other.at);
}

/** What falls due in time: the earliest first, and of the same time, what was planned first. */
export class Agenda {
  readonly #clock: VirtualClock;
  readonly #act: Act;
  #plan = newPlan();
  #busy: Promise<void> | undefined;
  /** Where the time is to be when all moves so far are done. */
  #target = 0;
  /** How often it was begun anew. What was going on before then ends without moving the time. */
  #age = 0;
  /** Is told when the time has moved. */
  moved = (): void => {};
  /** What is being done over a network. */
  #doing: Due | undefined;

  constructor(clock: VirtualClock, act: Act) {
    this.#clock = clock;
    this.#act = act;
  }

  /** Plans something. What is due already is done soon, without a move of the clock. */
  add(due: Due): void {
    this.#plan.push(due);
    if (due.at <= this.#clock.now()) queueMicrotask(() => this.#begin(this.#clock.now()));
  }

  /** What is planned, in the order in which it falls due. Some of it may have changed its mind meanwhile. */
  plan(): readonly Due[] {
    const plan = this.#plan.inOrder();
    return this.#doing === undefined ? plan : [this.#doing, ...plan];
  }

  /** Forgets all plans, and makes others. */
  beginAnew(plan: readonly Due[]): void {
    this.#plan = newPlan();
    this.#target = 0;
    this.#age += 1;
    for (const due of plan) this.add(due);
  }

  /** Moves the time on, and does what falls due on the way. */
  advance(duration: number | string): Promise<void> {
    const target = Math.max(this.#clock.now(), this.#target) + toMilliseconds(duration);
    this.#target = target;
    return this.#reach(target, this.#age);
  }

  /** Waits until nothing is due any more. */
  async settled(): Promise<void> {
    // What was planned in this turn begins in the next one.
    await Promise.resolve();
    while (this.#busy !== undefined) await this.#busy;
  }

  /** Moves to a time when the moves before have come to theirs. */
  #reach(target: number, age: number): Promise<void> {
    if (age !== this.#age) return Promise.resolve();
    if (this.#busy === undefined) return this.#begin(target);
    return this.#busy.then(() => this.#reach(target, age));
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

  #run(target: number, age = this.#age): Promise<void> | undefined {
    while (age === this.#age && this.#isDue(target)) {
      const due = this.#plan.pop();
      if (due === undefined) break;
      this.#clock.moveTo(due.at);
      const working = this.#act(due);
      if (working === undefined) continue;
      this.#doing = due;
      return working
        .finally(() => {
          this.#doing = undefined;
        })
        .then(() => this.#run(target, age));
    }
    if (age !== this.#age || target <= this.#clock.now()) return undefined;
    this.#clock.moveTo(target);
    this.moved();
    return undefined;
  }

  #isDue(target: number): boolean {
    const first = this.#plan.peek();
    return first !== undefined && first.at <= target;
  }
}
