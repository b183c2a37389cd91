import type { Choices } from './choices.ts';
import { type Scheduler, Wait } from './scheduler.ts';

/** Ends the code of a killed process. Nothing that it does afterwards has an effect. */
class Killed extends Error {}

/** The environment of an actor. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  /** Writes a line of the schedule, if one is recorded. */
  readonly log: (line: string) => void;
}

/** Longer than any lease: a swapping machine or a frozen container. */
const stall = { least: 100_000, most: 600_000 };

/** One process with one task. It may die or stall before each step. */
export class Actor {
  readonly name: string;
  isAlive = true;
  /** Whether it waits for the network, where an abort ends the wait. */
  isSending = false;
  /** Whether a fault hit it that a healthy process would not have. */
  isTroubled = false;
  /** The faults that hit it. */
  readonly faults: string[] = [];
  readonly #world: Surroundings;
  readonly #isCalm: boolean;
  #steps = 0;
  #wait: { reject(error: Error): void; abandon(): void } | undefined;

  /** @param isCalm Whether it gets no more faults. */
  constructor(world: Surroundings, name: string, isCalm: boolean) {
    this.#world = world;
    this.name = name;
    this.#isCalm = isCalm;
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

  /** Returns a fault for a step; mostly none. */
  faultOf<Fault extends string>(step: string, faults: readonly Fault[], share?: number): Fault | undefined {
    if (this.#isCalm) return undefined;
    const fault = this.#world.choices.faultOf(step, faults, share);
    if (fault === undefined) return undefined;
    this.isTroubled = true;
    this.faults.push(fault);
    this.#world.log(`${step}: ${fault}`);
    return fault;
  }

  /** Lets other actors act before it continues. */
  async step(what: string): Promise<string> {
    this.#requireLife();
    const { scheduler, choices } = this.#world;
    const step = this.next(what);
    const fault = this.faultOf(step, ['dies', 'stalls'], 0.5);
    if (fault === 'dies') this.isAlive = false;
    this.#requireLife();
    const wait = this.wait<void>();
    const delay = fault === 'stalls' ? stall.least + choices.draw(`${step}#`, stall.most - stall.least) : 0;
    scheduler.after(1 + delay + choices.draw(`${step}~`, 20), () => wait.resolve());
    await wait.promise;
    this.#world.log(step);
    return step;
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
