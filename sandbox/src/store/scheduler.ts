import { Heap } from '@datastructures-js/heap';
import { toMilliseconds, type VirtualClock } from './clock.ts';

interface Entry<T> {
  readonly item: T;
  readonly order: number;
}

function compare(one: Entry<{ readonly at: number }>, other: Entry<{ readonly at: number }>): number {
  return one.item.at - other.item.at || one.order - other.order;
}

/** A priority queue by time; items with the same time come in the order of their addition. */
export class TimeQueue<T extends { readonly at: number }> {
  readonly #entries = new Heap<Entry<T>>(compare);
  #count = 0;

  /** Returns the earliest item and keeps it. */
  peek(): T | undefined {
    return this.#entries.root()?.item;
  }

  add(item: T): void {
    this.#entries.insert({ item, order: this.#count });
    this.#count += 1;
  }

  /** Removes and returns the earliest item. */
  take(): T | undefined {
    return this.#entries.extractRoot()?.item;
  }

  /** Returns the earliest matching items, at most `count`, and keeps them. Drops the other items before them. */
  first(count: number, matches: (item: T) => boolean): readonly T[] {
    const found: Entry<T>[] = [];
    while (found.length < count) {
      const entry = this.#entries.extractRoot();
      if (entry === null) break;
      if (matches(entry.item)) found.push(entry);
    }
    for (const entry of found) this.#entries.insert(entry);
    return found.map(({ item }) => item);
  }

  /** Returns all items, earliest first. */
  inOrder(): readonly T[] {
    return [...this.#entries.toArray()].sort(compare).map(({ item }) => item);
  }
}

/** A schedule entry: an object and its due time. */
export interface Due {
  /** The due time, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly id: string;
}

/** Runs a due entry. Returns a promise if it needs a network. */
type Act = (due: Due) => void | Promise<void>;

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
