import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import { bounded } from '../../base/time.ts';

/** Bounds the connections to a host that are in use at once. Who comes later waits in line. */
export class ConnectionLimit {
  readonly max: number;
  #inUse = 0;
  /** First come, first served. */
  readonly #line = new Set<() => void>();

  constructor(max: number) {
    this.max = max;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** Takes a place, if one is free. */
  tryEnter(): boolean {
    if (this.#inUse >= this.max) return false;
    this.#inUse += 1;
    return true;
  }

  /**
   * Waits for a place that another one leaves.
   *
   * @throws Interrupted when one of the signals is aborted first.
   */
  async waitInLine(one: WebAbortSignal, other: WebAbortSignal | undefined): Promise<void> {
    let onTurn = () => {};
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve;
    });
    this.#line.add(onTurn);
    try {
      await bounded(bounded(turn, one), other);
    } catch (error) {
      // If its turn came at the same moment, the place is for the next in line.
      if (!this.#line.delete(onTurn)) this.leave();
      throw error;
    }
  }

  /** Leaves a place to the first in line. */
  leave(): void {
    for (const onTurn of this.#line) {
      this.#line.delete(onTurn);
      onTurn();
      return;
    }
    this.#inUse -= 1;
  }
}
