import type { Choices } from './choices.ts';

/** When an episode starts, in ms since 1970. */
export const epoch = Date.UTC(2026, 0, 1);

const hour = 3_600_000;

/** How far a clock jumps, in ms: a machine that was set wrong, and one that was restored from a snapshot. */
const jumps = [401 * 24 * hour, -30 * hour];

/** The clock of a machine. In some episodes it jumps, and is corrected some hours later. */
export class Clock {
  readonly #now: () => number;
  readonly #jump: number;
  readonly #from: number;
  readonly #until: number;

  constructor(now: () => number, choices: Choices) {
    this.#now = now;
    const drawn = jumps[choices.draw('clock', 4)];
    const name = 'the clock jumps';
    if (drawn !== undefined) choices.extras.push(name);
    this.#jump = drawn !== undefined && choices.includes(name) ? drawn : 0;
    this.#from = choices.draw('clock jumps', 400_000);
    this.#until = this.#from + hour + choices.draw('clock is corrected', 10 * hour);
  }

  /** Returns its time, in ms since the start of the episode. */
  read(): number {
    const now = this.#now();
    return now >= this.#from && now < this.#until ? now + this.#jump : now;
  }
}
