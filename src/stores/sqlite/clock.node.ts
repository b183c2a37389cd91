import { day } from '../../base/time.ts';

/** A jump of the machine's clock that is not confirmed yet. */
interface Jump {
  /** The machine's time minus the time of the process, in ms. */
  readonly offset: number;
  /** When it was first seen, in ms of the process. */
  readonly since: number;
}

/**
 * The time of a file, in ms since 1970. It follows the machine's clock, with two exceptions: it never goes back, and it
 * follows a jump of over a day only after the process has seen the same jump for 24 hours. Until then it advances with the
 * process. So a clock that is wrong for a while ends no retention and no lease.
 */
export class SqliteClock {
  #last: { readonly time: number; readonly at: number } | undefined;
  #jump: Jump | undefined;

  /**
   * Returns the present time.
   *
   * @param highest The highest time that any process has stored; `undefined` in a new file.
   */
  read(highest: number | undefined): number {
    const [machine, at] = [Date.now(), Math.floor(performance.now())];
    const expected = Math.max(highest ?? machine, this.#last ? this.#last.time + at - this.#last.at : 0);
    const time = this.#isTrusted(machine, at, expected) ? Math.max(machine, expected) : expected;
    this.#last = { time, at };
    return time;
  }

  /** Returns whether the machine's time may be used. */
  #isTrusted(machine: number, at: number, expected: number): boolean {
    const offset = machine - at;
    const isJump = machine - expected > day;
    const isSame = this.#jump !== undefined && Math.abs(offset - this.#jump.offset) <= day;
    if (!isJump) this.#jump = undefined;
    else if (!isSame) this.#jump = { offset, since: at };
    return this.#jump === undefined || at - this.#jump.since >= day;
  }
}
