import type { Fault } from '../dimensions/fault.ts';
import { abortion, processFaults } from '../dimensions/processes.ts';
import { type Scheduler, Wait } from './time.ts';

/** Ends the code of a killed process. Nothing that it does afterwards has an effect. */
class Killed extends Error {}

/** The environment of an actor. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  /** Returns how long a step takes. */
  time(step: string, longest: number): number;
  /** Counts a fault that occurred. */
  met(fault: string): void;
  /** Writes a line of the schedule, if one is recorded. */
  log(line: string): void;
}

/** Longer than any lease: a swapping machine or a frozen container. */
const stall = { least: 100_000, most: 600_000 };

/** One process with one task. It may die or stall before each step. */
export class Actor {
  readonly name: string;
  isAlive = true;
  /** Whether it waits for the network, where an abort ends the wait. */
  isSending = false;
  /** The faults that hit it. A healthy process has none. */
  readonly faults: string[] = [];
  readonly #world: Surroundings;
  readonly #planned: readonly Fault[];
  readonly #places = new Map<string, number>();
  #steps = 0;
  #wait: { reject(error: Error): void; abandon(): void } | undefined;

  /** @param planned The faults that it may meet. */
  constructor(world: Surroundings, name: string, planned: readonly Fault[]) {
    this.#world = world;
    this.name = name;
    this.#planned = planned;
  }

  get isTroubled(): boolean {
    return this.faults.length > 0;
  }

  get wasAborted(): boolean {
    return this.faults.includes(abortion);
  }

  /** Starts its code. */
  start(body: () => Promise<void>): void {
    const { scheduler } = this.#world;
    scheduler.begin();
    body()
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      })
      .finally(() => scheduler.end());
  }

  /** Returns the name of its next step. */
  next(what: string): string {
    this.#steps += 1;
    return `${this.name}.${this.#steps} ${what}`;
  }

  /** Returns the fault of its next step at a place, if one is planned there. */
  faultAt(place: string, possible: readonly string[]): Fault | undefined {
    const nth = this.#places.get(place) ?? 0;
    this.#places.set(place, nth + 1);
    const fault = this.#planned.find(
      (one) => one.at === place && one.nth === nth && possible.includes(one.fault),
    );
    if (fault === undefined) return undefined;
    this.faults.push(fault.fault);
    this.#world.met(fault.fault);
    this.#world.log(`${this.name} ${place}: ${fault.fault}`);
    return fault;
  }

  /** Lets other actors act before it continues. */
  async step(what: string): Promise<void> {
    this.#requireLife();
    const { scheduler } = this.#world;
    const step = this.next(what);
    const fault = this.faultAt('step', processFaults);
    if (fault?.fault === 'dies') this.isAlive = false;
    this.#requireLife();
    const delay = fault === undefined ? 0 : stall.least + (fault.size * (stall.most - stall.least)) / 1000;
    const wait = this.wait<void>();
    scheduler.after(1 + delay + this.#world.time(step, 20), () => wait.resolve());
    await wait.promise;
    this.#world.log(step);
  }

  /** Starts a wait that another action ends. */
  wait<T>(): Wait<T> {
    this.#requireLife();
    const wait = new Wait<T>(this.#world.scheduler);
    this.#wait = wait;
    return wait;
  }

  /** Aborts its call. While it waits for the store, the store goes on. */
  abort(controller: AbortController): void {
    this.#world.scheduler.loosen();
    if (this.isSending) this.#wait?.abandon();
    this.isSending = false;
    controller.abort();
  }

  /** Kills it wherever it is. */
  kill(): void {
    this.isAlive = false;
    this.#wait?.reject(new Killed());
  }

  #requireLife(): void {
    if (!this.isAlive) throw new Killed();
  }
}
