import parse, { type StringValue } from 'ms';
import { isIntegerFrom } from '../base/integer.ts';
import { refuseValue } from '../base/refuse.ts';

/** The sandbox's clock. It stands still until `advance` moves it, so that every run sees the same times. */
export interface SandboxClock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  /**
   * Advances the clock, and runs all work that becomes due, in order of time. When the call returns, work that needs no
   * network is done. Await it, so that webhook deliveries are done too.
   *
   * @param duration Milliseconds, or a text such as `'3 days'`, `'90 min'`, `'30 s'`.
   * @throws ConfigurationError for any other value.
   */
  advance(duration: number | string): Promise<void>;
}

/** A clock that other code moves. */
export class VirtualClock {
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  /** Returns the current time in milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** Returns the current time in whole seconds since 1970, as resources have it. */
  seconds(): number {
    return Math.floor(this.#now / 1000);
  }

  /** Runs work at another time, then returns to the current one. It creates data of the past. */
  during<T>(time: number, work: () => T): T {
    const present = this.#now;
    this.#now = time;
    try {
      return work();
    } finally {
      this.#now = present;
    }
  }

  /** Sets the time, backwards too, to restore a state. */
  set(time: number): void {
    this.#now = time;
  }

  /** Moves the time forwards; never back. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time);
  }
}

/** How often the clock advances, in milliseconds. */
const interval = 200;

interface Clock {
  now(): number;
  advance(duration: number): Promise<void>;
}

/** Unrefs a timer, since Node's timers keep a process alive otherwise. */
function unrefTimer(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null) return;
  const unref: unknown = Reflect.get(timer, 'unref');
  if (typeof unref === 'function') unref.call(timer);
}

/**
 * Advances a clock with real time, so that scheduled work runs by itself. A clock that was advanced by hand keeps its
 * lead. One that is behind, because its sandbox did not run, catches up if `catchesUp` is set.
 *
 * @returns A function that stops it. A second call has no effect.
 */
export function keepRunning(clock: Clock, catchesUp: boolean): () => void {
  let seen = Date.now();
  let busy = false;
  const move = async (): Promise<void> => {
    if (busy) return;
    const present = Date.now();
    const behind = catchesUp ? present - clock.now() : 0;
    const passed = Math.max(0, present - seen, behind);
    seen = present;
    busy = true;
    try {
      await clock.advance(passed);
    } finally {
      busy = false;
    }
  };
  const tick = () => void move().catch(() => undefined);
  const timer = setInterval(tick, interval);
  unrefTimer(timer);
  return () => clearInterval(timer);
}

/** The longest duration. Tests need no more, and daily renewals on the way stay affordable. */
export const longest = parse('100 years');

const expected =
  "milliseconds, an integer from 0, or a text such as '2 weeks', '3 days', '2 h', '90 min', '30 s' or '250 ms', up to 100 years";

/** `ms` reads a text without a unit too, in which a unit was probably forgotten. */
const hasUnit = (text: string): text is StringValue => /[a-z]$/i.test(text);

/**
 * Converts a duration to milliseconds, from a number of them or a text such as `'3 days'`.
 *
 * @throws ConfigurationError for any other value, and for more than 100 years.
 */
export function toMilliseconds(path: string, duration: number | string): number {
  const parsed = typeof duration === 'string' && hasUnit(duration) ? Math.round(parse(duration)) : duration;
  return isIntegerFrom(parsed, 0, longest)
    ? parsed
    : refuseValue(path, expected, duration, 'Correct the duration.');
}
