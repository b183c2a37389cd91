import type { VirtualClock } from './clock.ts';
import { toMilliseconds } from './duration.ts';
import { TimeQueue } from './time-queue.ts';

/** Something that falls due: one object, at a time. */
export interface Due {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly id: string;
}

/** Does what has fallen due. A promise where it takes a network. */
export type Act = (due: Due) => void | Promise<void>;

/** What falls due in time: the earliest first, and of the same time, what was added first. */
export class Scheduler {
  readonly #clock: VirtualClock;
  readonly #act: Act;
  #queue = new TimeQueue<Due>();
  #busy: Promise<void> | undefined;
  /** Where the time is to be when all moves so far are done. */
  #target = 0;
  /** How often it was restarted. What was going on before then ends without moving the time. */
  #restarts = 0;
  /** Is told when the time has moved. */
  moved = (): void => {};
  /** What is being done over a network. */
  #running: Due | undefined;

  constructor(clock: VirtualClock, act: Act) {
    this.#clock = clock;
    this.#act = act;
  }

  /** Adds something. What is due already is done soon, without a move of the clock. */
  add(due: Due): void {
    this.#queue.add(due);
    if (due.at <= this.#clock.now()) queueMicrotask(() => void this.#begin(this.#clock.now()));
  }

  /** What waits, in the order in which it falls due. Some of it may no longer be due when its time comes. */
  due(): readonly Due[] {
    const waiting = this.#queue.inOrder();
    return this.#running === undefined ? waiting : [this.#running, ...waiting];
  }

  /**
   * What falls due next, at most `count`, the earliest first. Forgets on the way what is due no longer, so the cost does not grow with
   * what waits.
   */
  next(count: number, isStillDue: (due: Due) => boolean): readonly Due[] {
    const found = new Set<string>();
    return this.#queue.first(count, (due) => {
      const name = `${due.kind} ${due.id}`;
      if (found.has(name) || !isStillDue(due)) return false;
      found.add(name);
      return true;
    });
  }

  /** Forgets all that waits, and begins with something else. */
  restart(due: readonly Due[]): void {
    this.#queue = new TimeQueue();
    this.#target = 0;
    this.#restarts += 1;
    for (const one of due) this.add(one);
  }

  /** Moves the time on, and does what falls due on the way. */
  advance(duration: number | string): Promise<void> {
    const target = Math.max(this.#clock.now(), this.#target) + toMilliseconds(duration);
    this.#target = target;
    return this.#reach(target, this.#restarts);
  }

  /** Waits until nothing is due any more. */
  async settled(): Promise<void> {
    // What was added in this turn begins in the next one.
    await Promise.resolve();
    while (this.#busy !== undefined) await this.#busy;
  }

  /** Moves to a time when the moves before have come to theirs. */
  #reach(target: number, restarts: number): Promise<void> {
    if (restarts !== this.#restarts) return Promise.resolve();
    if (this.#busy === undefined) return this.#begin(target);
    return this.#busy.then(() => this.#reach(target, restarts));
  }

  #begin(target: number): Promise<void> {
    if (this.#busy !== undefined) return this.#busy;
    const working = this.#run(target);
    if (working === undefined) return Promise.resolve();
    this.#busy = working.finally(() => {
      this.#busy = undefined;
      if (this.#isDue(this.#clock.now())) void this.#begin(this.#clock.now());
    });
    return this.#busy;
  }

  #run(target: number, restarts = this.#restarts): Promise<void> | undefined {
    while (restarts === this.#restarts && this.#isDue(target)) {
      const due = this.#queue.take();
      if (due === undefined) break;
      this.#clock.moveTo(due.at);
      const working = this.#act(due);
      if (working === undefined) continue;
      this.#running = due;
      return working
        .finally(() => {
          this.#running = undefined;
        })
        .then(() => this.#run(target, restarts));
    }
    if (restarts !== this.#restarts || target <= this.#clock.now()) return undefined;
    this.#clock.moveTo(target);
    this.moved();
    return undefined;
  }

  #isDue(target: number): boolean {
    const first = this.#queue.peek();
    return first !== undefined && first.at <= target;
  }
}
