import type { Fault, HoldingFault, PassingFault } from './fault.ts';
import type { FaultHit } from './hit.ts';

/** A request that is held, or will be. */
export interface Hold {
  /** Resolves when the request has arrived and waits. */
  readonly reached: Promise<void>;
  /** Lets the request go on. Without effect the second time. */
  release(): void;
}

/**
 * The faults that wait for a request. A request meets the first that fits it, and no more than one. They belong to the
 * running sandbox, and are no part of what it keeps or copies.
 */
export interface Faults {
  /**
   * Makes one request wait until it is released.
   *
   * @throws RangeError when a field is out of bounds, or names nothing that there is.
   */
  inject(fault: HoldingFault): Hold;
  /**
   * Makes requests go wrong.
   *
   * @throws RangeError when a field is out of bounds, or names nothing that there is.
   */
  inject(fault: PassingFault): void;
  /**
   * Makes requests go wrong, whatever the fault.
   *
   * @throws RangeError when a field is out of bounds, or names nothing that there is.
   */
  inject(fault: Fault): Hold | undefined;
  /** Which fault has met which request: the newest 1,000, newest last. Clearing leaves it as it is. */
  history(): readonly FaultHit[];
  /**
   * Forgets the faults that no request has met, and lets go what they hold: requests, waits and stalled bodies. The
   * draws of `probability` begin anew.
   */
  clear(): void;
}
