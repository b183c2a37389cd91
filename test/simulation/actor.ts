import type { Choices } from './choices.ts';
import { type Scheduler, Wait } from './scheduler.ts';

/** Ends the code of a process that died. Nothing that it does afterwards has an effect. */
class Died extends Error {}

/** What an actor lives in. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  /** Writes a line of the schedule, where one is wanted. */
  readonly tell: (line: string) => void;
}

/** Longer than any lease: a machine that swaps, a container that is frozen. */
const stall = { least: 100_000, most: 600_000 };

/** One process, at one task. It may die or stall before each step. */
export class Actor {
  readonly name: string;
  isAlive = true;
  /** Whether it waits for the network, so that its signal ends the wait. */
  isSending = false;
  /** Whether anything has happened to it that a healthy process need not excuse. */
  isTroubled = false;
  readonly #world: Surroundings;
  readonly #isCalm: boolean;
  #steps = 0;
  #wait: { reject(error: Error): void; abandon(): void } | undefined;

  /** @param isCalm Whether faults have ceased for it. */
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
        if (!(error instanceof Died)) throw error;
      })
      .finally(() => scheduler.end());
  }

  /** The name of its next step. */
  next(what: string): string {
    this.#steps += 1;
    return `${this.name}.${this.#steps} ${what}`;
  }

  /** A fault of one step, or mostly none. */
  faultOf<Fault extends string>(step: string, faults: readonly Fault[], share?: number): Fault | undefined {
    if (this.#isCalm) return undefined;
    const fault = this.#world.choices.faultOf(step, faults, share);
    if (fault === undefined) return undefined;
    this.isTroubled = true;
    this.#world.tell(`${step}: ${fault}`);
    return fault;
  }

  /** Lets others act before it goes on. */
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
    this.#world.tell(step);
    return step;
  }

  /** Begins a wait that something else ends. */
  wait<T>(): Wait<T> {
    this.#requireLife();
    const wait = new Wait<T>(this.#world.scheduler);
    this.#wait = wait;
    return wait;
  }

  /** Aborts what it does. A client looks at its signal while it sends, and nowhere else. */
  abort(controller: AbortController): void {
    if (this.isSending) this.#wait?.abandon();
    this.isSending = false;
    controller.abort();
  }

  /** Ends it wherever it is. */
  kill(): void {
    this.isAlive = false;
    this.#wait?.reject(new Died());
  }

  #requireLife(): void {
    if (!this.isAlive) throw new Died();
  }
}
