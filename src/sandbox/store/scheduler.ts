import type { VirtualClock } from './clock.ts';
import { toMilliseconds } from './duration.ts';
import { TimeQueue } from './time-queue.ts';

/** A schedule entry: an object and its due time. */
export interface Due {
  /** The due time, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly id: string;
}

/** Runs a due entry. Returns a promise if it needs a network. */
export type Act = (due: Due) => void | Promise<void>;

/** Runs entries when they fall due: earliest first, and at the same time in the order of their addition. */
export class Scheduler {
  readonly #clock: VirtualClock;
  readonly #act: Act;
  #queue = new TimeQueue<Due>();
  #busy: Promise<void> | undefined;
  /** The time after all pending advances. */
  #target = 0;
  /** Counts restarts. Work from before a restart ends without moving the time. */
  #restarts = 0;
  /** Called when the time has moved. */
  moved = (): void => {};
  /** The entry that is being run over a network. */
  #running: Due | undefined;

  constructor(clock: VirtualClock, act: Act) {
    this.#clock = clock;
    this.#act = act;
  }

  /** Adds an entry. One that is already due runs soon, without an advance of the clock. */
  add(due: Due): void {
    this.#queue.add(due);
    if (due.at <= this.#clock.now()) queueMicrotask(() => void this.#begin(this.#clock.now()));
  }

  /** Returns the schedule in order. It may contain entries that are no longer due at their time. */
  due(): readonly Due[] {
    const waiting = this.#queue.inOrder();
    return this.#running === undefined ? waiting : [this.#running, ...waiting];
  }

  /**
   * Returns the next entries, at most `count`, earliest first. Drops obsolete entries on the way, so that the cost
   * does not grow with the length of the schedule.
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

  /** Replaces the schedule. */
  restart(due: readonly Due[]): void {
    this.#queue = new TimeQueue();
    this.#target = 0;
    this.#restarts += 1;
    for (const one of due) this.add(one);
  }

  /** Advances the time and runs what falls due on the way. */
  advance(duration: number | string): Promise<void> {
    const target = Math.max(this.#clock.now(), this.#target) + toMilliseconds('clock.advance', duration);
    this.#target = target;
    return this.#reach(target, this.#restarts);
  }

  /** Waits until nothing is due. */
  async settled(): Promise<void> {
    // Entries that were added in this turn start in the next one.
    await Promise.resolve();
    while (this.#busy !== undefined) await this.#busy;
  }

  /** Moves to a time after the pending advances. */
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
